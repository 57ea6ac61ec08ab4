import { resolve } from 'node:path';
import type { Ledger } from '../ledger/ledger.ts';
import { counted } from '../report/figures.ts';
import { printable } from '../report/printable.ts';
import { findRun } from '../run/find-run.ts';
import { roadmapStatus } from '../tasks/index.ts';
import { isAlive } from '../tasks/runner.ts';
import { EXIT } from './exit.ts';
import { type RunArguments, readRunArguments } from './run-arguments.ts';
import { readRoadmapFile } from './run-roadmap-file.ts';

/** `unrut run status`: where a run stands, the latest of this folder unless one is named. Returns the exit code. */
export async function runStatus(ledger: Ledger, { operands: [, name], values }: RunArguments, folder: string): Promise<number> {
  const { run, state } = await findRun(ledger, { name, folder });
  const running = state.runner !== null && isAlive(state.runner);
  const { ending, reason, iteration, cost, tried } = state;
  const [file] = readRunArguments(state.args).operands;
  const common = { run, running, ending, reason, file };
  const status =
    state.kind === 'roadmap'
      ? { ...common, ...(await roadmapStatus(ledger, run, readRoadmapFile(resolve(state.folder, file!)).tasks)), running }
      : { ...common, tickCount: iteration, loopDetection: await attemptsAt(ledger, run, file!, iteration), cost, tried };
  if (values.json) console.log(JSON.stringify(status, null, 2));
  else for (const line of words(status)) console.log(printable(line));
  return EXIT.ok;
}

type LoopDetection = Record<string, { attemptCount: number; lastAttempt: number }>;

/** One prompt is one task. */
async function attemptsAt(ledger: Ledger, run: string, file: string, attemptCount: number): Promise<LoopDetection> {
  const [last] = await ledger.entries({ session: run, kind: 'event', last: 1 });
  return attemptCount === 0 ? {} : { [file]: { attemptCount, lastAttempt: last?.at ?? 0 } };
}

interface Status {
  run: string;
  running: boolean;
  ending: string | null;
  reason: string;
  tickCount: number;
  loopDetection: LoopDetection;
}

function words({ run, running, ending, reason, tickCount, loopDetection }: Status): string[] {
  const how = running ? 'running' : ending === null ? 'was cut off; unrut run --resume goes on' : `${ending}: ${reason}`;
  const tasks = Object.entries(loopDetection).map(
    ([task, { attemptCount, lastAttempt }]) =>
      `  ${task}: ${counted(attemptCount, 'attempt')}, the last at ${new Date(lastAttempt).toISOString()}`,
  );
  return [`${run}: ${how}`, counted(tickCount, 'tick'), ...tasks];
}
