import { createHmac } from 'node:crypto';
import type { Detector } from '@unrut/engine/detectors/detector';
import type { AgentEvent, Json } from '@unrut/engine/event';
import type { GuardOptions, Verdict } from '@unrut/engine/guard';
import { present } from '@unrut/engine/json';
import type { Plan } from '@unrut/engine/policy/plan';
import { recommended, without } from '@unrut/engine/presets';
import { defineRecovery } from '@unrut/engine/recoveries/recovery';
import { sentence } from '@unrut/engine/recoveries/wording';
import { maskAction, type Proposal } from './action.ts';
import type { Look } from './eyes.ts';
import type { ScreenLoop, Substitution } from './gates/gate.ts';
import type { Target } from './page-report.ts';
import type { Switch } from './switches.ts';

/** The detectors that look at screens. */
const SHAPES: readonly string[] = ['repeated-action', 'drifting-click', 'frozen-screen'];
/** Executed actions that make a loop, as the detectors have it. */
export const SOFT_WINDOW = 3;

/** Whatever watches the executed actions: a guard, or one that keeps a record in a ledger. */
export interface Watcher {
  observe(event: AgentEvent): Verdict | Promise<Verdict>;
}

/**
 * What a runner does in place of an action that goes round: the runner knows the page, the policy
 * knows whether it is time.
 */
const forceAction = defineRecovery({
  name: 'force-action',
  rung: 'substitute',
  answers: SHAPES,
  needs: [],
  safety: 'reversible',
  options: {},
  plan: ({ proposed }) => proposed?.instead ?? null,
  toModel: ({ proposed }) => String(proposed?.instead?.why ?? ''),
  toHuman: ({ signal, proposed }) =>
    `${sentence(signal.text)}. Done instead: ${String(proposed?.instead?.reason ?? 'something else')}.`,
});

/**
 * A screen that stays the same after the same click is an equal result, however many pixels the
 * click has drifted.
 */
const forceful = (detector: Detector): Detector => ({
  ...detector,
  status: 'stable',
  rungs: { first: 'hint', highest: 'substitute' },
  step(state, seen, options) {
    const evidence = detector.step(state, seen, options);
    return evidence && { ...evidence, equal: true, trusted: true };
  },
});

/**
 * Options for a guard of screens: its detectors may also have an action replaced, right after they
 * have said what to try, and a repeated action is not looked at as a call as well.
 */
export function screenGuardOptions(off: ReadonlySet<Switch> = new Set()): GuardOptions {
  const preset = without(recommended, 'repeated-call');
  return {
    preset: {
      ...preset,
      detectors: preset.detectors.map((detector) =>
        SHAPES.includes(detector.name) ? forceful(detector as Detector) : detector,
      ),
      recoveries: [...preset.recoveries, forceAction],
    },
    can: ['note', 'hint', 'substitute', 'escalate', 'stop'],
    options: Object.fromEntries(
      SHAPES.map((name) => [name, { adaptive: !off.has('adaptive-window') }]),
    ),
  } as GuardOptions;
}

/** What the guard says about an executed action. */
export interface ScreenJudgement {
  loop: ScreenLoop;
  /** How many actions the loop has. */
  count: number;
  /** What another detector has to say, such as one for actions in turns. */
  plan: Plan | null;
}

/** One step of one session, as the guard is told of it. */
export interface ToldStep {
  session: string;
  at: number;
  proposal: Proposal;
  target: Target | null;
  look: Look;
  planStep: number;
  /** Random, one for each run. */
  key: string;
}

/** From this length on a text is not found again by trying all. */
const LONG_ENOUGH = 8;

/**
 * Equal texts are equal within a run, and say nothing outside of it; of short ones only the length
 * is told.
 */
const digestOf = (text: string, key: string): { digest?: string } =>
  text.length < LONG_ENOUGH
    ? {}
    : { digest: createHmac('sha256', key).update(text).digest('base64url').slice(0, 12) };

/** What is told of a step, proposed or executed. Nothing typed is in it. */
function told({ session, at, proposal, target, look, planStep, key }: ToldStep) {
  const { action, reasoning } = proposal;
  const { page } = look;
  return {
    session,
    at,
    action: {
      ...maskAction(action),
      ...(action.type === 'type_text' ? digestOf(action.text, key) : {}),
      ...present({ reasoning }),
    },
    ...(target && (target.role || target.name)
      ? { target: { role: target.role, name: target.name } }
      : {}),
    screen: { url: page.url, frame: look.frame.hash, detail: look.detail, viewport: page.viewport },
    planStep,
  };
}

/**
 * Announces an action, and what the gates would rather do. Gives the plan to do that, when the
 * policy agrees.
 */
export async function announce(
  guard: Watcher,
  step: ToldStep,
  substitution: Substitution | null,
): Promise<Plan | null> {
  const instead = substitution && {
    gate: substitution.gate,
    reason: substitution.reason,
    why: substitution.why,
    action: { ...maskAction(substitution.action) } as { [name: string]: Json },
  };
  const { plan } = await guard.observe({
    type: 'action-proposed',
    ...told(step),
    ...(instead ? { instead } : {}),
  });
  return plan?.rung === 'substitute' ? plan : null;
}

/** Shows the guard an executed action and the state after it. */
export async function judge(guard: Watcher, step: ToldStep): Promise<ScreenJudgement> {
  const { signals, plan } = await guard.observe({ type: 'action-finished', ...told(step) });
  const shapes = signals.filter(({ detector }) => SHAPES.includes(detector));
  const loop = shapes.some(({ variant }) => variant === 'hard')
    ? 'hard'
    : shapes.length > 0
      ? 'soft'
      : 'none';
  return { loop, count: Math.max(0, ...shapes.map(({ count }) => count)), plan };
}
