import { present } from '@unrut/engine/json';
import type { AgentRun } from './agent.ts';
import { type FailedCheck, runChecks } from './checks.ts';
import { errorTextIn, isPromised, isPromisedTooEarly } from './last-words.ts';
import { type Work, type WorkMemory, workOf } from './work.ts';
import type { Workspace } from './workspace.ts';

/** What one iteration needs, of a prompt or of a task alike. */
export interface IterationMeans<Run extends AgentRun> {
  /** What its author wrote: a file that it names is part of the work. */
  task: string;
  /** All that the agent is told. */
  prompt: string;
  /** What it prints at its end when it is done. */
  promise: string;
  runAgent(): Promise<Run>;
  /** Missing where nobody looks at the files. */
  workspace: Workspace | undefined;
  memory: WorkMemory;
  /** Commands to run, given whether the agent promised. */
  checks(promised: boolean): readonly string[];
  cwd: string;
  signal: AbortSignal;
  timeout?: number;
}

/** One iteration: what the agent said, how its checks went, and what came of it. */
export interface Iteration<Run extends AgentRun> {
  run: Run;
  /** It ended well, and promised that the task is done. */
  isPromised: boolean;
  failed: boolean;
  /** That it failed is only guessed, from what it printed. */
  isGuess?: true;
  /** Why it failed, or what else a person should know. */
  problem: string | undefined;
  /** Checks were made. */
  isChecked: boolean;
  failedCheck: FailedCheck | undefined;
  work: Work;
}

/** Runs an agent once, and says what changed. Rejects when running the agent does. */
export async function runIteration<Run extends AgentRun>(
  means: IterationMeans<Run>,
): Promise<Iteration<Run>> {
  const { prompt, promise, workspace, cwd, signal, timeout } = means;
  const before = await workspace?.look();
  const run = await means.runAgent();
  const said = whatItSaid(run, promise, prompt);
  const after = await workspace?.look();
  const commands = signal.aborted ? [] : means.checks(said.isPromised);
  const failedCheck = await runChecks(commands, {
    cwd,
    signal,
    ...present({ timeout }),
  });
  const changes = before && after && workspace ? await workspace.changes(before, after) : [];
  const work = workOf(means.memory, { before, after, changes, failedCheck, task: means.task });
  const isChecked = commands.length > 0;
  // Whoever gets something done has not failed, whatever it printed.
  if (said.isGuess && work.moved)
    return {
      run,
      isPromised: said.isPromised,
      failed: false,
      problem: undefined,
      isChecked,
      failedCheck,
      work,
    };
  return { run, ...said, isChecked, failedCheck, work };
}

/** What an iteration said of itself. */
type Said = Pick<Iteration<AgentRun>, 'isPromised' | 'failed' | 'isGuess' | 'problem'>;

/**
 * Exit code, promise and words weighed together: a report that mentions an error is not one, and a
 * promise beats a guess.
 */
export function whatItSaid(run: AgentRun, promise: string, prompt: string): Said {
  const { output, exitCode, failed = exitCode !== 0, problem } = run;
  const promised = isPromised(output, promise, prompt);
  if (failed || promised) return { isPromised: promised && !failed, failed, problem };
  const error = errorTextIn(output);
  if (error !== undefined)
    return {
      isPromised: false,
      failed: true,
      isGuess: true,
      problem: `it exited with code 0, but reported an error: ${error}`,
    };
  const early = isPromisedTooEarly(output, promise, prompt)
    ? `it wrote ${promise}, but not at the end of its last line`
    : undefined;
  return { isPromised: false, failed: false, problem: problem ?? early };
}
