import { isAdvice } from '../detectors/index.ts';
import { createGuard, type GuardOptions } from '../guard.ts';

import { presetIn } from './read-run.ts';
import { type Played, type Voiced, type WhatIfOptions, whatIf } from './what-if.ts';

/** Who spoke where in a replay. */
export interface Heard {
  step: number;
  detector: string;
  light: boolean;
}

export interface ReplayOptions {
  guard?: GuardOptions;
  /** The last step that is played. */
  upTo: number;
  /** Steps that are left out. */
  leftOut?: ReadonlySet<number>;
}

export interface Replayer {
  /** Plays the run under other settings; null when all that may be played has been. */
  replay(options: ReplayOptions): Heard[] | null;
  /** As `whatIf`, within the same bounds. */
  whatIf(options: WhatIfOptions): Voiced[] | null;
  /** Something was not tried for want of time. */
  readonly isSpent: boolean;
}

/** Events played in all replays together: some ten seconds. Beside many variants an event takes about three times as long. */
const MOST_PLAYED = 50_000;
const WHAT_IF_COSTS = 3;

/** Plays a run again and again, within bounds; only some detectors are listened to where they are given. */
export function createReplayer(run: Played, detectors?: readonly string[], most = MOST_PLAYED): Replayer {
  const { events } = run;
  let played = 0;
  let isSpent = false;
  function affords(count: number): boolean {
    const isAffordable = played + count <= most;
    if (isAffordable) played += count;
    else isSpent = true;
    return isAffordable;
  }
  return {
    replay({ guard: options, upTo, leftOut }) {
      const wanted = events.filter(({ step }) => step <= upTo && !leftOut?.has(step));
      if (!affords(wanted.length)) return null;
      const guard = createGuard({ ...options, preset: presetIn(run, options?.preset) });
      return wanted.flatMap(({ step, event }) =>
        guard
          .observe(event)
          .signals.filter(({ agent, detector }) => agent === undefined && (!detectors || detectors.includes(detector)))
          .map((signal) => ({ step, detector: signal.detector, light: isAdvice(signal) })),
      );
    },
    whatIf: (options) => (affords(events.length * WHAT_IF_COSTS) ? whatIf(run, options) : null),
    get isSpent() {
      return isSpent;
    },
  };
}
