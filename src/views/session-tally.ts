import type { Outcome } from '../outcome/outcome.ts';
import { addUp, type HourFigures, noPlans, noWaste, type PlanFigures, rowOf, startHour, type Waste } from './hour-figures.ts';
import { hasFailed, isStep, type RecordedEntry, type RecordedEvent, type RecordedPlan } from './recorded-entry.ts';
import { createSessionSums, isOwnLoop, type SessionSummary, type SessionSums, within, withPieces } from './session-summary.ts';
import { StepCosts } from './step-costs.ts';

const HOUR = 3_600_000;
/** Plans of a session that are followed, the oldest out first. */
const MOST_PLANS = 1000;

/** What an agent did last. */
interface AtWork {
  step: number;
  tool: string;
  /** That step was counted as part of a loop: several detectors may speak of one. */
  isCounted: boolean;
  costs: StepCosts;
}

/** A session in figures, counted entry by entry in the order in which they came, so that none has to be read twice. */
export class SessionTally {
  /** By the hour that they belong to, in hours since 1970. */
  readonly hours: Map<number, HourFigures> = new Map();
  readonly #sums: SessionSums;
  readonly #streaks = new Set<string>();
  readonly #plans = new Map<string, { row: PlanFigures; rung: string; outcome?: Outcome['outcome'] }>();
  /** What each agent was at lately. Forgotten by `rest`. */
  readonly #at = new Map<string, AtWork>();
  #summary: SessionSummary | undefined;
  #heard: { first: number; last: number } | undefined;

  constructor(session: string) {
    this.#sums = createSessionSums(session);
  }

  get summary(): SessionSummary {
    this.#summary ??= this.#heard ? withPieces(this.#sums.summary(), this.#heard) : this.#sums.summary();
    return this.#summary;
  }

  /** Takes in the ledger's own figures of the session. */
  hear(row: { first: number; last: number }): void {
    if (row.first === this.#heard?.first && row.last === this.#heard.last) return;
    this.#heard = row;
    this.#summary = undefined;
  }

  /** Tokens, dollars and waste of the whole session. */
  get costs(): { tokens: number; usd: number; wasted: Waste } {
    const costs = { tokens: 0, usd: 0, wasted: noWaste() };
    for (const hour of this.hours.values()) {
      addUp(costs, hour);
      addUp(costs.wasted, hour.wasted);
    }
    return costs;
  }

  /** What became of a plan, if that is known. */
  outcomeOf(agent: string | undefined, plan: string): Outcome['outcome'] | undefined {
    return this.#plans.get(within({ ...(agent === undefined ? {} : { agent }) }, plan))?.outcome;
  }

  /** Forgets what only matters while the session goes on. */
  rest(): void {
    this.#at.clear();
  }

  add(entry: RecordedEntry): void {
    this.#summary = undefined;
    this.#sums.add(entry);
    const hour = this.#hour(entry.at);
    if (entry.kind === 'event') this.#addEvent(entry, entry.data, hour);
    else if (entry.kind === 'fault') hour.faults++;
    else if (entry.kind === 'plan') this.#addPlan(entry, entry.data, hour);
    else if (entry.kind === 'outcome') this.#addOutcome(entry, entry.data, hour);
    else if (entry.data.agent === undefined) this.#addSignal(entry, hour);
  }

  #hour(at: number): HourFigures {
    const number = Math.floor(at / HOUR);
    const hour = this.hours.get(number) ?? startHour();
    this.hours.set(number, hour);
    return hour;
  }

  #agent({ agent = '' }: RecordedEntry): AtWork {
    const onWaste = (waste: Waste, at: number): void => void addUp(this.#hour(at).wasted, waste);
    return rowOf(this.#at, agent, () => ({ step: -1, tool: '', isCounted: false, costs: new StepCosts(onWaste) }));
  }

  #addEvent(entry: RecordedEntry, event: RecordedEvent, hour: HourFigures): void {
    const { type, cost = {} } = event;
    const counts = isStep(event);
    const tool = event.seen?.call?.tool ?? event.tool ?? '';
    const agent = this.#agent(entry);
    hour.events++;
    if (counts) hour.steps++;
    addUp(hour, cost);
    if (counts || event.cost) agent.costs.spend(entry.step, entry.at, counts, cost);
    if (tool !== '') Object.assign(agent, { step: entry.step, tool, isCounted: false });
    if (type === 'call-finished' && tool !== '') {
      const row = rowOf(hour.tools, tool, () => ({ calls: 0, failed: 0, looping: 0 }));
      row.calls++;
      if (hasFailed(event)) row.failed++;
    }
    if (type !== 'plan-performed') return;
    const plan = this.#plans.get(within(entry, event.plan ?? ''));
    if (plan && (event.failed || event.rung !== plan.rung)) plan.row.notPerformed++;
  }

  #addSignal(entry: RecordedEntry & { kind: 'signal' }, hour: HourFigures): void {
    const { detector, streak } = entry.data;
    const agent = this.#agent(entry);
    const tool = agent.step === entry.step ? agent.tool : '';
    const row = rowOf(hour.detectors, detector, () => ({ signals: 0, last: 0, tools: new Map<string, number>() }));
    hour.signals++;
    row.signals++;
    row.last = Math.max(row.last, entry.at);
    if (tool !== '') row.tools.set(tool, (row.tools.get(tool) ?? 0) + 1);
    if (!isOwnLoop(entry)) return;
    const name = within(entry, streak);
    if (!this.#streaks.has(name)) hour.loops++;
    this.#streaks.add(name);
    agent.costs.loop(streak, { ...entry.data, step: entry.step });
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
    this.#plans.set(within(entry, id), { row, rung });
    if (this.#plans.size > MOST_PLANS) this.#plans.delete(this.#plans.keys().next().value!);
  }

  /** Each plan counts by what became of it in the end. Of a plan that is not known any more only the outcome counts. */
  #addOutcome(entry: RecordedEntry, { plan: id, recovery, rung, reason, outcome }: Outcome, hour: HourFigures): void {
    const plan = this.#plans.get(within(entry, id));
    if (!plan) {
      const [detector = ''] = reason.split('/', 1);
      const key = { recovery, rung, tool: '', detector };
      rowOf(hour.plans, Object.values(key).join('\n'), () => ({ ...key, ...noPlans() }))[outcome]++;
      return;
    }
    if (plan.outcome) plan.row[plan.outcome]--;
    plan.outcome = outcome;
    plan.row[outcome]++;
  }
}
