import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { errorReason } from '@unrut/engine/redact/reason';
import { printable } from '@unrut/engine/text/printable';
import { notify } from '@unrut/ledger/notify/notify';
import {
  ROADMAP_EXIT,
  type Roadmap,
  type RoadmapLimits,
  RoadmapLoop,
  type RoadmapResult,
  readRoadmap,
} from '@unrut/tasks';
import { cannotStart, runAgentCommand } from '@unrut/tasks/run/run-agent-command';
import { detectorsOf, roadmapGuard } from '@unrut/tasks/run/run-guard';
import { createRunLog, runLogPath } from '@unrut/tasks/run/run-log';
import { RunStore } from '@unrut/tasks/run/run-store';
import { waitingOut } from '@unrut/tasks/run/wait-out';
import { thisRunner } from '@unrut/tasks/runner';
import { parse } from 'yaml';
import { wholeNumber } from './arguments.ts';
import { usageError } from './exit.ts';
import { printJson } from './printed.ts';
import { onLoop, patienceOf, runSettings, stallOf } from './run-arguments.ts';
import { costWarning, notesFrom, type RunContext, sleep } from './run-prompt.ts';
import { attemptedLine, attemptLine, roadmapSummary } from './run-roadmap-summary.ts';
import { createRunScreen } from './run-screen.ts';
import { whenInterrupted } from './when-interrupted.ts';

/** Works through a roadmap. Returns the exit code. */
export async function runRoadmapFile({
  ledger,
  run,
  state,
  given,
  settings,
  guard,
}: RunContext): Promise<number> {
  const { promise, loopThreshold, checks, maxRuntime, ...asked } = runSettings(
    given,
    settings.shadow,
  );
  const { values } = given;
  // By default, a roadmap has no time limit.
  const limits: RoadmapLimits =
    values['max-runtime'] === undefined ? asked : { ...asked, maxRuntime };
  if (checks.length > 0 || onLoop(given) !== undefined)
    throw usageError(
      '--check and --on-loop are for a single prompt; in a roadmap, give each task exitCriteria and checks.',
    );
  const file = resolve(state.folder, given.operands[0]!);
  const roadmap = readRoadmapFile(file);
  const screen = createRunScreen({
    isApart: values.json === true,
    log: createRunLog(runLogPath(settings.ledger.path), run),
  });
  const { signal, dispose } = whenInterrupted(() =>
    screen.say('Stopping the agents and everything they started …'),
  );
  state.detectors = detectorsOf(roadmapGuard(guard, loopThreshold));
  const store = new RunStore(
    ledger,
    run,
    Object.assign(state, { runner: thisRunner(), ending: null }),
    guard,
    (error) => screen.say(`${printable(errorReason(error))} The run continues.`),
  );
  const command = given.command as [string, ...string[]];
  const unstartable = new AbortController();
  const stopped = AbortSignal.any([signal, unstartable.signal]);
  const stall = stallOf(given);
  const patient = waitingOut({ ...patienceOf(given), now: Date.now, sleep, say: screen.say });
  const noCost = costWarning(limits.maxCost, screen.say);
  try {
    // So that it is found again, also when it ends before its first attempt.
    await store.observe({ type: 'iteration-started', session: run, at: Date.now(), iteration: 0 });
    const loop: RoadmapLoop = new RoadmapLoop({
      roadmap,
      ledger,
      run,
      folder: state.folder,
      promise,
      limits,
      signal: stopped,
      guard: {
        ...(values['loop-threshold'] === undefined ? {} : { maxAttempts: loopThreshold }),
        ...(guard.budget ? { budget: guard.budget } : {}),
        onEscalation: ({ reason, at }) =>
          notify(settings.notify, {
            plan: { rung: 'escalate', reason: 'run/task', recovery: 'escalate', toHuman: reason },
            session: run,
            at,
          }),
      },
      ...(values.parallel === undefined
        ? {}
        : { parallel: wholeNumber('parallel', values.parallel, 1) }),
      ...(values.watch ? { watch: { file, read: () => readRoadmapFile(file) } } : {}),
      log: (line) => screen.say(line),
      notes: () => notesFrom(file),
      runAgent: async (prompt, { cwd, timeout, task, attempt }) => {
        screen.say(attemptLine(task, attempt, loop.getStatus(), limits));
        const context = { run, cwd, timeout, stall, show: screen.show };
        const turn = await patient(
          () => runAgentCommand(command, prompt, { ...context, signal: stopped }),
          stopped,
        );
        noCost(turn.cost.usd ?? 0);
        if (turn.neverStarted) unstartable.abort(cannotStart(turn.problem));
        else if (turn.problem !== undefined && !turn.wasStopped)
          screen.say(`task ${task.id}: ${turn.problem}`);
        return turn;
      },
    });
    loop.on('idle', ({ reason, milliseconds }) =>
      screen.say(
        `${reason} Waiting for the roadmap to change; next look in ${Math.round(milliseconds / 1000)} s.`,
      ),
    );
    loop.on('attempted', (attempted) => {
      if (!signal.aborted && !unstartable.signal.aborted) screen.say(attemptedLine(attempted));
    });
    const result = await loop.run().catch(async (error: unknown) => {
      await close(store, { ending: 'interrupted', reason: errorReason(error) });
      throw error;
    });
    await close(store, result);
    unstartable.signal.throwIfAborted();
    for (const line of roadmapSummary(result, { run, file, tasks: roadmap.tasks, limits }))
      screen.say(line);
    if (values.json) printJson<'run-roadmap'>({ run, ...result }, 2);
    return ROADMAP_EXIT[result.ending];
  } finally {
    dispose();
  }
}

async function close(
  store: RunStore,
  { ending, reason }: Pick<RoadmapResult, 'ending' | 'reason'>,
): Promise<void> {
  Object.assign(store.state, {
    ending: ending === 'nothing-to-do' ? 'escalated' : ending,
    reason,
    runner: null,
  });
  await store.observe({
    type: 'session-ended',
    session: store.run,
    at: Date.now(),
    outcome: ending,
  });
}

/** Parses a roadmap in YAML, which includes JSON. */
export function readRoadmapFile(file: string): Roadmap {
  let value: unknown;
  try {
    value = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw usageError(
      `Cannot read ${file}: ${errorReason(error).replace(/:$/, '')}. Expected a roadmap in YAML.`,
    );
  }
  try {
    return readRoadmap(value, file);
  } catch (error) {
    throw usageError(errorReason(error));
  }
}
