import type { Writable } from 'node:stream';
import { printable } from '@unrut/engine/text/printable';
import { counted } from '@unrut/ledger/report/figures';
import { paintFor } from '@unrut/ledger/text/paint';
import type { RunResult } from '@unrut/tasks/run/end-run';
import type { RunSettings } from '@unrut/tasks/run/run-settings';
import type { RunState } from '@unrut/tasks/run/run-state';
import { runTotals } from './run-totals.ts';

/** The terminal output of a run: the agent's own output, with lines about progress in between. */
export interface RunScreen {
  /** Resolves when there is room for more. */
  show(text: string, from: 'stdout' | 'stderr'): Promise<void>;
  say(line: string): void;
}

export interface RunScreenOptions {
  /** Standard output is left to what programs read. */
  isApart: boolean;
  /** Receives messages for the log. */
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

/**
 * A report as a person reads it on a terminal: without Markdown, and without the signature, which
 * `unrut explain` explains.
 */
export const plainReport = (report: string): string =>
  report
    .replace(/^\*\*Signature\*\*: .*\n/m, '')
    .replaceAll(/^## /gm, '')
    .replaceAll(/\*\*(.+?)\*\*/g, '$1');

/** A slow reader makes the agent wait, instead of filling the memory. */
function written(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve) => {
    stream.write(text, () => resolve());
  });
}

/** Iteration, time, cost, signals. */
export function progressLine(
  { iteration, spent, cost, signals }: RunState,
  { maxIterations, maxRuntime, maxCost }: RunSettings,
): string {
  const totals = runTotals({ milliseconds: spent, cost, signals }, { maxRuntime, maxCost });
  return [`iteration ${iteration} of ${maxIterations}`, ...totals].join(' · ');
}

/** How it ended, and which commands are next. */
export function summaryLines(
  run: string,
  { ending, reason }: RunResult,
  { iteration, spent, cost, signals }: RunState,
): string[] {
  const totals = [
    counted(iteration, 'iteration'),
    ...runTotals({ milliseconds: spent, cost, signals }),
  ];
  // If a limit was reached, the reason already says how to continue.
  const goOn = ending === 'limit' || ending === 'done' ? [] : ['Resume: unrut run --resume'];
  return [
    `${ENDED[ending]} after ${totals.join(', ')}. ${reason}`,
    ...lookAt(run, ending, signals),
    ...goOn,
  ];
}

/** Which commands tell more of a run that has ended; one that waits for a human need not loop. */
export function lookAt(run: string, ending: string | null, signals: number): string[] {
  const why =
    ending === 'loop' || (ending === 'escalated' && signals > 0)
      ? [`Explain the loop: unrut explain --run ${run}`]
      : [];
  return [`Show what happened: unrut show ${run}`, ...why];
}

/** How runs end, in words. */
export const ENDED: Readonly<Record<RunResult['ending'], string>> = {
  done: 'Done',
  limit: 'Stopped at a limit',
  loop: 'Stopped in a loop',
  escalated: 'Waiting for a human',
  interrupted: 'Interrupted',
};
