import { randomUUID } from 'node:crypto';
import { isNear } from '@unrut/engine/fingerprint';
import { createGuard } from '@unrut/engine/guard';
import { present } from '@unrut/engine/json';
import { push } from '@unrut/engine/recent';
import { assertOptions, type OptionCheck, optionChecks } from '@unrut/engine/schema/checks';
import type { Page } from 'playwright-core';
import {
  actionPoint,
  describeAction,
  isClick,
  isReturn,
  type Proposal,
  type ScreenAction,
} from './action.ts';
import { Eyes, type Look, type Patience } from './eyes.ts';
import { FormController } from './form-controller.ts';
import { around, isEqual } from './frame.ts';
import { isUnverified } from './gates/done-gate.ts';
import type {
  Director,
  GateMemory,
  GateSituation,
  Sample,
  ScreenLoop,
  Substitution,
} from './gates/gate.ts';
import { passGates } from './gates/index.ts';
import { stepGuardChecks } from './options.ts';
import { type PageReport, readPage, type Target } from './page-report.ts';
import {
  CROP,
  isHighRiskAction,
  missingEffect,
  type PerceptualSummary,
} from './perceptual-diff.ts';
import { PlanProgress, type ScreenPlan } from './plan.ts';
import {
  announce,
  judge,
  SOFT_WINDOW,
  screenGuardOptions,
  type ToldStep,
  type Watcher,
} from './screen-guard.ts';
import { Secrets } from './secrets.ts';
import { type Permission, readPermissions, readSwitches, type Switch } from './switches.ts';
import { Traffic } from './traffic.ts';

const { keysOf } = optionChecks;

/** The options of a guard of screen steps. */
export interface StepGuardOptions {
  task?: string;
  plan?: ScreenPlan;
  /**
   * Observes every action, and its policy decides on forced ones. `recordTo(ledger,
   * screenGuardOptions())` also records. Default: a guard without a record.
   */
  guard?: Watcher;
  session?: string;
  /** Parts to switch off. The environment can switch off more. */
  off?: readonly Switch[];
  environment?: Readonly<Record<string, string | undefined>>;
  /** Granted permissions; all others are off. */
  allow?: readonly Permission[];
  /** A stronger model, asked once per loop for one click, scroll, key or wait. */
  director?: Director;
  patience?: Partial<Patience>;
}

const stepGuardCheck = keysOf(
  stepGuardChecks satisfies Record<keyof StepGuardOptions, OptionCheck>,
);

/** The decision on a proposal. */
export interface ScreenDecision {
  action: ScreenAction;
  proposal: Proposal;
  /** Set if another action replaces the proposal. */
  substitution: Substitution | null;
  /** The target of the action. */
  target: Target | null;
  /** A claim of success that is accepted although the screen does not confirm it. */
  unverified: boolean;
  /** The id of the guard's plan that the substitution carries out. */
  plan?: string;
}

/** The result of a step. */
export interface StepResult {
  look: Look;
  loop: ScreenLoop;
  /** The screen changed. */
  changed: boolean;
  /** Feedback for the brain before its next proposal. */
  feedback: string[];
  /** The guard demands a human or an end. */
  demand: 'escalate' | 'stop' | null;
}

const MAX_SAMPLES = 12;

/**
 * Guards the steps of any screen agent: `before` decides on a proposal, `after` examines its
 * effect. All facts come from the page.
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
  readonly #memory: GateMemory = { refused: 0, directed: false, submitForced: false };
  readonly #allow: ReadonlySet<Permission>;
  readonly #secrets: Secrets;
  readonly #traffic = new Map<Page, Traffic>();
  readonly #key = randomUUID();
  readonly session: string;
  #look: Look | null = null;
  #loop: ScreenLoop = 'none';
  #count = 0;
  /** The page that was watched for motion of its own since the clicks began. */
  #watched = '';
  #downloaded = 0;
  /** Number of requests before the step. */
  #asked = 0;

  constructor(options: StepGuardOptions = {}) {
    assertOptions('[computer-use]', options, stepGuardCheck);
    this.#options = options;
    this.off = readSwitches(options.off, options.environment);
    this.#allow = readPermissions(options.allow, options.environment);
    this.#secrets = new Secrets(options.plan?.values);
    this.#guard = options.guard ?? createGuard(screenGuardOptions(this.off));
    this.#eyes = new Eyes(options.patience);
    this.session = options.session ?? 'screen';
    this.forms = new FormController(options.plan?.values);
    this.steps = new PlanProgress(options.plan?.steps);
  }

  /** The last look. */
  get seen(): Look | null {
    return this.#look;
  }

  /** Looks at a page before its first step. */
  async start(page: Page): Promise<Look> {
    this.#look = await this.#see(page);
    this.steps.look(this.#look.page);
    return this.#look;
  }

  /** Passes a proposal through the gates. */
  async before(page: Page, proposal: Proposal): Promise<ScreenDecision> {
    const look = this.#look ?? (await this.start(page));
    this.#asked = this.#trafficOf(page).made;
    this.steps.claim(proposal.planStep);
    const last = this.#samples.at(-1);
    if (last && isAgain(last.action, proposal.action) && !look.page.busy)
      await this.#eyes.watchTurns(page, look);
    const report = await readPage(page, actionPoint(proposal.action));
    report.busy ||= this.#trafficOf(page).isOpen();
    const situation = this.#situation(proposal, report, look);
    let substitution = await passGates(situation);
    let plan: string | undefined;
    if (proposal.action.type !== 'done') {
      const step = this.#told(proposal, report.target, look);
      const agreed = await announce(
        this.#guard,
        step,
        substitution?.needsLoop ? substitution : null,
      );
      if (substitution?.needsLoop && !agreed) substitution = null;
      plan = agreed?.id;
    }
    const action = substitution?.action ?? proposal.action;
    return {
      action,
      proposal,
      substitution,
      target: await this.#targetOf(page, action, proposal, report),
      unverified: isUnverifiedClaim(situation),
      ...present({ plan }),
    };
  }

  /** Examines the effect of an action. `failed` says why it could not be performed. */
  async after(page: Page, decision: ScreenDecision, failed = ''): Promise<StepResult> {
    const { action, proposal, substitution, target } = decision;
    const before = this.#look ?? (await this.start(page));
    const traffic = this.#trafficOf(page);
    if (action.type === 'type_text')
      await this.#secrets.noteTyped(page, action.text, target?.field ?? before.page.focused);
    if (!failed) this.#noteForm(action, before.page, target, substitution);
    let look = await this.#see(page);
    look = await this.#lookTwice(page, action, look);
    const downloads = traffic.takeDownloads();
    // A downloaded file is a new state of the world, but not of the screen.
    if (downloads.length > 0) look.detail += ` ${++this.#downloaded}`;
    const changed = before.page.url !== look.page.url || before.detail !== look.detail;
    // A focus change is a change of the screen, but no effect.
    const says =
      before.page.url !== look.page.url || !this.#eyes.isSameText(before.page.dom, look.page.dom);
    if (!failed && this.forms.submitted && (says || traffic.made > this.#asked))
      this.forms.sent = true;
    const own = substitution?.gate === 'done-gate';
    push(
      this.#samples,
      {
        action,
        url: look.page.url,
        frame: look.frame,
        dom: look.page.dom,
        detail: look.detail,
        target,
        changed,
        own,
      },
      MAX_SAMPLES,
    );
    this.#look = look;
    this.steps.look(look.page);
    const { loop, count, plan } = await this.#judge(decision, look, own, failed);
    if (loop === 'none') this.#memory.directed = false;
    this.#loop = loop;
    this.#count = count;
    const feedback = [
      substitution?.why,
      failed,
      ...downloads.map((name) => `A file was downloaded: "${name}".`),
      downloads.length > 0 ? null : this.#warning(action, proposal, target, before, look),
    ].filter((text) => !!text) as string[];
    const said = this.#nudge() ?? (loop === 'none' ? plan?.toModel : undefined);
    if (said && !this.off.has('nudge')) feedback.push(said);
    const demand =
      loop === 'none' && (plan?.rung === 'escalate' || plan?.rung === 'stop') ? plan.rung : null;
    return { look, loop, changed, feedback, demand };
  }

  /** Removes the listeners from the pages. */
  release(): void {
    for (const traffic of this.#traffic.values()) traffic.release();
    this.#traffic.clear();
  }

  /** Resets the counts after a human decided to continue. */
  async goOn(): Promise<void> {
    await this.#guard.observe({ type: 'user-spoke', session: this.session, at: Date.now() });
    this.#loop = 'none';
    this.#memory.directed = false;
  }

  /** Labels of the values that are not typed yet. */
  get pending(): string[] {
    return this.forms.missing;
  }

  #situation(proposal: Proposal, page: PageReport, look: Look): GateSituation {
    const { task = '', plan, director } = this.#options;
    return {
      task,
      proposal,
      page,
      screenshot: look.png,
      samples: this.#samples,
      window: SOFT_WINDOW,
      loop: this.#loop,
      frozen: this.#isFrozen(actionPoint(proposal.action)),
      forms: this.forms,
      steps: this.steps,
      required: plan?.required ?? [],
      memory: this.#memory,
      allow: this.#allow,
      off: this.off,
      director,
    };
  }

  /**
   * The strict comparison: equal in every pixel and word, except where something moved before the
   * first action.
   */
  #isFrozen(point: { x: number; y: number } | null): boolean {
    const last = this.#samples.slice(-SOFT_WINDOW);
    const [first] = last;
    if (!first || last.length < SOFT_WINDOW || this.#look?.page.busy) return false;
    const { clocks } = this.#eyes;
    // If everything moves, equality cannot be judged.
    if (point && [...around(point, CROP, first.frame)].every((tile) => clocks.has(tile)))
      return false;
    return last.every(
      ({ url, frame, dom }) =>
        url === first.url &&
        isEqual(first.frame, frame, clocks) &&
        this.#eyes.isSameText(first.dom, dom),
    );
  }

  #trafficOf(page: Page): Traffic {
    const known = this.#traffic.get(page) ?? new Traffic(page);
    this.#traffic.set(page, known);
    return known;
  }

  async #see(page: Page): Promise<Look> {
    const look = await this.#eyes.look(page, this.#trafficOf(page), this.#secrets.names);
    look.page.passwords.push(...(await this.#secrets.boxes(page, look.page.text)));
    return look;
  }

  #told(proposal: Proposal, target: Target | null, look: Look): ToldStep {
    return {
      session: this.session,
      at: Date.now(),
      proposal,
      target,
      look,
      planStep: this.steps.at,
      key: this.#key,
    };
  }

  /**
   * Passes the executed action to the guard. A wait that a gate inserted does not count as the
   * agent's.
   */
  async #judge(
    { action, proposal, substitution, target, plan }: ScreenDecision,
    look: Look,
    own: boolean,
    failed: string,
  ) {
    if (own) return { loop: 'none', count: 0, plan: null } as const;
    if (plan !== undefined) {
      const report = {
        session: this.session,
        at: Date.now(),
        plan,
        rung: 'substitute',
        ...(failed ? { failed: true } : {}),
      } as const;
      await this.#guard.observe({ type: 'plan-performed', ...report });
    }
    return judge(
      this.#guard,
      this.#told(substitution ? { action } : { ...proposal, action }, target, look),
    );
  }

  /**
   * After a second click with a small change: determines whether the click caused it or the page
   * changes without an action.
   */
  async #lookTwice(page: Page, action: ScreenAction, look: Look): Promise<Look> {
    const previous = this.#samples.at(-1);
    const place = look.page.url;
    if (
      !previous ||
      this.#watched === place ||
      !isClick(action) ||
      !isClick(previous.action) ||
      look.page.busy
    )
      return look;
    if (
      previous.url !== place ||
      previous.detail === look.detail ||
      !isNear(previous.frame.hash, look.frame.hash)
    )
      return look;
    this.#watched = place;
    return this.#eyes.watchIdle(page, look);
  }

  async #targetOf(
    page: Page,
    action: ScreenAction,
    proposal: Proposal,
    report: PageReport,
  ): Promise<Target | null> {
    if (action === proposal.action) return report.target;
    const point = actionPoint(action);
    return point ? (await readPage(page, point)).target : null;
  }

  /** Tracks what the brain or a gate typed and submitted. */
  #noteForm(
    action: ScreenAction,
    { focused }: PageReport,
    target: Target | null,
    substitution: Substitution | null,
  ): void {
    if (substitution) substitution.performed?.();
    else if (action.type === 'type_text') {
      const field = target?.field ?? focused;
      if (field) this.forms.noteTyped(action.text, field);
    }
    if (
      (isReturn(action) && focused) ||
      (isClick(action) && (target?.submits || target?.role === 'button'))
    )
      this.forms.submitted = true;
  }

  #warning(
    action: ScreenAction,
    { reasoning = '' }: Proposal,
    target: Target | null,
    before: Look,
    after: Look,
  ): string | null {
    if (this.off.has('perceptual-diff') || !isHighRiskAction(action, target, reasoning))
      return null;
    this.perceptual.checked++;
    const missing = missingEffect(action, before, after, this.#eyes.noise);
    if (missing) this.perceptual.no_effect++;
    return missing;
  }

  #nudge(): string | undefined {
    if (this.#loop === 'none' || !this.#look) return undefined;
    return nudge(this.#samples, this.#count, this.#look.page, this.forms);
  }
}

const isAgain = (one: ScreenAction, other: ScreenAction): boolean =>
  (isClick(one) && isClick(other)) || describeAction(one) === describeAction(other);

function isUnverifiedClaim(situation: GateSituation): boolean {
  const { action } = situation.proposal;
  return (
    action.type === 'done' &&
    action.success &&
    !situation.off.has('done-gate') &&
    isUnverified(situation, action.summary)
  );
}

/**
 * The feedback on a loop: the focused field and what to do with it, or the repeated action and
 * alternatives.
 */
function nudge(
  samples: readonly Sample[],
  count: number,
  page: PageReport,
  forms: FormController,
): string {
  const { focused, wall, busy, hiddenFocus } = page;
  const last = samples.at(-1);
  if (!last) return '';
  const what = `${count} actions in a row (the last: ${describeAction(last.action)}) brought nothing new`;
  if (wall)
    return `${what}. This page requires human verification. Do not try to bypass it: stop, and report that a human is needed.`;
  if (busy) return `${what}. The page is still loading: wait for it before you do anything else.`;
  if (last.target?.opaque || hiddenFocus)
    return `${what}. The target is a frame or a widget whose content is not accessible: type into it, or move in it with the keyboard, and check what changes.`;
  if (focused) {
    const name =
      focused.label ||
      focused.placeholder ||
      focused.accessible ||
      focused.name ||
      focused.id ||
      focused.type;
    const still =
      forms.missing.length > 0
        ? ` Still to be typed: ${forms.missing.map((label) => `"${label}"`).join(', ')}.`
        : '';
    const known = forms.match(focused) !== null;
    const fill = known
      ? 'The runner types its value when you click it once'
      : focused.empty
        ? 'Type into it now'
        : 'Select all of it (Control+A) and type';
    const elsewhere =
      last.target && !last.target.focused
        ? ' What you click does not react.'
        : ' Clicking it again does nothing.';
    return `${what}. The field "${name}" has the focus.${elsewhere} ${fill}, or press Tab to get to the next field.${still}`;
  }
  const cover =
    last.target && !last.target.interactive && last.target.cover
      ? ` At that point lies "${last.target.cover}", which does not react.`
      : '';
  return `${what}.${cover} Do something of another kind: use the keyboard, scroll to look for another way, or say what is in the way.`;
}
