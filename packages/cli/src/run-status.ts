import { resolve } from 'node:path';
import { errorReason } from '@unrut/engine/redact/reason';
import { printable } from '@unrut/engine/text/printable';
import type { Ledger } from '@unrut/ledger/ledger';
import { counted } from '@unrut/ledger/report/figures';
import { type RoadmapTask, roadmapStatus } from '@unrut/tasks';
import { findRun } from '@unrut/tasks/run/find-run';
import { isAlive } from '@unrut/tasks/runner';
import { complain, EXIT } from './exit.ts';
import { printJson, type RunStanding } from './printed.ts';
import type { RunArguments } from './run-arguments.ts';
import { readRoadmapFile } from './run-roadmap-file.ts';
import { taskLine } from './run-roadmap-summary.ts';
import { lookAt } from './run-screen.ts';
import { runTotals } from './run-totals.ts';

/**
 * `unrut run status`: the status of a run; by default, of the latest in this folder. Returns the
 * exit code.
 */
export async function runStatus(
  ledger: Ledger,
  { operands: [, name], values }: RunArguments,
  folder: string,
): Promise<number> {
  const { run, state } = await findRun(ledger, { name, folder });
  const running = state.runner !== null && isAlive(state.runner);
  const { file, ending, reason, iteration, cost, spent: milliseconds, signals, tried } = state;
  const common = { run, running, ending, reason, file };
  const status: RunStanding =
    state.kind === 'roadmap'
      ? {
          ...common,
          ...(await roadmapStatus(ledger, run, tasksIn(resolve(state.folder, file)))),
          running,
        }
      : {
          ...common,
          tickCount: iteration,
          loopDetection: await attemptsAt(ledger, run, file!, iteration),
          cost,
          milliseconds,
          signals,
          tried,
        };
  if (values.json) printJson<'run-status'>(status, 2);
  else for (const line of words(status)) console.log(printable(line));
  return EXIT.ok;
}

type LoopDetection = RunStanding['loopDetection'];

/** One prompt is one task. */
async function attemptsAt(
  ledger: Ledger,
  run: string,
  file: string,
  attemptCount: number,
): Promise<LoopDetection> {
  const [last] = await ledger.entries({ session: run, kind: 'event', last: 1 });
  return attemptCount === 0 ? {} : { [file]: { attemptCount, lastAttempt: last?.at ?? 0 } };
}

/** A roadmap that cannot be read any more is no reason to say nothing. */
function tasksIn(file: string): readonly RoadmapTask[] {
  try {
    return readRoadmapFile(file).tasks;
  } catch (error) {
    complain(errorReason(error));
    return [];
  }
}

function words(status: RunStanding): string[] {
  const { run, running, ending, reason, loopDetection, tasks = [] } = status;
  const attempts = Object.values(loopDetection).reduce(
    (sum, { attemptCount }) => sum + attemptCount,
    0,
  );
  const how = running
    ? 'running'
    : ending === null
      ? 'was cut off; resume with unrut run --resume'
      : `${ending}: ${reason}`;
  const stands = new Map(tasks.map((task) => [task.id, taskLine(task)]));
  const attempted = Object.entries(loopDetection).map(
    ([task, { attemptCount, lastAttempt }]): [string, string] => [
      task,
      `${stands.get(task) ?? `${task}: ${counted(attemptCount, 'attempt')}`}, last at ${new Date(lastAttempt).toISOString()}`,
    ],
  );
  return [
    `${run}: ${how}`,
    [counted(attempts, 'attempt'), ...runTotals(status)].join(', '),
    ...[...new Map([...stands, ...attempted]).values()].map((line) => `  ${line}`),
    ...lookAt(run, ending, status.signals),
  ];
}
