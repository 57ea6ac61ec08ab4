import type { ActionFinished, AgentEvent } from '../event.ts';
import type { GuardOptions, Verdict } from '../guard.ts';
import { hash64 } from '../hash.ts';
import { recommended, without } from '../presets.ts';
import { maskAction, type Proposal } from './action.ts';
import type { Look } from './eyes.ts';
import type { ScreenLoop } from './gates/gate.ts';
import type { Target } from './page-report.ts';
import type { Switch } from './switches.ts';

/** The detectors that look at screens. */
const SHAPES = ['repeated-action', 'drifting-click', 'frozen-screen'] as const;
/** Executed actions that make a loop, as the detectors have it. */
export const SOFT_WINDOW = 3;

/** Whatever watches the executed actions: a guard, or one that keeps a record in a ledger. */
export interface Watcher {
  observe(event: AgentEvent): Verdict | Promise<Verdict>;
}

/** Options for a guard of screens: a repeated action is looked at by the detectors of screens, and not as a call as well. */
export const screenGuardOptions = (off: ReadonlySet<Switch> = new Set()): GuardOptions => ({
  preset: without(recommended, 'repeated-call'),
  can: ['note', 'hint', 'substitute', 'escalate', 'stop'],
  options: Object.fromEntries(SHAPES.map((name) => [name, { adaptive: !off.has('adaptive-window') }])),
});

/** What the guard says about an executed action. */
export interface ScreenJudgement {
  loop: ScreenLoop;
  /** How many actions the loop has. */
  count: number;
  /** What another detector has to say, such as one for actions in turns. */
  plan: Verdict['plan'];
}

/** Shows the guard an executed action and the state after it. Nothing typed is in the event. */
export async function judge(
  guard: Watcher,
  executed: { session: string; at: number; proposal: Proposal; target: Target | null; look: Look; planStep: number },
): Promise<ScreenJudgement> {
  const { session, at, proposal, target, look, planStep } = executed;
  const action = maskAction(proposal.action);
  const digest = proposal.action.type === 'type_text' ? { digest: hash64(proposal.action.text, hashSeed(session)) } : {};
  const { page } = look;
  const event: ActionFinished = {
    type: 'action-finished',
    session,
    at,
    action: { ...action, ...digest, ...(proposal.reasoning === undefined ? {} : { reasoning: proposal.reasoning }) },
    ...(target && (target.role || target.name) ? { target: { role: target.role, name: target.name } } : {}),
    screen: { url: page.url, frame: look.frame.hash, detail: look.detail, viewport: page.viewport },
    planStep,
  };
  const { signals, plan } = await guard.observe(event);
  const shapes = signals.filter(({ detector }) => SHAPES.some((name) => name === detector));
  const loop = shapes.some(({ variant }) => variant === 'hard') ? 'hard' : shapes.length > 0 ? 'soft' : 'none';
  return { loop, count: Math.max(0, ...shapes.map(({ count }) => count)), plan };
}

/** Equal values are equal within a run, and say nothing outside of it. */
const hashSeed = (session: string): number => {
  let seed = 7;
  for (let i = 0; i < session.length; i++) seed = Math.imul(seed ^ session.charCodeAt(i), 0x01000193);
  return seed;
};
