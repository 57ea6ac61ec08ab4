import { type AccountState, type AccountSums, isOfLoop, restAccount, sumsOf } from '../account/account.ts';
import type { RecordedPlan } from '../account/entry.ts';
import { isOnTrial } from '../detectors/index.ts';
import { addUp, type HourFigures, noPlans, type PlanFigures, rowOf, startHour } from '../ledger/reports/hour-figures.ts';
import { hasFailed, type RecordedEntry, type RecordedEvent } from '../ledger/reports/recorded-entry.ts';
import { addToPulse, type PulseParts, readPulse, type SessionPulse } from '../ledger/reports/session-pulse.ts';
import {
  type Acted,
  createSessionSums,
  type SessionSummary,
  type SessionSums,
  withinRange,
  withPieces,
} from '../ledger/reports/session-summary.ts';
import type { Outcome } from '../outcome/outcome.ts';

const HOUR = 3_600_000;
/** Plans of a session that are followed, the oldest out first. */
const MAX_PLANS = 1000;

/** What an agent did last. */
interface AtWork {
  step: number;
  tool: string;
  /** That step was counted as part of a loop: several detectors may speak of one. */
  isCounted: boolean;
}

/** A session in figures, counted entry by entry in the order in which they came, so that none has to be read twice. */
export class SessionTally {
  /** By the hour that they belong to, in hours since 1970. */
  readonly hours: Map<number, HourFigures> = new Map();
  readonly #sums: SessionSums;
  readonly #plans = new Map<string, { row: PlanFigures; rung: string; outcome?: Outcome['outcome'] }>();
  /** What each agent was at lately. Forgotten by `rest`. */
  readonly #at = new Map<string, AtWork>();
  readonly #pulse: PulseParts = [];
  #accounted: AccountSums;
  #summary: SessionSummary | undefined;
  #heard: { first: number; last: number } | undefined;

  constructor(session: string) {
    this.#sums = createSessionSums(session);
    this.#accounted = sumsOf(this.account);
  }

  /** What all that was counted is read from. */
  get account(): AccountState {
    return this.#sums.state.account;
  }

  get summary(): SessionSummary {
    this.#summary ??= this.#heard ? withPieces(this.#sums.summary(), this.#heard) : this.#sums.summary();
    return this.#summary;
  }

  /** What was really done, and what became of it. */
  get acted(): Acted {
    return this.#sums.state.acted;
  }

  /** Takes in the ledger's own figures of the session. */
  hear(row: { first: number; last: number }): void {
    if (row.first === this.#heard?.first && row.last === this.#heard.last) return;
    this.#heard = row;
    this.#summary = undefined;
  }

  /** What became of a plan, if that is known. */
  outcomeOf(agent: string | undefined, plan: string): Outcome['outcome'] | undefined {
    return this.#plans.get(withinRange({ ...(agent === undefined ? {} : { agent }) }, plan))?.outcome;
  }

  /** Forgets what only matters while the session goes on. */
  rest(): void {
    this.#at.clear();
    restAccount(this.account);
  }

  add(entry: RecordedEntry): void {
    this.#summary = undefined;
    this.#sums.add(entry);
    const hour = this.#hour(entry.at);
    this.#book(hour, entry.at);
    if (entry.kind === 'event') this.#addEvent(entry, entry.data, hour);
    else if (entry.kind === 'fault') hour.faults++;
    else if (entry.kind === 'plan') this.#addPlan(entry, entry.data, hour);
    else if (entry.kind === 'outcome') this.#addOutcome(entry, entry.data);
    else if (entry.data.agent === undefined) this.#addSignal(entry, hour);
  }

  /** What the entry has changed of the account belongs to its hour. */
  #book(hour: HourFigures, at: number): void {
    const before = this.#accounted;
    const after = sumsOf(this.account);
    const { steps, tokens = 0, usd = 0, looped, wasted } = after;
    this.#accounted = after;
    addUp(hour, { steps: steps - before.steps, tokens: tokens - (before.tokens ?? 0), usd: usd - (before.usd ?? 0) });
    addUp(hour, { loops: looped - before.looped });
    for (const name of ['steps', 'tokens', 'usd'] as const) hour.wasted[name] += wasted[name] - before.wasted[name];
    if (steps > before.steps || wasted.steps !== before.wasted.steps)
      addToPulse(this.#pulse, at, steps - before.steps, wasted.steps - before.wasted.steps);
  }

  /** How many steps each part of the last hour had, and how many of them were wasted; nothing where it had none. */
  pulse(now: number): SessionPulse | undefined {
    return readPulse(this.#pulse, now);
  }

  #hour(at: number): HourFigures {
    const number = Math.floor(at / HOUR);
    const hour = this.hours.get(number) ?? startHour();
    this.hours.set(number, hour);
    return hour;
  }

  #agent({ agent = '' }: RecordedEntry): AtWork {
    return rowOf(this.#at, agent, () => ({ step: -1, tool: '', isCounted: false }));
  }

  #addEvent(entry: RecordedEntry, event: RecordedEvent, hour: HourFigures): void {
    const { type } = event;
    const tool = event.seen?.call?.tool ?? event.tool ?? '';
    const agent = this.#agent(entry);
    hour.events++;
    if (tool !== '') Object.assign(agent, { step: entry.step, tool, isCounted: false });
    if (type === 'call-finished' && tool !== '') {
      const row = rowOf(hour.tools, tool, () => ({ calls: 0, failed: 0, looping: 0 }));
      row.calls++;
      if (hasFailed(event)) row.failed++;
    }
    if (type !== 'plan-performed') return;
    const plan = this.#plans.get(withinRange(entry, event.plan ?? ''));
    if (plan && (event.failed || event.rung !== plan.rung)) plan.row.notPerformed++;
  }

  #addSignal(entry: RecordedEntry & { kind: 'signal' }, hour: HourFigures): void {
    const { detector } = entry.data;
    const agent = this.#agent(entry);
    const tool = agent.step === entry.step ? agent.tool : '';
    const row = rowOf(hour.detectors, detector, () => ({ signals: 0, last: 0, tools: new Map<string, number>() }));
    if (!isOnTrial(entry.data)) hour.signals++;
    row.signals++;
    row.last = Math.max(row.last, entry.at);
    if (tool !== '') row.tools.set(tool, (row.tools.get(tool) ?? 0) + 1);
    if (!isOfLoop(entry.data)) return;
    const calls = hour.tools.get(tool);
    if (calls && !agent.isCounted) calls.looping++;
    agent.isCounted = true;
  }

  #addPlan(entry: RecordedEntry, { id, recovery, rung, reason, shadow }: RecordedPlan, hour: HourFigures): void {
    const { tool } = this.#agent(entry);
    const [detector = ''] = reason.split('/', 1);
    const key = { recovery, rung, tool, detector };
    const row = rowOf(hour.plans, [...Object.values(key), shadow].join('\n'), () => ({ ...key, ...noPlans() }));
    row.plans++;
    if (shadow) row.shadow++;
    this.#plans.set(withinRange(entry, id), { row, rung });
    if (this.#plans.size > MAX_PLANS) this.#plans.delete(this.#plans.keys().next().value!);
  }

  /** Each plan counts once, by what became of it in the end; what is told of a plan that is not followed any more counts nowhere. */
  #addOutcome(entry: RecordedEntry, { plan: id, outcome }: Outcome): void {
    const plan = this.#plans.get(withinRange(entry, id));
    if (!plan) return;
    if (plan.outcome) plan.row[plan.outcome]--;
    plan.outcome = outcome;
    plan.row[outcome]++;
  }
}
