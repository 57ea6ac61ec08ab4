import type { AccountState } from '@unrut/engine/account/account';
import type { Outcome } from '@unrut/engine/outcome/outcome';
import { keepIn } from '@unrut/engine/recent';
import { countSession, type RowFigures } from '../figures/count-session.ts';
import {
  addUp,
  HOUR,
  type HourFigures,
  noPlans,
  type PlanFigures,
  rowOf,
  startHour,
} from '../figures/hour-figures.ts';
import {
  type Acted,
  type SessionFigures,
  withinRange,
  withPieces,
} from '../figures/session-figures.ts';
import { readPulse, type SessionPulse } from '../figures/session-pulse.ts';
import type { LedgerEntry } from '../ledger.ts';

/** Plans of a session that are followed, the oldest out first. */
const MAX_PLANS = 1000;

/**
 * A session in figures, counted entry by entry in the order in which they came, so that none has to
 * be read twice.
 */
export class SessionTally {
  /** By the hour that they belong to, in hours since 1970. */
  readonly hours: Map<number, HourFigures> = new Map();
  readonly #count;
  readonly #plans = new Map<
    string,
    { row: PlanFigures; rung: string; outcome?: Outcome['outcome'] }
  >();
  #summary: SessionFigures | undefined;
  #heard: { first: number; last: number } | undefined;

  constructor(session: string) {
    this.#count = countSession(session);
  }

  /** What all that was counted is read from. */
  get account(): AccountState {
    return this.#count.sums.state.account;
  }

  get summary(): SessionFigures {
    const { sums } = this.#count;
    this.#summary ??= this.#heard ? withPieces(sums.summary(), this.#heard) : sums.summary();
    return this.#summary;
  }

  /** What was really done, and what became of it. */
  get acted(): Acted {
    return this.#count.sums.state.acted;
  }

  /** Takes in the ledger's own figures of the session. */
  hear(row: { first: number; last: number }): void {
    if (row.first === this.#heard?.first && row.last === this.#heard.last) return;
    this.#heard = row;
    this.#summary = undefined;
  }

  /** What became of a plan, if that is known. */
  outcomeOf(agent: string | undefined, plan: string): Outcome['outcome'] | undefined {
    return this.#plans.get(withinRange({ agent }, plan))?.outcome;
  }

  /** Forgets what only matters while the session goes on. */
  rest(): void {
    this.#count.rest();
  }

  /**
   * How many steps each part of the last hour had, and how many of them were wasted; nothing where
   * it had none.
   */
  pulse(now: number): SessionPulse | undefined {
    return readPulse(this.#count.pulse, now);
  }

  /** What an entry has changed belongs to its hour. */
  add(entry: LedgerEntry): void {
    this.#summary = undefined;
    const row = this.#count.add(entry);
    const hour = this.#hour(entry.at);
    addUp(hour, row);
    addUp(hour.wasted, { steps: row.wasted_steps, tokens: row.wasted_tokens, usd: row.wasted_usd });
    if (entry.kind === 'event') this.#addEvent(entry, row, hour);
    else if (entry.kind === 'fault') hour.faults++;
    else if (entry.kind === 'plan') this.#addPlan(entry, row, hour);
    else if (entry.kind === 'outcome') this.#addOutcome(entry, row);
    else if (!row.nested) addSignal(entry, row, hour);
  }

  #hour(at: number): HourFigures {
    const number = Math.floor(at / HOUR);
    const hour = this.hours.get(number) ?? startHour();
    this.hours.set(number, hour);
    return hour;
  }

  #addEvent(
    entry: LedgerEntry,
    { type, tool, failed, plan: id, rung }: RowFigures,
    hour: HourFigures,
  ): void {
    hour.events++;
    if (type === 'call-finished' && tool !== null) {
      const calls = rowOf(hour.tools, tool, () => ({ calls: 0, failed: 0, looping: 0 }));
      calls.calls++;
      if (failed) calls.failed++;
    }
    const plan =
      type === 'plan-performed' ? this.#plans.get(withinRange(entry, id ?? '')) : undefined;
    if (plan && (failed || rung !== plan.rung)) plan.row.notPerformed++;
  }

  #addPlan(entry: LedgerEntry, counted: RowFigures, hour: HourFigures): void {
    const { plan: id, shadow, tool } = counted;
    const key = {
      recovery: counted.recovery!,
      rung: counted.rung!,
      tool: tool ?? '',
      detector: counted.detector!,
    };
    const row = rowOf(hour.plans, [...Object.values(key), shadow].join('\n'), () => ({
      ...key,
      ...noPlans(),
    }));
    row.plans++;
    if (shadow) row.shadow++;
    keepIn(this.#plans, withinRange(entry, id!), { row, rung: key.rung }, MAX_PLANS);
  }

  /**
   * Each plan counts once, by what became of it in the end; what is told of a plan that is not
   * followed any more counts nowhere.
   */
  #addOutcome(entry: LedgerEntry, { plan: id, outcome }: RowFigures): void {
    const plan = this.#plans.get(withinRange(entry, id!));
    if (!plan || !outcome) return;
    if (plan.outcome) plan.row[plan.outcome]--;
    plan.outcome = outcome;
    plan.row[outcome]++;
  }
}

function addSignal(
  { at }: LedgerEntry,
  { detector, tool, trial, looping }: RowFigures,
  hour: HourFigures,
): void {
  const row = rowOf(hour.detectors, detector!, () => ({
    signals: 0,
    last: 0,
    tools: new Map<string, number>(),
  }));
  if (!trial) hour.signals++;
  row.signals++;
  row.last = Math.max(row.last, at);
  if (tool === null) return;
  row.tools.set(tool, (row.tools.get(tool) ?? 0) + 1);
  const calls = hour.tools.get(tool);
  if (calls && looping) calls.looping++;
}
