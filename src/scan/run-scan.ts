import { isAdvice } from '../detectors/index.ts';
import type { Guard, Verdict } from '../guard.ts';
import type { Imported } from '../importers/source.ts';
import { createLoops, lapOf } from './loops.ts';
import { createMeter, WIDEST_GAP } from './meter.ts';
import { createRecentSteps } from './recent-steps.ts';
import type { Loop, SignalAt, Trajectory } from './report.ts';
import { createStepClock } from './step-clock.ts';

/** What of the findings is wanted. */
export interface Wanted {
  /** Only what these detectors see. */
  detectors?: readonly string[];
  /** Only what is at least this sure, 0..1. */
  minStrength?: number;
}

/** More signals of one run are counted, not listed: a run that chants for a million steps would be nothing else. */
const MOST_SIGNALS = 100_000;

export interface RunScan {
  see(imported: Imported): void;
  report(about: Pick<Trajectory, 'id' | 'file' | 'format' | 'skipped'>): Trajectory;
}

/** Follows one run through the guard, and puts together what was found. */
export function createRunScan(guard: Guard, { detectors, minStrength = 0 }: Wanted): RunScan {
  const loops = createLoops();
  const recent = createRecentSteps();
  const signals: SignalAt[] = [];
  const clock = createStepClock();
  const tokens = createMeter();
  const usd = createMeter();
  const timeline: string[] = [];
  const times: { from?: number; to?: number } = {};
  let count = 0;
  let highest = -1;

  return {
    see(imported) {
      const { step, event, timed } = imported;
      const verdict = guard.observe(event);
      clock.set(verdict.step, step);
      if (
        step > highest &&
        (event.type === 'user-spoke' || event.type.startsWith('call') || (event.type === 'text-added' && event.channel === 'answer'))
      ) {
        highest = step;
        count++;
      }
      if (timed) {
        times.from ??= event.at;
        times.to = event.at;
      }
      tokens.reach(step);
      usd.reach(step);
      const isWhole = event.type === 'session-ended';
      tokens[isWhole ? 'spendInAll' : 'spend'](event.cost?.tokens);
      usd[isWhole ? 'spendInAll' : 'spend'](event.cost?.usd);
      const mark = markOf(verdict);
      if (mark !== null && step - timeline.length < WIDEST_GAP) {
        while (timeline.length < step) timeline.push(' ');
        timeline[step] = mark;
      }
      if (mark !== null) recent.add({ step, event, verdict, at: timed ? event.at : undefined });
      judge(step, verdict);
    },
    report(about) {
      const found = loops.take();
      const wasted = wastedSteps(found);
      for (const loop of found) Object.assign(loop, costOf(wastedSteps([{ ...loop, light: false }])));
      const [allTokens, allUsd] = [tokens.total(), usd.total()];
      return {
        ...about,
        steps: count,
        ...times,
        ...(allTokens === undefined ? {} : { tokens: allTokens }),
        ...(allUsd === undefined ? {} : { usd: allUsd }),
        ...costOf(wasted),
        wastedSteps: wasted.length,
        loops: found,
        signals,
        timeline: timeline.join(''),
      };
    },
  };

  /** What these steps cost, as far as the source tells. */
  function costOf(wasted: readonly number[]): { wastedTokens?: number; wastedUsd?: number } {
    return {
      ...(tokens.total() === undefined ? {} : { wastedTokens: tokens.at(wasted) }),
      ...(usd.total() === undefined ? {} : { wastedUsd: usd.at(wasted) }),
    };
  }

  function judge(step: number, { signals: raised, plan }: Verdict): void {
    const streaks = new Set<string>();
    for (const signal of raised) {
      const { detector, variant, rung, strength } = signal;
      // What a nested agent does is reported where it happened.
      if (signal.agent !== undefined || strength < minStrength || (detectors && !detectors.includes(detector))) continue;
      if (signals.length < MOST_SIGNALS) signals.push({ detector, variant, step, rung, strength });
      const start = clock.of(signal.since, step);
      const startAfter = (after: number): number => (after < start ? start : (recent.firstSince(after + 1) ?? step));
      loops.signal({ ...signal, text: clock.inText(signal.text) }, step, startAfter, isAdvice(signal));
      streaks.add(signal.streak);
    }
    if (plan) loops.plan({ ...plan, toModel: clock.inText(plan.toModel), toHuman: clock.inText(plan.toHuman) }, step);
    if (streaks.size === 0) return;
    const repeats = recent.repeatsSince(Math.min(...raised.map(({ since }) => clock.of(since, step))));
    for (const streak of streaks) loops.repeats(streak, repeats);
  }
}

/** Each step once, though several loops may lie over it. */
function wastedSteps(loops: readonly Loop[]): number[] {
  const wasted = new Set<number>();
  for (const loop of loops) if (!loop.light) for (let step = loop.start + lapOf(loop); step <= loop.end; step++) wasted.add(step);
  return [...wasted];
}

/** The step's character in the timeline; null for an event that is no step of its own. */
function markOf({ seen }: Verdict): string | null {
  switch (seen?.type) {
    case 'user-spoke':
      return 'u';
    case 'text-added':
      return seen.text?.channel === 'answer' ? 'm' : null;
    case 'call-proposed':
      return '?';
    case 'call-finished':
    case 'action-finished':
      if (seen.neutral === 'wait' || seen.neutral === 'poll') return 'w';
      if (!seen.result?.known) return '?';
      if (seen.result.error) return 'e';
      return seen.progress || seen.neutral === 'reread' ? 'n' : '-';
    default:
      return null;
  }
}
