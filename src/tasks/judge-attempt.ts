import { extractSignature } from '../fingerprint/signature.ts';
import { runShell } from '../processes/run-shell.ts';
import type { AgentRun } from './agent.ts';
import type { TaskStatus } from './attempt.ts';
import { readReport } from './read-report.ts';
import type { Check, RoadmapTask } from './roadmap.ts';

/** What an attempt came to. */
export interface Judgement {
  status: TaskStatus;
  blockers: string[];
  work: string[];
  /** Everything but checks that cannot be made has passed. */
  onlyChecks: boolean;
}

export interface Bench {
  task: RoadmapTask;
  checks: Readonly<Record<string, Check>>;
  /** Checks that this task need not pass for now. */
  deferred: readonly string[];
  promise: string;
  cwd: string;
  signal: AbortSignal;
}

/** For a command that does not end by itself. */
const TEN_MINUTES = 600_000;

const UNAVAILABLE = /^check:(.+) unavailable$/;

/** The blocker that a check is which cannot be made now. */
export const unavailable = (check: string): string => `check:${check} unavailable`;

/** The name of the check that a blocker is about, if it is about one. */
export const unavailableCheck = (blocker: string): string | undefined => UNAVAILABLE.exec(blocker)?.[1];

/** A check without a probe is available. */
export const isAvailable = async ({ probe }: Check, cwd: string, signal: AbortSignal): Promise<boolean> =>
  probe === undefined || (await runShell(probe, { cwd, signal, timeout: TEN_MINUTES })).exitCode === 0;

/** Reads the agent's report, tries the exit criteria, then the required checks. Only what all of them let pass is done. */
export async function judgeAttempt(run: AgentRun, bench: Bench): Promise<Judgement> {
  const { task, promise } = bench;
  const report = readReport(run.output, promise);
  const judgement: Judgement = { status: 'in_progress', blockers: report.blockers, work: report.work, onlyChecks: false };
  const failing = await failuresOf(task.exitCriteria, bench);
  judgement.work.push(...failing);
  const isFinished = task.exitCriteria.length > 0 ? failing.length === 0 : report.isPromised;
  if (report.blockers.length > 0) return { ...judgement, status: 'blocked' };
  return isFinished ? judgeChecks(judgement, bench) : judgement;
}

/** Makes the required checks of a task that is finished otherwise. */
export async function judgeChecks(judgement: Judgement, bench: Bench): Promise<Judgement> {
  const { task, checks, deferred, cwd, signal } = bench;
  const required = task.checks.filter((name) => !deferred.includes(name));
  const blockers: string[] = [];
  const failing: string[] = [];
  for (const name of required) {
    const check = checks[name]!;
    if (await isAvailable(check, cwd, signal)) failing.push(...(await failuresOf([check.command], bench)));
    else blockers.push(unavailable(name));
  }
  const work = [...judgement.work, ...failing];
  if (failing.length > 0) return { status: 'needs_improvement', blockers: [], work, onlyChecks: false };
  if (blockers.length > 0) return { status: 'blocked', blockers, work, onlyChecks: true };
  return { status: 'done', blockers: [], work, onlyChecks: false };
}

/** How each command fails that does: another way of failing is another state of the work. */
async function failuresOf(commands: readonly string[], { cwd, signal }: Bench): Promise<string[]> {
  const failures: string[] = [];
  for (const command of commands) {
    const { exitCode, output } = await runShell(command, { cwd, signal, timeout: TEN_MINUTES });
    if (exitCode !== 0) failures.push(`\`${command}\` fails: ${extractSignature(output) || `exit code ${exitCode}`}`);
  }
  return failures;
}
