import type { AgentRun } from './agent.ts';
import type { TaskStatus } from './attempt.ts';
import { type FailedCheck, runChecks } from './checks.ts';
import type { Iteration } from './iteration.ts';
import { readReport } from './read-report.ts';
import type { Check, RoadmapTask } from './roadmap.ts';
import { asWork } from './work.ts';

/** The judgement of an attempt. */
export interface Judgement {
  status: TaskStatus;
  blockers: string[];
  /** The work that counts: what changed, or, if files are not examined, what the agent reported. */
  work: string[];
  /** Other text: the agent's report and how the checks fail. */
  said: string[];
  /** Everything passed except checks that cannot be run now. */
  onlyChecks: boolean;
}

export interface Bench {
  task: RoadmapTask;
  checks: Readonly<Record<string, Check>>;
  /** Checks that this task does not have to pass for now. */
  deferred: readonly string[];
  cwd: string;
  signal: AbortSignal;
}

const UNAVAILABLE = /^check:(.+) unavailable$/;

/** The blocker that stands for a check that cannot be run now. */
const unavailable = (check: string): string => `check:${check} unavailable`;

/** The check that a blocker stands for, if it stands for one. */
export const unavailableCheck = (blocker: string): string | undefined =>
  UNAVAILABLE.exec(blocker)?.[1];

/** A check without a probe is available. */
export const isAvailable = async (
  { probe }: Check,
  cwd: string,
  signal: AbortSignal,
): Promise<boolean> =>
  probe === undefined || (await runChecks([probe], { cwd, signal })) === undefined;

const howItFails = ({ command, signature }: FailedCheck): string =>
  `\`${command}\` fails: ${signature}`;

/**
 * Compares the agent's report with what changed, then runs the required checks. A task is done only
 * if all of them pass.
 */
export async function judgeAttempt(
  one: Iteration<AgentRun>,
  attempt: string,
  bench: Bench,
): Promise<Judgement> {
  const report = readReport(one.run.output);
  const isKnown = one.work.moved !== undefined;
  const failing = one.failedCheck ? [howItFails(one.failedCheck)] : [];
  const told = [...report.work, ...failing];
  const judgement: Judgement = {
    status: 'in_progress',
    blockers: report.blockers,
    onlyChecks: false,
    ...(isKnown ? { work: asWork(one.work, attempt), said: told } : { work: told, said: [] }),
  };
  if (report.blockers.length > 0) return { ...judgement, status: 'blocked' };
  const isFinished =
    bench.task.exitCriteria.length > 0 ? one.isChecked && failing.length === 0 : one.isPromised;
  return isFinished ? judgeChecks(judgement, bench) : judgement;
}

/** Runs the required checks of a task that is finished otherwise. */
export async function judgeChecks(
  judgement: Judgement,
  { task, checks, deferred, cwd, signal }: Bench,
): Promise<Judgement> {
  const blockers: string[] = [];
  const failing: string[] = [];
  for (const name of task.checks.filter((each) => !deferred.includes(each))) {
    const check = checks[name]!;
    const failed = (await isAvailable(check, cwd, signal))
      ? await runChecks([check.command], { cwd, signal })
      : unavailable(name);
    if (typeof failed === 'string') blockers.push(failed);
    else if (failed) failing.push(howItFails(failed));
  }
  const said = [...judgement.said, ...failing];
  if (failing.length > 0) return { ...judgement, status: 'needs_improvement', blockers: [], said };
  if (blockers.length > 0) return { ...judgement, status: 'blocked', blockers, onlyChecks: true };
  return { ...judgement, status: 'done', blockers: [] };
}
