import type { Guard, Verdict } from '../guard.ts';
import type { Imported } from '../importers/source.ts';
import { createLoops, lapOf } from './loops.ts';
import { createRecentSteps } from './recent-steps.ts';
import type { Loop, SignalAt, Trajectory } from './report.ts';

/** What of the findings is wanted. */
export interface Wanted {
  /** Only what these detectors see. */
  detectors?: readonly string[];
  /** Only what is at least this sure, 0..1. */
  minStrength?: number;
}

/** More signals of one run are counted, not listed: a run that chants for a million steps would be nothing else. */
const MOST_SIGNALS = 100_000;
/** A source's own index that leaps further than this is not a place in a timeline. */
const WIDEST_GAP = 1000;

export interface RunScan {
  see(imported: Imported): void;
  report(about: Pick<Trajectory, 'id' | 'file' | 'format' | 'skipped'>): Trajectory;
}

/** Follows one run through the guard, and puts together what was found. */
export function createRunScan(guard: Guard, isLight: (detector: string) => boolean, { detectors, minStrength = 0 }: Wanted): RunScan {
  const loops = createLoops();
  const recent = createRecentSteps();
  const signals: SignalAt[] = [];
  /** The source's step by the guard's. */
  const steps: number[] = [];
  /** All that was spent before each of the source's steps. */
  const tokens: number[] = [];
  const usd: number[] = [];
  const spent = { tokens: 0, usd: 0, hasTokens: false, hasUsd: false };
  const timeline: string[] = [];
  const times: { from?: number; to?: number } = {};
  let count = 0;
  let highest = -1;

  return {
    see(imported) {
      const { step, event, timed } = imported;
      const verdict = guard.observe(event);
      steps[verdict.step] = step;
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
      while (tokens.length <= step && step - tokens.length < WIDEST_GAP) {
        tokens.push(spent.tokens);
        usd.push(spent.usd);
      }
      if (event.cost?.tokens !== undefined) {
        spent.tokens += event.cost.tokens;
        spent.hasTokens = true;
      }
      if (event.cost?.usd !== undefined) {
        spent.usd += event.cost.usd;
        spent.hasUsd = true;
      }
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
      const sum = (before: readonly number[], all: number) =>
        wasted.reduce((total, step) => total + (before[step + 1] ?? all) - (before[step] ?? all), 0);
      for (const loop of found) {
        const [from, to] = [loop.start + lapOf(loop), loop.end + 1];
        if (spent.hasTokens) loop.wastedTokens = (tokens[to] ?? spent.tokens) - (tokens[from] ?? spent.tokens);
        if (spent.hasUsd) loop.wastedUsd = cents((usd[to] ?? spent.usd) - (usd[from] ?? spent.usd));
      }
      return {
        ...about,
        steps: count,
        ...times,
        ...(spent.hasTokens ? { tokens: spent.tokens, wastedTokens: sum(tokens, spent.tokens) } : {}),
        ...(spent.hasUsd ? { usd: cents(spent.usd), wastedUsd: cents(sum(usd, spent.usd)) } : {}),
        wastedSteps: wasted.length,
        loops: found,
        signals,
        timeline: timeline.join(''),
      };
    },
  };

  /** The guard counts steps as it sees them; a reader of the source counts the source's. */
  function inSourceSteps(text: string): string {
    return text.replace(/\b((?:since|of|at) step )(\d+)\b/g, (_, words: string, step: string) => words + (steps[Number(step)] ?? step));
  }

  function judge(step: number, { signals: raised, plan }: Verdict): void {
    const streaks = new Set<string>();
    for (const signal of raised) {
      const { detector, variant, rung, strength } = signal;
      // What a nested agent does is reported where it happened.
      if (signal.agent !== undefined || strength < minStrength || (detectors && !detectors.includes(detector))) continue;
      if (signals.length < MOST_SIGNALS) signals.push({ detector, variant, step, rung, strength });
      const start = Math.min(steps[signal.since] ?? step, step);
      const startAfter = (after: number): number => (after < start ? start : (recent.firstSince(after + 1) ?? step));
      loops.signal({ ...signal, text: inSourceSteps(signal.text) }, step, startAfter, isLight(detector) || signal.evidence.cap === 'note');
      streaks.add(signal.streak);
    }
    if (plan) loops.plan({ ...plan, toModel: inSourceSteps(plan.toModel), toHuman: inSourceSteps(plan.toHuman) }, step);
    if (streaks.size === 0) return;
    const repeats = recent.repeatsSince(Math.min(...raised.map(({ since }) => steps[since] ?? step)));
    for (const streak of streaks) loops.repeats(streak, repeats);
  }
}

const cents = (usd: number): number => Math.round(usd * 1e6) / 1e6;

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
