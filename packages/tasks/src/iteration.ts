import { present } from '@unrut/engine/json';
import type { AgentRun } from './agent.ts';
import { type FailedCheck, runChecks } from './checks.ts';
import { errorTextIn, isPromised, isPromisedTooEarly } from './last-words.ts';
import { type Work, type WorkMemory, workOf } from './work.ts';
import type { Workspace } from './workspace.ts';

/** What one iteration needs, both of a prompt and of a roadmap task. */
export interface IterationMeans<Run extends AgentRun> {
  /** The task as its author wrote it. Files that it names count as work. */
  task: string;
  /** The full prompt. */
  prompt: string;
  /** The text the agent prints at the end if it is done. */
  promise: string;
  runAgent(): Promise<Run>;
  /** Undefined if files are not examined. */
  workspace: Workspace | undefined;
  memory: WorkMemory;
  /** The commands to run, depending on whether the agent claimed to be done. */
  checks(promised: boolean): readonly string[];
  cwd: string;
  signal: AbortSignal;
  timeout?: number;
}

/** One iteration: what the agent said, and the results of its checks and its work. */
export interface Iteration<Run extends AgentRun> {
  run: Run;
  /** The agent succeeded and printed the promise. */
  isPromised: boolean;
  failed: boolean;
  /** The failure is a guess, based on the output. */
  isGuess?: true;
  /** Why it failed, or another note for the user. */
  problem: string | undefined;
  /** Checks were run. */
  isChecked: boolean;
  failedCheck: FailedCheck | undefined;
  work: Work;
}

/** Runs an agent once and reports what changed. Rejects if the agent cannot be run. */
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
  // Work that got done overrides a guessed failure.
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

/** What the output of an iteration claims. */
type Said = Pick<Iteration<AgentRun>, 'isPromised' | 'failed' | 'isGuess' | 'problem'>;

/**
 * Combines exit code, promise and output. Merely mentioning an error is not a failure, and the
 * promise overrides a guess.
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
