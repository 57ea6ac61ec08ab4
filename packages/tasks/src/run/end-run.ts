import { present } from '@unrut/engine/json';
import type { ContextEntry } from '@unrut/ledger/ledger';
import type { RoadmapLimit } from '../roadmap-run.ts';
import { limitReport } from './escalation-report.ts';
import { limitReason } from './run-settings.ts';
import type { Ending } from './run-state.ts';
import type { RunStore } from './run-store.ts';

/** How a run ended, in words. */
export interface RunResult {
  ending: Ending;
  reason: string;
  /** A report for the user, if a limit or a loop ended the run. */
  report?: string;
}

/** Records how a run ended. */
export async function endRun(
  store: RunStore,
  at: number,
  ending: Ending,
  reason: string,
  report?: string,
): Promise<RunResult> {
  Object.assign(store.state, { ending, reason, runner: null });
  await store.observe({ type: 'session-ended', session: store.run, at, outcome: ending });
  return { ending, reason, ...present({ report }) };
}

/** Ends a run at a limit, with a report. */
export async function endAtLimit(
  store: RunStore,
  limit: RoadmapLimit,
  at: number,
  problem?: string,
): Promise<RunResult> {
  const reason = limitReason(limit, store.state, problem);
  const report = limitReport(limit, reason, store.state.tried);
  await store.save([runEntry(store, 'limit_reached', report, at)]);
  return endRun(store, at, 'limit', `${limit}: ${reason}`, report);
}

/** An entry with the last output or a report, for the user. The content must be redacted. */
export const runEntry = (
  { run, state }: RunStore,
  topic: string,
  content: string,
  at: number,
): ContextEntry => ({
  id: `${run}/${topic}/${state.iteration}`,
  session: run,
  timestamp: at,
  entryType: topic === 'iteration_output' ? 'output' : 'report',
  topic,
  content,
  relatedTasks: [],
  confidence: 1,
  metadata: { iteration: state.iteration },
});
