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

/** The detectors for screens. */
const SHAPES: readonly string[] = ['repeated-action', 'drifting-click', 'frozen-screen'];
/** Number of executed actions that make a loop, as in the detectors. */
export const SOFT_WINDOW = 3;

/** Observes the executed actions: a guard, or a recorder with a ledger. */
export interface Watcher {
  observe(event: AgentEvent): Verdict | Promise<Verdict>;
}

/**
 * The recovery that replaces a looping action. The runner knows the page; the policy knows when.
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
 * An unchanged screen after the same click is an equal result, however far the click has drifted.
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
 * Guard options for screens: detectors may have an action replaced right after their first note,
 * and a repeated action is not also counted as a repeated call.
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

/** The guard's judgement of an executed action. */
export interface ScreenJudgement {
  loop: ScreenLoop;
  /** Number of actions in the loop. */
  count: number;
  /** The plan of another detector, such as the one for cycles. */
  plan: Plan | null;
}

/** One step of a session, as passed to the guard. */
export interface ToldStep {
  session: string;
  at: number;
  proposal: Proposal;
  target: Target | null;
  look: Look;
  planStep: number;
  /** A random key per run. */
  key: string;
}

/** Texts of this length or more cannot be recovered from a digest by brute force. */
const LONG_ENOUGH = 8;

/**
 * A digest by which texts can be compared within a run only. For short texts, just the length is
 * passed.
 */
const digestOf = (text: string, key: string): { digest?: string } =>
  text.length < LONG_ENOUGH
    ? {}
    : { digest: createHmac('sha256', key).update(text).digest('base64url').slice(0, 12) };

/** The event of a proposed or executed step, without typed text. */
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
 * Announces an action and the substitution that the gates propose. Returns the plan if the policy
 * agrees to it.
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

/** Passes an executed action and the state after it to the guard. */
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
