import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { ListPlace, RunName, RunsReport } from '@unrut/ledger/reports/reports';
import { type RoadmapTask, readRoadmap, roadmapStatus } from '@unrut/tasks';
import { loadRunState, RUN_END } from '@unrut/tasks/run/run-store';
import { hasEnded, isAlive } from '@unrut/tasks/runner';
import { startTaskState, type TaskState } from '@unrut/tasks/task-state';
import { loadTaskState, TASKS_END } from '@unrut/tasks/task-store';
import { parse } from 'yaml';
import { runInFullSchema, runsSchema, statusSchema } from '../answers/runs.ts';
import { unknown } from '../problem.ts';
import type { RunAnswer, RunStatus, TaskRow } from './answers.ts';
import { readRoute } from './look-routes.ts';
import { cursorParam, cursorText, limitOf, nameParam } from './query.ts';
import type { LedgerReading } from './reading.ts';

const MAX_CONTEXT = 50;

/** Number of latest runs to check for a running one; older ones have ended. */
const MAX_LOOKED_AT = 20;

/** Routes about runs of `unrut run` and of programs that guard tasks. */
export const runRoutes = [
  readRoute.get('/v1/runs', {
    id: 'listRuns',
    summary: 'List runs of unrut run, latest first.',
    query: { limit: limitOf(20, 100), cursor: cursorParam },
    answer: runsSchema,
    async handle({ query }, { reading }) {
      const { runs, next } = await runNames(reading, query.limit, query.cursor);
      return { runs: await statusesOf(reading, runs), next: next && cursorText(next) };
    },
  }),

  readRoute.get('/v1/runs/:id', {
    id: 'getRun',
    summary: 'Get a run, with tasks, attempts and context entries.',
    params: { id: nameParam() },
    answer: runInFullSchema,
    refuses: { 404: 'No such run.' },
    async handle({ params: { id } }, { reading }) {
      const run = await runOf(reading, id);
      if (!run) throw unknown('run', id);
      return run;
    },
  }),

  readRoute.get('/v1/status', {
    id: 'getStatus',
    summary: 'Get the current run, or the last one.',
    answer: statusSchema,
    async handle(_, { reading, version, since }) {
      const statuses = await statusesOf(reading, (await runNames(reading, MAX_LOOKED_AT)).runs);
      const {
        running = false,
        tickCount = 0,
        loopDetection = {},
        run = null,
      } = statuses.find((each) => each.running) ?? statuses[0] ?? {};
      return {
        running,
        tickCount,
        loopDetection,
        run,
        runs: statuses.filter((status) => status.running).map((status) => status.run),
        version,
        since,
      };
    },
  }),
];

async function statusesOf(reading: LedgerReading, names: readonly RunName[]): Promise<RunStatus[]> {
  const statuses: RunStatus[] = [];
  for (const { run } of names) {
    const status = await runStatusOf(reading, run);
    if (status) statuses.push(status);
  }
  return statuses;
}

/** A page of the ledger's runs, latest first. */
const runNames = (
  { reports }: LedgerReading,
  most: number,
  after?: ListPlace,
): Promise<RunsReport> => reports.runs({ ends: [RUN_END, TASKS_END], most, after });

/** The status of a run; undefined if it does not exist. */
async function runStatusOf(reading: LedgerReading, run: string): Promise<RunStatus | undefined> {
  const { ledger } = reading;
  const state = await loadRunState(ledger, run);
  const tasks = await loadTaskState(ledger, run);
  if (!state && !tasks) return undefined;
  const session = await reading.reports.session(run);
  const { first = 0, last = 0 } = session ?? {};
  const status = await roadmapStatus(ledger, run);
  const file = state?.file ?? '';
  // A program that guards its own tasks does not report its end: it is detected by its process, or
  // by how long the session has been inactive.
  const isActive = session !== undefined && ['looping', 'running'].includes(session.state);
  const running = state
    ? state.runner !== null && isAlive(state.runner)
    : isActive && !(tasks?.runner && hasEnded(tasks.runner));
  const common = {
    run,
    running,
    ending: state?.ending ?? null,
    reason: state?.reason ?? '',
    file,
    folder: basename(state?.folder ?? ''),
    first,
    last,
  };
  if (state?.kind !== 'prompt')
    return {
      kind: 'roadmap',
      ...common,
      tickCount: status.tickCount,
      loopDetection: status.loopDetection,
      cost: status.cost,
    };
  const { iteration, cost } = state;
  const loopDetection =
    iteration === 0 ? {} : { [file]: { attemptCount: iteration, lastAttempt: last } };
  return { kind: 'prompt', ...common, tickCount: iteration, loopDetection, cost };
}

/** Max number of runs to count, since each requires a ledger query. */
const MAX_COUNTED = 100;

/**
 * The number of tasks in the latest runs that took one attempt, two, and three or more (at which
 * loops are looked for).
 */
export async function tasksByAttempts(
  reading: LedgerReading,
): Promise<Record<'1' | '2' | '3+', number>> {
  const counts = { '1': 0, '2': 0, '3+': 0 };
  for (const { run } of (await runNames(reading, MAX_COUNTED)).runs)
    for (const { attemptCount } of Object.values(
      (await roadmapStatus(reading.ledger, run)).loopDetection,
    ))
      counts[attemptCount >= 3 ? '3+' : attemptCount === 2 ? '2' : '1']++;
  return counts;
}

/** All that is known of a run. */
async function runOf(reading: LedgerReading, run: string): Promise<RunAnswer | undefined> {
  const { ledger } = reading;
  const status = await runStatusOf(reading, run);
  if (!status) return undefined;
  const state = await loadRunState(ledger, run);
  const tasks = (await loadTaskState(ledger, run)) ?? startTaskState();
  const written = state?.kind === 'roadmap' ? roadmapAt(resolve(state.folder, status.file)) : [];
  const context = await ledger.context({ session: run, last: MAX_CONTEXT });
  return {
    ...status,
    tasks: status.kind === 'prompt' ? [] : await taskRows(reading, run, tasks, written),
    tried: (state?.tried ?? []).map(({ iteration, what }) => ({ iteration, what })),
    context: context.reverse(),
  };
}

/** In the order of the roadmap; tasks that are not in it come last. */
async function taskRows(
  { ledger }: LedgerReading,
  run: string,
  state: TaskState,
  written: readonly RoadmapTask[],
): Promise<TaskRow[]> {
  const { tasks } = await roadmapStatus(ledger, run, written);
  const rows = new Map<string, TaskRow>(tasks.map((task) => [task.id, { ...task, latest: [] }]));
  for (const [id, { attempts, earlier, total }] of Object.entries(state.tasks)) {
    const standing = Object.hasOwn(state.standings, id) ? state.standings[id] : undefined;
    const status = standing?.status ?? attempts.at(-1)?.status ?? 'pending';
    const row = rows.get(id) ?? {
      id,
      title: id,
      status,
      attempts: earlier + total,
      deferred: standing?.deferred ?? [],
      latest: [],
    };
    row.latest = attempts.map(({ at, status, blockers, work, session, interrupted = false }) => ({
      at,
      status,
      blockers,
      work,
      session,
      interrupted,
    }));
    rows.set(id, row);
  }
  return [...rows.values()];
}

/** Empty if the file was moved or is being written; the ledger has the other data. */
function roadmapAt(file: string): RoadmapTask[] {
  try {
    return readRoadmap(parse(readFileSync(file, 'utf8')), file).tasks;
  } catch {
    return [];
  }
}
