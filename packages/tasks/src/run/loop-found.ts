import type { Verdict } from '@unrut/engine/guard';
import { sentence } from '@unrut/engine/recoveries/wording';
import type { Signal } from '@unrut/engine/signal';
import { innerSignals } from '../task-store.ts';
import type { RunState, TriedIteration } from './run-state.ts';

/** A loop of iterations, in words for the report. */
export interface LoopFound {
  pattern: string;
  /** What the outputs have in common, if it has a name. */
  signature?: string;
  /** Number of iterations in the loop. */
  count: number;
  /** A sentence about the loop. */
  text: string;
}

/** Loops inside an iteration, as stored with it. */
export function innerOf(verdict: Verdict): TriedIteration['inner'] {
  const signals = innerSignals(verdict);
  const most = Math.max(...signals.map(({ strength }) => strength));
  const strongest = signals.findLast(({ strength }) => strength === most);
  return (
    strongest && {
      keys: [...new Set(signals.flatMap(({ evidence }) => evidence.keys))].slice(-MAX_KEYS),
      text: strongest.text,
    }
  );
}

const MAX_KEYS = 16;

/**
 * The loop that ends with this iteration: its output repeats, or every one of the last iterations
 * contained the same loop.
 */
export function loopFound(
  verdict: Verdict,
  { tried, since }: Pick<RunState, 'tried' | 'since'>,
  threshold: number,
): LoopFound | undefined {
  const own = verdict.signals.filter(({ agent }) => agent === undefined);
  const telling = (fact: string): Signal | undefined =>
    own.find(({ evidence }) => evidence.facts[fact] !== undefined);
  // What repeats is more specific than "nothing changed".
  const signal = telling('signature') ?? telling('every') ?? own[0];
  if (signal) {
    const { signature, every } = signal.evidence.facts;
    return {
      pattern:
        typeof signature === 'string'
          ? `Same output signature repeated ${signal.count} times`
          : sentence(signal.text),
      ...(typeof signature === 'string' ? { signature } : {}),
      count: 1 + (signal.count - 1) * (typeof every === 'number' ? every : 1),
      text: signal.text,
    };
  }
  const recent = tried
    .filter(({ iteration, wasCutOff }) => iteration > since && !wasCutOff)
    .slice(-threshold);
  const last = recent.at(-1)?.inner;
  if (recent.length < threshold || !last || recent.some(({ moved }) => moved)) return undefined;
  const isCommon = (key: string): boolean => recent.every(({ inner }) => inner?.keys.includes(key));
  if (!last.keys.some(isCommon)) return undefined;
  const text = `${threshold} iterations in a row were each looping on the same thing inside: ${last.text}`;
  return { pattern: sentence(text), count: threshold, text };
}
