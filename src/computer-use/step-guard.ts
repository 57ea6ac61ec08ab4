import type { Page } from 'playwright-core';
import { createGuard } from '../guard.ts';
import { startBudget } from '../policy/budget.ts';
import { push } from '../recent.ts';
import { actionPoint, describeAction, isClick, type Proposal, type ScreenAction } from './action.ts';
import { Eyes, type Look, type Patience } from './eyes.ts';
import { FormController } from './form-controller.ts';
import { isEqual } from './frame.ts';
import { isUnverified } from './gates/done-gate.ts';
import type { Director, GateMemory, GateSituation, Sample, ScreenLoop, Substitution } from './gates/gate.ts';
import { passGates } from './gates/index.ts';
import { type PageReport, readPage, type Target } from './page-report.ts';
import { isHighRiskAction, missingEffect, type PerceptualSummary } from './perceptual-diff.ts';
import { PlanProgress, type ScreenPlan } from './plan.ts';
import { judge, SOFT_WINDOW, screenGuardOptions, type Watcher } from './screen-guard.ts';
import { readSwitches, type Switch } from './switches.ts';

/** What a guard of screen steps is made of. */
export interface StepGuardOptions {
  task?: string;
  plan?: ScreenPlan;
  /** Sees every executed action; `recordTo(ledger, screenGuardOptions())` keeps a record. Default: one that keeps none. */
  guard?: Watcher;
  session?: string;
  /** What is switched off. The environment can switch off more. */
  off?: readonly Switch[];
  environment?: Readonly<Record<string, string | undefined>>;
  /** What may be forced although it cannot be taken back: `force-submit`, `press_return_for_submit`. */
  allow?: readonly string[];
  director?: Director;
  patience?: Partial<Patience>;
}

/** What is to be done now. */
export interface ScreenDecision {
  action: ScreenAction;
  proposal: Proposal;
  /** Set when something else than the proposal is to be done. */
  substitution: Substitution | null;
  /** What the action is aimed at. */
  target: Target | null;
  /** A claim of success that goes through although the screen does not bear it out. */
  unverified: boolean;
}

/** What came of it. */
export interface StepResult {
  look: Look;
  loop: ScreenLoop;
  /** Something on the screen is different. */
  changed: boolean;
  /** What the brain should read before its next proposal. */
  feedback: string[];
  /** The guard asks for a person, or wants an end. */
  demand: 'escalate' | 'stop' | null;
}

const MAX_SAMPLES = 12;

/**
 * Guards the steps of a screen agent, whoever runs them: `before` says what to do with a proposal, `after` looks at what it did.
 * The page is asked, never guessed at.
 */
export class StepGuard {
  readonly forms: FormController;
  readonly steps: PlanProgress;
  readonly perceptual: PerceptualSummary = { checked: 0, no_effect: 0 };
  readonly off: ReadonlySet<Switch>;
  readonly #options: StepGuardOptions;
  readonly #guard: Watcher;
  readonly #eyes: Eyes;
  readonly #samples: Sample[] = [];
  readonly #memory: GateMemory = { refused: 0, budget: startBudget(), inStreak: new Set(), submitForced: false };
  readonly session: string;
  #look: Look | null = null;
  #loop: ScreenLoop = 'none';
  #count = 0;
  /** This place was watched for what moves by itself since the clicks began. */
  #watched = '';

  constructor(options: StepGuardOptions = {}) {
    this.#options = options;
    this.off = readSwitches(options.off, options.environment);
    this.#guard = options.guard ?? createGuard(screenGuardOptions(this.off));
    this.#eyes = new Eyes(options.patience);
    this.session = options.session ?? 'screen';
    this.forms = new FormController(options.plan?.values);
    this.steps = new PlanProgress(options.plan?.steps);
  }

  /** What was seen last. */
  get seen(): Look | null {
    return this.#look;
  }

  /** Looks at the page before the first step. */
  async start(page: Page): Promise<Look> {
    this.#look = await this.#eyes.look(page);
    this.steps.look(this.#look.page);
    return this.#look;
  }

  /** Passes a proposal through the gates. */
  async before(page: Page, proposal: Proposal): Promise<ScreenDecision> {
    const look = this.#look ?? (await this.start(page));
    this.steps.claim(proposal.planStep);
    const report = await readPage(page, actionPoint(proposal.action));
    const situation = this.#situation(proposal, report, look);
    const substitution = await passGates(situation);
    const action = substitution?.action ?? proposal.action;
    return {
      action,
      proposal,
      substitution,
      target: await this.#targetOf(page, action, proposal, report),
      unverified: isUnverifiedClaim(situation),
    };
  }

  /** Looks at what an action did. `failed` is why it could not be performed. */
  async after(page: Page, { action, proposal, substitution, target }: ScreenDecision, failed = ''): Promise<StepResult> {
    const before = this.#look ?? (await this.start(page));
    if (!failed) this.#noteForm(action, before.page, target, substitution);
    let look = await this.#eyes.look(page);
    look = await this.#lookTwice(page, action, look);
    const changed = before.page.url !== look.page.url || before.detail !== look.detail;
    const own = substitution?.gate === 'done-gate';
    push(this.#samples, { action, url: look.page.url, frame: look.frame, detail: look.detail, target, changed, own }, MAX_SAMPLES);
    this.#look = look;
    this.steps.look(look.page);
    const { loop, count, plan } = await judge(this.#guard, {
      session: this.session,
      at: Date.now(),
      proposal: substitution ? { action } : { ...proposal, action },
      target,
      look,
      planStep: this.steps.at,
    });
    if (loop === 'none' || before.page.url !== look.page.url) this.#memory.inStreak.clear();
    this.#loop = loop;
    this.#count = count;
    const feedback = [substitution?.why, failed, this.#warning(action, proposal, target, before, look)].filter(
      (text) => !!text,
    ) as string[];
    const said = this.#nudge() ?? (loop === 'none' ? plan?.toModel : undefined);
    if (said && !this.off.has('nudge')) feedback.push(said);
    const demand = loop === 'none' && (plan?.rung === 'escalate' || plan?.rung === 'stop') ? plan.rung : null;
    return { look, loop, changed, feedback, demand };
  }

  /** A person has decided that it goes on: what was counted so far is forgotten. */
  async goOn(): Promise<void> {
    await this.#guard.observe({ type: 'user-spoke', session: this.session, at: Date.now() });
    this.#loop = 'none';
    this.#memory.inStreak.clear();
  }

  /** Labels of what is still to be typed. */
  get pending(): string[] {
    return this.forms.pending.map(({ label }) => label);
  }

  #situation(proposal: Proposal, page: PageReport, look: Look): GateSituation {
    const { task = '', plan, allow = [], director } = this.#options;
    return {
      task,
      proposal,
      page,
      screenshot: look.png,
      samples: this.#samples,
      window: SOFT_WINDOW,
      loop: this.#loop,
      frozen: this.#isFrozen(),
      forms: this.forms,
      steps: this.steps,
      required: plan?.required ?? [],
      memory: this.#memory,
      allow: new Set(allow),
      off: this.off,
      director,
    };
  }

  /** The stricter meaning: equal in every pixel, except where something moved before anybody acted. */
  #isFrozen(): boolean {
    const last = this.#samples.slice(-SOFT_WINDOW);
    const [first] = last;
    if (!first || last.length < SOFT_WINDOW) return false;
    return last.every(({ url, frame }) => url === first.url && isEqual(first.frame, frame, this.#eyes.clocks)) && !this.#look?.page.busy;
  }

  /** A second click that changed a little: is that the click's doing, or does it move by itself? */
  async #lookTwice(page: Page, action: ScreenAction, look: Look): Promise<Look> {
    const previous = this.#samples.at(-1);
    const place = look.page.url;
    if (!previous || this.#watched === place || !isClick(action) || !isClick(previous.action) || look.page.busy) return look;
    if (previous.url !== place || previous.detail === look.detail || !Eyes.isAlikeFrame(previous.frame, look.frame)) return look;
    this.#watched = place;
    return this.#eyes.watchIdle(page, look);
  }

  async #targetOf(page: Page, action: ScreenAction, proposal: Proposal, report: PageReport): Promise<Target | null> {
    if (action === proposal.action) return report.target;
    const point = actionPoint(action);
    return point ? (await readPage(page, point)).target : null;
  }

  /** Keeps up with what is typed and sent off, by the brain or by a gate. */
  #noteForm(action: ScreenAction, { focused }: PageReport, target: Target | null, substitution: Substitution | null): void {
    if (substitution) substitution.performed?.();
    else if (action.type === 'type_text' && focused) this.forms.noteTyped(action.text, focused);
    const sent = action.type === 'key_press' && /^(?:return|enter)$/i.test(action.keys) && focused && this.forms.isOurs(focused.form);
    if (sent || (isClick(action) && target?.submits)) this.forms.submitted = true;
  }

  #warning(action: ScreenAction, { reasoning = '' }: Proposal, target: Target | null, before: Look, after: Look): string | null {
    if (this.off.has('perceptual-diff') || !isHighRiskAction(action, target, reasoning)) return null;
    this.perceptual.checked++;
    const missing = missingEffect(action, before, after, this.#eyes.noise);
    if (missing) this.perceptual.no_effect++;
    return missing;
  }

  #nudge(): string | undefined {
    if (this.#loop === 'none' || !this.#look) return undefined;
    return nudge(this.#samples, this.#count, this.#look.page, this.pending);
  }
}

function isUnverifiedClaim(situation: GateSituation): boolean {
  const { action } = situation.proposal;
  return action.type === 'done' && action.success && !situation.off.has('done-gate') && isUnverified(situation, action.summary);
}

/** What the brain reads when it goes round: the focused field and what to do with it, or the repeated action and what else there is. */
function nudge(samples: readonly Sample[], count: number, { focused, wall }: PageReport, pending: readonly string[]): string {
  const last = samples.at(-1);
  if (!last) return '';
  const what = `${count} actions in a row (the last: ${describeAction(last.action)}) brought nothing new`;
  if (wall)
    return `${what}. The page wants to know whether a person is there. Do not try to get around that: stop, and say that a person is needed.`;
  if (focused) {
    const name = focused.label || focused.placeholder || focused.name || focused.id || focused.type;
    const fill = focused.empty ? 'Type into it now' : 'Select all of it (Control+A) and type';
    const still = pending.length > 0 ? ` Still to be typed: ${pending.map((label) => `"${label}"`).join(', ')}.` : '';
    return `${what}. The field "${name}" has the focus; clicking it again does nothing. ${fill}, or press Tab to get to the next field.${still}`;
  }
  return `${what}. Do something of another kind: press Return or Tab, scroll to look for another way, or wait if the page is working; or say what is in the way.`;
}
