import type { Context } from 'hono';
import type { RunName } from '../../ledger/reports/reports.ts';
import { unknown } from '../problem.ts';
import type { RunStatus, RunsAnswer, StatusAnswer } from './answers.ts';
import { cursorIn, cursorText, nameIn, numberIn } from './query.ts';
import type { LedgerReading } from './reading.ts';
import { runInFull, runNames, runStatusOf } from './runs.ts';

/** `GET /v1/runs`: runs of `unrut run` and of programs that guard tasks, the latest first. */
export function runsRoute(reading: LedgerReading): (context: Context) => Promise<Response> {
  return async (context) => {
    const { runs, next } = await runNames(reading, numberIn(context, 'limit', 20), cursorIn(context));
    return context.json({ runs: await statusesOf(reading, runs), next: next && cursorText(next) } satisfies RunsAnswer);
  };
}

/** `GET /v1/runs/:id` and `GET /v1/run?id=`: a run with its tasks, attempts and what its next prompt is told. */
export function runRoute(reading: LedgerReading): (context: Context) => Promise<Response> {
  return async (context) => {
    const name = nameIn(context);
    const run = await runInFull(reading, name);
    if (!run) throw unknown('run', name);
    return context.json(run);
  };
}

/** Runs that are looked at for one that is under way: older ones have ended. */
const MAX_LOOKED_AT = 20;

/** `GET /v1/status`: the run that is under way, or else the last one. */
export function statusRoute(reading: LedgerReading, version: string): (context: Context) => Promise<Response> {
  const since = reading.now();
  return async (context) => {
    const statuses = await statusesOf(reading, (await runNames(reading, MAX_LOOKED_AT)).runs);
    const { running = false, tickCount = 0, loopDetection = {}, run = null } = statuses.find((each) => each.running) ?? statuses[0] ?? {};
    return context.json({
      ...{ running, tickCount, loopDetection, run },
      runs: statuses.filter((status) => status.running).map((status) => status.run),
      ...{ version, since },
    } satisfies StatusAnswer);
  };
}

async function statusesOf(reading: LedgerReading, names: readonly RunName[]): Promise<RunStatus[]> {
  const statuses: RunStatus[] = [];
  for (const { run } of names) {
    const status = await runStatusOf(reading, run);
    if (status) statuses.push(status);
  }
  return statuses;
}
