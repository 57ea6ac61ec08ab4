import { detectorNamed, isAdvice } from '../detectors/index.ts';
import type { Guard, Verdict } from '../guard.ts';
import { type Imported, isStep } from '../importers/source.ts';
import { redact } from '../redact/redact.ts';
import type { Signal } from '../signal.ts';
import { createLoops, type Found } from './loops.ts';
import { createMeter } from './meter.ts';
import { createOrdinals } from './ordinals.ts';
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
  /** Events that the guard refused. */
  faults(): number;
  report(about: Pick<Trajectory, 'id' | 'file' | 'format' | 'skipped'>): Trajectory;
}

/** Follows one run through the guard, and puts together what was found. Steps are counted as they come; the report calls them what the source does. */
export function createRunScan(guard: Guard, { detectors, minStrength = 0 }: Wanted): RunScan {
  const loops = createLoops();
  const recent = createRecentSteps();
  const signals: SignalAt[] = [];
  const ordinals = createOrdinals();
  const clock = createStepClock();
  const tokens = createMeter();
  const usd = createMeter();
  const timeline: string[] = [];
  const times: { from?: number; to?: number } = {};
  let faults = 0;

  return {
    see({ step: index, event, timed }) {
      const verdict = guard.observe(event);
      if (verdict.faults.some(({ where }) => where === 'event')) faults++;
      const step = ordinals.of(index, isStep(event));
      clock.set(verdict.step, step);
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
      if (mark !== null) {
        timeline[step] = mark;
        recent.add({ step, event, verdict, at: timed ? event.at : undefined });
      }
      judge(step, verdict);
    },
    faults: () => faults,
    report(about) {
      const found = loops.take().map(inSource);
      const wasted = [...new Set(found.filter(({ loop }) => !loop.light).flatMap(({ steps }) => steps))];
      const [allTokens, allUsd] = [tokens.total(), usd.total()];
      return {
        ...about,
        steps: ordinals.count(),
        ...times,
        ...(allTokens === undefined ? {} : { tokens: allTokens }),
        ...(allUsd === undefined ? {} : { usd: allUsd }),
        ...costOf(wasted),
        wastedSteps: wasted.length,
        loops: found.map(({ loop }) => loop),
        signals: signals.sort((one, other) => one.step - other.step).map((signal) => ({ ...signal, step: ordinals.index(signal.step) })),
        timeline: Array.from({ length: ordinals.count() }, (_, step) => timeline[step] ?? '?').join(''),
      };
    },
  };

  /** A loop in the source's words, and the ordinals of its wasted steps: those after its first lap. */
  function inSource({ lap, ...found }: Found): { loop: Loop; steps: number[] } {
    const steps = Array.from({ length: Math.max(0, found.end - found.start + 1 - lap) }, (_, i) => found.start + lap + i);
    const named = <Each extends { step: number }>(each: Each): Each => ({ ...each, step: ordinals.index(each.step) });
    const loop: Loop = {
      ...found,
      start: ordinals.index(found.start),
      firedAt: ordinals.index(found.firedAt),
      end: ordinals.index(found.end),
      plans: found.plans.map(named),
      repeats: found.repeats.map(named),
      wastedSteps: steps.length,
      ...costOf(steps),
    };
    return { loop, steps };
  }

  /** What these steps cost, as far as the source tells. */
  function costOf(wasted: readonly number[]): { wastedTokens?: number; wastedUsd?: number } {
    return {
      ...(tokens.total() === undefined ? {} : { wastedTokens: tokens.at(wasted) }),
      ...(usd.total() === undefined ? {} : { wastedUsd: usd.at(wasted) }),
    };
  }

  /** A detector's words, with the step where it all began called as the source does. */
  function wordsOf({ detector: name, text, evidence }: Signal): string {
    const { first } = evidence.facts;
    const detector = detectorNamed(name);
    if (!detector || typeof first !== 'number') return text;
    const facts = { ...evidence.facts, first: ordinals.index(clock.of(first, Number.POSITIVE_INFINITY)) };
    return redact(detector.explain({ ...evidence, facts }));
  }

  function judge(step: number, { signals: raised, plan }: Verdict): void {
    const streaks = new Set<string>();
    const inWords = (text: string): string => clock.inText(text, ordinals.index);
    clock.hear(raised);
    for (const signal of raised) {
      const { detector, variant, rung, strength } = signal;
      // What a nested agent does is reported where it happened.
      if (signal.agent !== undefined || strength < minStrength || (detectors && !detectors.includes(detector))) continue;
      if (signals.length < MOST_SIGNALS) signals.push({ detector, variant, step, rung, strength });
      const start = clock.of(signal.since, step);
      const startAfter = (after: number): number => (after < start ? start : (recent.firstSince(after + 1) ?? step));
      loops.signal({ ...signal, text: wordsOf(signal) }, step, startAfter, isAdvice(signal));
      streaks.add(signal.streak);
    }
    if (plan) loops.plan({ ...plan, toModel: inWords(plan.toModel), toHuman: inWords(plan.toHuman) }, step);
    if (streaks.size === 0) return;
    const repeats = recent.repeatsSince(Math.min(...raised.map(({ since }) => clock.of(since, step))));
    for (const streak of streaks) loops.repeats(streak, repeats);
  }
}

/** The step's character in the timeline; null for an event that is no step of its own. */
function markOf({ seen }: Verdict): string | null {
  switch (seen?.type) {
    case 'user-spoke':
      return 'u';
    case 'text-added':
      return seen.text?.channel === 'answer' ? 'm' : null;
    case 'output-finished':
      return 'm';
    case 'task-attempted':
      return 'n';
    case 'idle':
      return 'w';
    case 'call-proposed':
    case 'action-proposed':
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
