import type { Writable } from 'node:stream';
import { counted } from '../report/figures.ts';
import { paintFor } from '../report/paint.ts';
import { printable } from '../report/printable.ts';
import type { RunResult } from '../run/end-run.ts';
import type { RunSettings } from '../run/run-settings.ts';
import type { RunState } from '../run/run-state.ts';

/** What a person sees of a run: what the agent prints, and between that a line on how far it is. */
export interface RunScreen {
  /** Resolves when there is room for more. */
  show(text: string, from: 'stdout' | 'stderr'): Promise<void>;
  say(line: string): void;
}

export interface RunScreenOptions {
  /** Standard output is left to what programs read. */
  isApart: boolean;
  /** Is given what is said, for the log. */
  log: (line: string) => void;
}

export function createRunScreen({ isApart, log }: RunScreenOptions): RunScreen {
  const { stdout, stderr } = process;
  const paint = paintFor(stderr);
  let isMidLine = false;
  return {
    async show(text, from) {
      if (text === '') return;
      isMidLine = !text.endsWith('\n');
      await written(from === 'stdout' && !isApart ? stdout : stderr, text);
    },
    say(line) {
      log(line);
      stderr.write(`${isMidLine ? '\n' : ''}${paint.bold(printable(`[unrut] ${line}`))}\n`);
      isMidLine = false;
    },
  };
}

/** A slow reader makes the agent wait, instead of filling the memory. */
function written(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve) => {
    stream.write(text, () => resolve());
  });
}

/** Iteration, time, cost, signals. */
export function progressLine({ iteration, spent, cost, signals }: RunState, { maxIterations, maxRuntime, maxCost }: RunSettings): string {
  const parts = [`iteration ${iteration} of ${maxIterations}`, `${timeText(spent)} of ${timeText(maxRuntime)}`, ...costText(cost, maxCost)];
  return [...parts, counted(signals, 'signal')].join(' · ');
}

/** How it ended, in two lines. */
export function summaryLines(run: string, { ending, reason }: RunResult, state: RunState): string[] {
  const parts = [counted(state.iteration, 'iteration'), timeText(state.spent), ...costText(state.cost), counted(state.signals, 'signal')];
  // At a limit the reason says how to go on.
  const goOn = ending === 'limit' ? '' : '   Go on with: unrut run --resume';
  const next = ending === 'done' ? [] : [`Look at it with: unrut show ${run}${goOn}`];
  return [`${WORDS[ending]} after ${parts.join(', ')}. ${reason}`, ...next];
}

const WORDS: Record<RunResult['ending'], string> = {
  done: 'Done',
  limit: 'Stopped at a limit',
  loop: 'Stopped in a loop',
  escalated: 'Waits for a person',
  interrupted: 'Interrupted',
};

function timeText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

function costText({ tokens, usd }: RunState['cost'], maxCost?: number): string[] {
  if (usd > 0 || maxCost !== undefined) return [`$${usd.toFixed(2)}${maxCost === undefined ? '' : ` of $${maxCost.toFixed(2)}`}`];
  return tokens > 0 ? [`${tokens} tokens`] : [];
}
