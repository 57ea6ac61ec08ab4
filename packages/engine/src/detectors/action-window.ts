import type { ActionPrint } from '../fingerprint/action.ts';
import type { ValuesOf } from '../option.ts';
import * as option from '../option-kinds.ts';
import { type Detector, defineDetector } from './detector.ts';

interface State {
  /** Length of the current loop in actions, and the step at which it began. */
  running: number;
  since: number;
}

const OPTIONS = {
  window: option.integer(3, { from: 2 }, 'Actions in a row that make a loop.'),
  hard: option.integer(8, { from: 2 }, 'Actions in a row that make a persistent loop.'),
  adaptive: option.flag(
    true,
    'Varied actions widen both windows, monotonous ones narrow the hard one, and actions that reach new states are no loop.',
  ),
};
type WindowOptions = ValuesOf<typeof OPTIONS>;

/** One kind of loop on a screen. */
export interface Shape<Name extends string> {
  name: Name;
  /** Whether these actions, which fill the window, are a loop. */
  isLoop(actions: readonly ActionPrint[]): boolean;
  explain: Detector['explain'];
  moves: readonly string[];
}

const WIDER = 2;
const NARROWER = 1;

/**
 * A detector that looks at a window of the last executed actions. Its variants are `soft`, and
 * `hard` for the larger window.
 */
/* @__NO_SIDE_EFFECTS__ */
export const defineShape = <const Name extends string>({
  name,
  isLoop,
  explain,
  moves,
}: Shape<Name>) =>
  defineDetector({
    name,
    status: 'trial',
    watches: ['action-finished'],
    alsoNeutral: ['wait'],
    rungs: { first: 'note', highest: 'note' },
    options: OPTIONS,
    start: (): State => ({ running: 0, since: 0 }),

    step(state, seen, options) {
      const { actions, call } = seen;
      if (!actions || !call) return null;
      const { soft, hard } = windows(actions, options);
      if (
        !holds(actions, soft, isLoop) ||
        (options.adaptive && isForward(actions.slice(-options.window)))
      ) {
        state.running = 0;
        return null;
      }
      if (state.running === 0) state.since = seen.step - soft + 1;
      state.running = state.running === 0 ? soft : state.running + 1;
      const looping = actions.slice(-soft);
      return {
        variant: holds(actions, hard, isLoop) ? 'hard' : 'soft',
        count: state.running,
        since: state.since,
        keys: [...new Set(looping.map((action) => action.call))],
        ...(call.target === null ? {} : { target: call.target }),
        strength: looping.every((action) => action.state !== null) ? 0.8 : 0.5,
        facts: { action: call.label },
      };
    },

    explain,
    moves,
  });

const holds = (
  actions: readonly ActionPrint[],
  window: number,
  isLoop: Shape<string>['isLoop'],
): boolean => actions.length >= window && isLoop(actions.slice(-window));

function windows(
  actions: readonly ActionPrint[],
  { window, hard, adaptive }: WindowOptions,
): { soft: number; hard: number } {
  const last = actions.slice(-window);
  if (!adaptive || last.length < window) return { soft: window, hard };
  if (isVaried(last) || isForward(last)) return { soft: window + WIDER, hard: hard + WIDER };
  return {
    soft: window,
    hard: new Set(last.map(({ kind }) => kind)).size === 1 ? hard - NARROWER : hard,
  };
}

/** Each action led to a state that no other of these actions led to, and all states are known. */
const isForward = (actions: readonly ActionPrint[]): boolean =>
  actions.every(({ state }) => state !== null) &&
  new Set(actions.map(({ state }) => state)).size === actions.length;

const isVaried = (actions: readonly ActionPrint[]): boolean =>
  actions.every((action, i) =>
    actions.slice(0, i).every((other) => other.key !== action.key && !isSameSpot(other, action)),
  );

/**
 * Whether both are clicks, or both drags, at points within the first one's tolerance, and on the
 * same element if the page names both.
 */
export function isSameSpot(first: ActionPrint, other: ActionPrint): boolean {
  if ((first.kind !== 'click' && first.kind !== 'drag') || other.kind !== first.kind) return false;
  if (first.points.length === 0 || other.points.length !== first.points.length) return false;
  if (first.target !== '' && other.target !== '' && first.target !== other.target) return false;
  return first.points.every(([x, y], i) => {
    const [otherX, otherY] = other.points[i]!;
    return Math.abs(otherX - x) <= first.tolerance && Math.abs(otherY - y) <= first.tolerance;
  });
}
