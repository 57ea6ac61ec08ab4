import { isAdvice } from '../detectors/index.ts';
import { RUNGS, type Rung } from '../event.ts';
import type { LedgerEntry } from '../ledger/ledger.ts';
import type { Outcome } from '../outcome/outcome.ts';
import { asRecorded, isStep, type RecordedEntry } from './recorded-entry.ts';

/** How many plans ended in which way. */
export type OutcomeCounts = Record<Outcome['outcome'], number>;

export const noOutcomes = (): OutcomeCounts => ({ recovered: 0, persisted: 0, relapsed: 0, unknown: 0 });

/** A session in a few figures. */
export interface SessionSummary {
  session: string;
  /** The agent's program, and the last part of the folder that it works in, where they are known. */
  host?: string;
  folder?: string;
  /** Epoch milliseconds. */
  first: number;
  last: number;
  /** The host says that it is over. */
  ended: boolean;
  /** Of the session and its nested agents. */
  steps: number;
  /** Runs of repetition; advice is none. */
  loops: number;
  /** One of the last two steps was part of a loop. */
  looping: boolean;
  plans: number;
  /** The plan with the most force. */
  highest?: Rung;
  /** Each plan counts by what became of it in the end. */
  outcomes: OutcomeCounts;
  /** The newest call or action, in a few words. */
  doing?: string;
  /** What was last said of a loop. */
  why?: string;
}

/** A loop that was seen in the session or agent that the entry belongs to, not one that a nested agent reported. */
export const isOwnLoop = (entry: RecordedEntry): entry is RecordedEntry & { kind: 'signal' } =>
  entry.kind === 'signal' && entry.data.agent === undefined && !isAdvice(entry.data);

/** A name for something of a nested agent, or of the session itself. */
export const within = ({ agent = '' }: { agent?: string }, name: string): string => `${agent}\u0000${name}`;

const FRESH = 2;

/** Sums up all entries of one session, oldest first. */
export function summarize(session: string, entries: readonly LedgerEntry[]): SessionSummary {
  const steps = new Map<string, number>();
  const loopedAt = new Map<string, number>();
  const streaks = new Set<string>();
  const outcomes = new Map<string, Outcome['outcome']>();
  const summary: SessionSummary = {
    session,
    first: entries[0]?.at ?? 0,
    last: entries.at(-1)?.at ?? 0,
    ended: false,
    steps: 0,
    loops: 0,
    looping: false,
    plans: 0,
    outcomes: noOutcomes(),
  };
  for (const entry of entries.map(asRecorded)) {
    const { agent = '' } = entry;
    if (entry.kind === 'event') {
      const { type, host, folder, seen } = entry.data;
      if (host !== undefined) summary.host = host;
      if (folder !== undefined) summary.folder = folder;
      if (agent === '') summary.ended = type === 'session-ended';
      if (type === 'user-spoke') loopedAt.clear();
      if (seen?.call) summary.doing = seen.call.label;
      if (isStep(entry.data)) steps.set(agent, Math.max(steps.get(agent) ?? 0, entry.step + 1));
      continue;
    }
    if (isOwnLoop(entry)) {
      streaks.add(within(entry, entry.data.streak));
      loopedAt.set(agent, entry.step);
      summary.why = entry.data.text;
    } else if (entry.kind === 'plan') {
      summary.plans++;
      if (summary.highest === undefined || isHigher(entry.data.rung, summary.highest)) summary.highest = entry.data.rung;
    } else if (entry.kind === 'outcome') outcomes.set(within(entry, entry.data.plan), entry.data.outcome);
  }
  for (const outcome of outcomes.values()) summary.outcomes[outcome]++;
  for (const count of steps.values()) summary.steps += count;
  summary.loops = streaks.size;
  summary.looping = !summary.ended && [...loopedAt].some(([agent, step]) => step >= (steps.get(agent) ?? 0) - FRESH);
  return summary;
}

const isHigher = (one: Rung, other: Rung): boolean => RUNGS.indexOf(one) > RUNGS.indexOf(other);
