import type { Rung } from '../event.ts';
import type { LedgerEntry } from '../ledger/ledger.ts';
import type { Outcome } from '../outcome/outcome.ts';
import type { Fault, Signal } from '../signal.ts';
import { asRecorded, isProposal, isStep, type RecordedEvent, type RecordedPlan, toldBy } from './recorded-entry.ts';
import { within } from './session-summary.ts';

/** A plan, and how far it was carried out. */
export interface PlanShown extends RecordedPlan {
  /** What the adapter reports: the rung that was reached, or that nothing was done. Missing where it reports nothing. */
  performed?: { rung: Rung; failed: boolean };
  /** What became of it in the end, once that is known. */
  outcome?: Outcome['outcome'];
}

/** A moment of a session: a step, or something that is none, such as a person who speaks. */
export interface Moment {
  /** The step's number; missing for what is no step. */
  step?: number;
  /** The nested agent that it belongs to. */
  agent?: string;
  at: number;
  tool?: string;
  /** Tool and target, or who speaks; empty where the record does not tell. */
  what: string;
  /** What it brought, in words. */
  brought: string;
  signals: Signal[];
  plans: PlanShown[];
  outcomes: Outcome[];
  faults: Fault[];
}

/** What happened in a session, moment by moment. All that was seen and done about a step is with the step. */
export function timelineOf(entries: readonly LedgerEntry[]): Moment[] {
  const moments: Moment[] = [];
  const steps = new Map<string, Moment>();
  const plans = new Map<string, PlanShown>();

  function begin({ agent, at }: LedgerEntry, step?: number): Moment {
    const moment: Moment = {
      ...(step === undefined ? {} : { step }),
      at,
      what: '',
      brought: '',
      signals: [],
      plans: [],
      outcomes: [],
      faults: [],
    };
    if (agent !== undefined) moment.agent = agent;
    moments.push(moment);
    return moment;
  }

  function stepOf(entry: LedgerEntry): Moment {
    const key = within(entry, String(entry.step));
    const moment = steps.get(key) ?? begin(entry, entry.step);
    steps.set(key, moment);
    return moment;
  }

  for (const given of entries) {
    const entry = asRecorded(given);
    if (entry.kind === 'signal') stepOf(given).signals.push(entry.data);
    else if (entry.kind === 'fault') stepOf(given).faults.push(entry.data);
    else if (entry.kind === 'plan') {
      const plan: PlanShown = { ...entry.data };
      plans.set(within(entry, plan.id), plan);
      stepOf(given).plans.push(plan);
    } else if (entry.kind === 'outcome') {
      stepOf(given).outcomes.push(entry.data);
      const plan = plans.get(within(entry, entry.data.plan));
      if (plan) plan.outcome = entry.data.outcome;
    } else if (entry.data.type === 'plan-performed') {
      const { plan: id = '', rung, failed = false } = entry.data;
      const plan = plans.get(within(entry, id));
      if (plan && rung) plan.performed = { rung, failed };
    } else if (isStep(entry.data)) Object.assign(stepOf(given), withTool(entry.data));
    else if (isProposal(entry.data)) {
      const moment = stepOf(given);
      if (moment.what === '') Object.assign(moment, withTool(entry.data));
    } else {
      const words = toldBy(entry.data);
      if (words.what !== '') Object.assign(begin(given), words);
    }
  }
  return withoutEmpty(moments);
}

/** What is told of a step that never came, as when the run ends before it, goes to the moment before. */
function withoutEmpty(moments: readonly Moment[]): Moment[] {
  const kept: Moment[] = [];
  for (const moment of moments) {
    const before = kept.at(-1);
    if (moment.what !== '' || before === undefined) {
      kept.push(moment);
      continue;
    }
    before.signals.push(...moment.signals);
    before.plans.push(...moment.plans);
    before.outcomes.push(...moment.outcomes);
    before.faults.push(...moment.faults);
  }
  return kept;
}

const withTool = (event: RecordedEvent): Pick<Moment, 'tool' | 'what' | 'brought'> => ({
  ...(event.tool === undefined ? {} : { tool: event.tool }),
  ...toldBy(event),
});
