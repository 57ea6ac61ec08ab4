import type { Rung } from '../event.ts';
import type { Ledger, LedgerEntry } from '../ledger/ledger.ts';
import type { Outcome } from '../outcome/outcome.ts';
import { asRecorded, hasFailed, isStep, type RecordedEntry, type RecordedEvent } from './recorded-entry.ts';
import { isOwnLoop, noOutcomes, type OutcomeCounts, within } from './session-summary.ts';

/** What a ledger tells about many sessions. Lists have the most frequent first. */
export interface LedgerStatistics {
  sessions: number;
  /** Sessions with a loop. */
  looping: number;
  steps: number;
  loops: number;
  plans: number;
  /** Plans that were only recorded. */
  shadow: number;
  /** Each plan counts by what became of it in the end. */
  outcomes: OutcomeCounts;
  faults: number;
  tokens: number;
  usd: number;
  detectors: DetectorFigures[];
  recoveries: RecoveryFigures[];
  tools: ToolFigures[];
}

export interface DetectorFigures {
  detector: string;
  signals: number;
  sessions: number;
}

export interface RecoveryFigures extends OutcomeCounts {
  recovery: string;
  rung: Rung;
  plans: number;
  shadow: number;
  /** Plans with which the host could do nothing, or only less. */
  notPerformed: number;
}

export interface ToolFigures {
  /** For shell commands the program. */
  tool: string;
  /** Calls that ended. */
  calls: number;
  failed: number;
  /** Those of them that were part of a loop. */
  looping: number;
}

/** Counts all that was recorded since a time. Reads one session after another, so that a large ledger takes little memory. */
export async function statisticsOf(ledger: Ledger, since = 0): Promise<LedgerStatistics> {
  const counts = startCounts();
  for (const { session, last } of await ledger.sessions())
    if (last >= since) countSession(counts, await ledger.entries({ session, since }));
  const { sums, detectors, recoveries, tools } = counts;
  sums.faults += (await ledger.entries({ session: '', kind: 'fault', since })).length;
  return {
    ...sums,
    detectors: [...detectors.values()].sort((one, other) => other.signals - one.signals),
    recoveries: [...recoveries.values()].sort((one, other) => other.plans - one.plans),
    tools: [...tools.values()].sort((one, other) => other.calls - one.calls),
  };
}

/** What has been counted so far. */
interface Counts {
  sums: Omit<LedgerStatistics, 'detectors' | 'recoveries' | 'tools'>;
  detectors: Map<string, DetectorFigures>;
  recoveries: Map<string, RecoveryFigures>;
  tools: Map<string, ToolFigures>;
}

const startCounts = (): Counts => ({
  sums: { sessions: 0, looping: 0, steps: 0, loops: 0, plans: 0, shadow: 0, outcomes: noOutcomes(), faults: 0, tokens: 0, usd: 0 },
  detectors: new Map(),
  recoveries: new Map(),
  tools: new Map(),
});

/** What has to be kept while one session is counted. */
interface Counting {
  detectors: Set<DetectorFigures>;
  streaks: Set<string>;
  plans: Map<string, RecoveryFigures>;
  outcomes: Map<string, Outcome>;
  /** By step. */
  tools: Map<string, ToolFigures>;
  looping: Set<string>;
}

function countSession(counts: Counts, entries: readonly LedgerEntry[]): void {
  const { sums } = counts;
  const counting: Counting = {
    detectors: new Set(),
    streaks: new Set(),
    plans: new Map(),
    outcomes: new Map(),
    tools: new Map(),
    looping: new Set(),
  };
  for (const entry of entries) countEntry(counts, counting, asRecorded(entry));
  sums.sessions++;
  sums.loops += counting.streaks.size;
  if (counting.streaks.size > 0) sums.looping++;
  for (const row of counting.detectors) row.sessions++;
  for (const step of counting.looping) {
    const tool = counting.tools.get(step);
    if (tool) tool.looping++;
  }
  for (const [plan, { recovery, rung, outcome }] of counting.outcomes) {
    sums.outcomes[outcome]++;
    // The plan itself may be from before the time that is asked for.
    (counting.plans.get(plan) ?? recoveryRow(counts, recovery, rung))[outcome]++;
  }
}

function countEntry(counts: Counts, counting: Counting, entry: RecordedEntry): void {
  const { sums } = counts;
  const step = within(entry, String(entry.step));
  if (entry.kind === 'event') countEvent(counts, counting, entry, entry.data, step);
  else if (entry.kind === 'fault') sums.faults++;
  else if (entry.kind === 'outcome') counting.outcomes.set(within(entry, entry.data.plan), entry.data);
  else if (entry.kind === 'plan') {
    const { id, recovery, rung, shadow } = entry.data;
    const row = recoveryRow(counts, recovery, rung);
    for (const counted of [sums, row]) {
      counted.plans++;
      if (shadow) counted.shadow++;
    }
    counting.plans.set(within(entry, id), row);
  } else if (entry.data.agent === undefined) {
    const { detector, streak } = entry.data;
    const row = rowOf(counts.detectors, detector, () => ({ detector, signals: 0, sessions: 0 }));
    row.signals++;
    counting.detectors.add(row);
    if (!isOwnLoop(entry)) return;
    counting.streaks.add(within(entry, streak));
    counting.looping.add(step);
  }
}

function countEvent({ sums, tools }: Counts, counting: Counting, entry: { agent?: string }, event: RecordedEvent, step: string): void {
  const { type, cost } = event;
  const tool = event.seen?.call?.tool ?? event.tool;
  if (isStep(event)) sums.steps++;
  sums.tokens += cost?.tokens ?? 0;
  sums.usd += cost?.usd ?? 0;
  if (type === 'call-finished' && tool !== undefined) {
    const row = rowOf(tools, tool, () => ({ tool, calls: 0, failed: 0, looping: 0 }));
    row.calls++;
    if (hasFailed(event)) row.failed++;
    counting.tools.set(step, row);
  }
  if (type !== 'plan-performed') return;
  const row = counting.plans.get(within(entry, event.plan ?? ''));
  if (row && (event.failed || event.rung !== row.rung)) row.notPerformed++;
}

const recoveryRow = ({ recoveries }: Counts, recovery: string, rung: Rung): RecoveryFigures =>
  rowOf(recoveries, `${recovery} ${rung}`, () => ({ recovery, rung, plans: 0, shadow: 0, notPerformed: 0, ...noOutcomes() }));

function rowOf<T>(rows: Map<string, T>, key: string, begin: () => T): T {
  const row = rows.get(key) ?? begin();
  rows.set(key, row);
  return row;
}
