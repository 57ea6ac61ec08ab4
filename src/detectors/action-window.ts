import type { ActionPrint } from '../fingerprint/action.ts';
import { push } from '../recent.ts';
import { type Detector, defineDetector } from './detector.ts';

/** An executed action and the state of the screen after it. */
export interface Sample extends Pick<ActionPrint, 'kind' | 'key' | 'points' | 'tolerance' | 'target' | 'state'> {
  /** The key of the action as a call. */
  call: string;
}

interface State {
  samples: Sample[];
  planStep: string;
  /** Length of the loop that is going on, and the step at which it began. */
  running: number;
  since: number;
}

export interface WindowOptions {
  /** Actions that make a loop. */
  window: number;
  /** Actions that make a loop which nothing broke. */
  hard: number;
  /** Varied actions widen the windows, monotonous ones narrow the hard one, and a state that goes forward is no loop. */
  adaptive: boolean;
}

/** One shape of a loop on a screen. */
export interface Shape {
  name: string;
  /** Whether these actions, which fill the window, are a loop. */
  isLoop(samples: readonly Sample[]): boolean;
  explain: Detector['explain'];
  moves: readonly string[];
}

const WIDER = 2;
const NARROWER = 1;

/** A detector that looks at the last executed actions through a window. Its variants: `soft`, and `hard` for the larger window. */
export const defineShape = ({ name, isLoop, explain, moves }: Shape): Detector =>
  defineDetector<State, WindowOptions>({
    name,
    status: 'trial',
    watches: ['action-finished'],
    alsoNeutral: ['wait'],
    rungs: { first: 'note', highest: 'note' },
    options: { window: 3, hard: 8, adaptive: true },
    start: () => ({ samples: [], planStep: '', running: 0, since: 0 }),

    step(state, seen, options) {
      const { action, call } = seen;
      if (!action || !call) return null;
      const { planStep, ...print } = action;
      if (planStep !== state.planStep) Object.assign(state, { samples: [], planStep, running: 0 });
      push(state.samples, { ...print, call: call.key }, Math.max(options.window, options.hard) + WIDER);
      const { soft, hard } = windows(state.samples, options);
      if (!holds(state.samples, soft, isLoop) || (options.adaptive && isForward(state.samples.slice(-options.window)))) {
        state.running = 0;
        return null;
      }
      if (state.running === 0) state.since = seen.step - soft + 1;
      state.running = state.running === 0 ? soft : state.running + 1;
      const looping = state.samples.slice(-soft);
      return {
        variant: holds(state.samples, hard, isLoop) ? 'hard' : 'soft',
        count: state.running,
        since: state.since,
        keys: [...new Set(looping.map((sample) => sample.call))],
        ...(call.target === null ? {} : { target: call.target }),
        strength: looping.every((sample) => sample.state !== null) ? 0.8 : 0.5,
        facts: { action: call.label },
      };
    },

    explain,
    moves,
  });

const holds = (samples: readonly Sample[], window: number, isLoop: Shape['isLoop']): boolean =>
  samples.length >= window && isLoop(samples.slice(-window));

function windows(samples: readonly Sample[], { window, hard, adaptive }: WindowOptions): { soft: number; hard: number } {
  const last = samples.slice(-window);
  if (!adaptive || last.length < window) return { soft: window, hard };
  if (isVaried(last) || isForward(last)) return { soft: window + WIDER, hard: hard + WIDER };
  return { soft: window, hard: new Set(last.map(({ kind }) => kind)).size === 1 ? hard - NARROWER : hard };
}

/** Each action left a state that none before it had. */
const isForward = (samples: readonly Sample[]): boolean =>
  samples.every(({ state }) => state !== null) && new Set(samples.map(({ state }) => state)).size === samples.length;

const isVaried = (samples: readonly Sample[]): boolean =>
  samples.every((sample, i) => samples.slice(0, i).every((other) => other.key !== sample.key && !isSameSpot(other, sample)));

/** Clicks or drags at points that lie within the first one's tolerance, on the same thing as far as the page tells. */
export function isSameSpot(first: Sample, other: Sample): boolean {
  if ((first.kind !== 'click' && first.kind !== 'drag') || other.kind !== first.kind) return false;
  if (first.points.length === 0 || other.points.length !== first.points.length) return false;
  if (first.target !== '' && other.target !== '' && first.target !== other.target) return false;
  return first.points.every(([x, y], i) => {
    const [otherX, otherY] = other.points[i]!;
    return Math.abs(otherX - x) <= first.tolerance && Math.abs(otherY - y) <= first.tolerance;
  });
}
