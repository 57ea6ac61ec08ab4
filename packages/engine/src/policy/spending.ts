import type { AgentEvent } from '../event.ts';
import type { Plan } from './plan.ts';

/** What the user allows to be spent. Each limit is optional. */
export interface BudgetOptions {
  /** Dollars, as far as the host or a price table reports them. */
  usd?: number;
  /** Minutes in which the agent works. The time before a message of the user does not count. */
  minutes?: number;
  /** Finished calls, messages and iterations. */
  steps?: number;
  /** Nested agents that are started. */
  subagents?: number;
  /** All sessions of the ledger since midnight. */
  day?: { usd?: number; steps?: number };
}

/** What is limited, in the order in which it is reported. */
export const BUDGET_KINDS = [
  'usd',
  'minutes',
  'steps',
  'subagents',
  'day.usd',
  'day.steps',
] as const;
export type BudgetKind = (typeof BUDGET_KINDS)[number];

/** What is spent of each limit, and the limit with what the user added to it. */
export type BudgetFigures = { [kind in BudgetKind]?: { spent: number; limit: number } };

/** What a session or a nested agent has spent. Kept only if there is a budget. */
export interface Spending {
  usd: number;
  /** Milliseconds. */
  time: number;
  steps: number;
  subagents: number;
  /** What nested runs spent that this one has not yet reported to its own parent. */
  owed: { usd: number; time: number; steps: number; subagents: number };
  /** The time of the latest event; null before the first. */
  last: number | null;
  /** The user's day so far, as the ledger reported it last. */
  day: { usd: number; steps: number };
  /** How many times the user has added the amount again. */
  extended: { [kind in BudgetKind]?: number };
  /** Limits whose note was given. */
  noted: BudgetKind[];
  /** Limits that the user was asked about and has not answered yet. */
  asked: BudgetKind[];
  /** The agent was asked for its report. `refused` counts the calls blocked since. */
  ending: { batch: string; refused: number } | null;
}

export const startSpending = (): Spending => ({
  usd: 0,
  time: 0,
  steps: 0,
  subagents: 0,
  owed: nothing(),
  last: null,
  day: { usd: 0, steps: 0 },
  extended: {},
  noted: [],
  asked: [],
  ending: null,
});

const nothing = (): Spending['owed'] => ({ usd: 0, time: 0, steps: 0, subagents: 0 });

/** The agent at work, and the session that pays for it: its own, or the one it reports to. */
export interface Purse {
  own: Spending;
  tree: Spending;
}

/** Events that end the user's absence: the silence before them is not working time. */
const AFTER_A_PAUSE: ReadonlySet<AgentEvent['type']> = new Set(['user-spoke', 'session-ended']);

/** Adds what one event spent. `isStep`: it ended a step. */
export function countSpending({ own, tree }: Purse, event: AgentEvent, isStep: boolean): void {
  const { at, type, cost, spentToday } = event;
  const isNested = own !== tree;
  // An iteration of an outer loop is not a nested agent.
  const isNew = isNested && own.last === null && event.agent !== undefined;
  const isPause = tree.last === null || AFTER_A_PAUSE.has(type);
  const amounts = {
    usd: isAmount(cost?.usd) ? cost.usd : 0,
    time: isPause ? 0 : Math.max(0, at - tree.last!),
    steps: isStep ? 1 : 0,
    subagents: isNew ? 1 : 0,
  };
  add(tree, amounts);
  if (isNested) {
    add(tree, own.owed);
    add(tree.owed, own.owed);
    own.owed = nothing();
    own.last = at;
  }
  add(tree.owed, amounts);
  tree.last = Math.max(tree.last ?? at, at);
  if (spentToday)
    tree.day = {
      usd: (isAmount(spentToday.usd) ? spentToday.usd : 0) + amounts.usd,
      steps: (isAmount(spentToday.steps) ? spentToday.steps : 0) + amounts.steps,
    };
}

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

function add(sum: Spending['owed'], more: Spending['owed']): void {
  sum.usd += more.usd;
  sum.time += more.time;
  sum.steps += more.steps;
  sum.subagents += more.subagents;
}

const MINUTE = 60_000;

/** What is spent of each limit that is set. */
export function budgetFigures(tree: Spending, budget: BudgetOptions): BudgetFigures {
  const figures: BudgetFigures = {};
  for (const kind of BUDGET_KINDS) {
    const amount = budgetLimit(budget, kind);
    if (amount === undefined) continue;
    figures[kind] = {
      spent: spentOf(tree, kind),
      limit: amount * (1 + (tree.extended[kind] ?? 0)),
    };
  }
  return figures;
}

export const budgetLimit = (
  { day, ...own }: BudgetOptions,
  kind: BudgetKind,
): number | undefined =>
  kind === 'day.usd' ? day?.usd : kind === 'day.steps' ? day?.steps : own[kind];

function spentOf(tree: Spending, kind: BudgetKind): number {
  if (kind === 'day.usd') return tree.day.usd;
  if (kind === 'day.steps') return tree.day.steps;
  return kind === 'minutes' ? tree.time / MINUTE : tree[kind];
}

/** What is spent of one limit. */
export interface BudgetFigure {
  kind: BudgetKind;
  spent: number;
  limit: number;
}

/** A nested agent may still run when the last one that is allowed was started. */
export const isSpent = ({ kind, spent, limit }: BudgetFigure): boolean =>
  kind === 'subagents' ? spent > limit : spent >= limit;

export const figuresIn = (figures: BudgetFigures): BudgetFigure[] =>
  BUDGET_KINDS.flatMap((kind) => (figures[kind] ? [{ kind, ...figures[kind] }] : []));

/** Says what is spent, such as `the budget is spent: $5.02 of $5.00`; undefined if nothing is. */
export function spentText(figures: BudgetFigures): string | undefined {
  const spent = figuresIn(figures).find(isSpent);
  return spent && budgetSpentWords(spent);
}

/** The smallest share that is left of any limit, 0..1. */
export const shareLeft = (figures: BudgetFigures): number =>
  Math.min(1, ...figuresIn(figures).map(({ spent, limit }) => Math.max(0, 1 - spent / limit)));

/** What is left of each limit, such as `$1.20 of $5.00`. */
export const leftTexts = (figures: BudgetFigures): string[] =>
  figuresIn(figures).map(({ kind, spent, limit }) => {
    const left = Math.max(0, limit - spent);
    const isMoney = kind === 'usd' || kind === 'day.usd';
    const amount = isMoney ? amountWords(kind, left) : String(Math.ceil(left));
    return `${amount} of ${amountWords(kind, limit)}${kind.startsWith('day.') ? ' today' : ''}`;
  });

/** Whether a plan is about the budget and not about a loop. */
export const isOfBudget = ({ reason }: Pick<Plan, 'reason'>): boolean =>
  reason.startsWith('budget/');

/** The user spoke: what was asked about is allowed once more. Returns the limits that grew. */
export function extendBudget({ own, tree }: Purse, attended: boolean): BudgetKind[] {
  if (own !== tree || !attended || tree.asked.length === 0) return [];
  const grown = tree.asked;
  for (const kind of grown) tree.extended[kind] = (tree.extended[kind] ?? 0) + 1;
  tree.noted = tree.noted.filter((kind) => !grown.includes(kind));
  tree.asked = [];
  tree.ending = null;
  return grown;
}

export const roundedAmount = (amount: number): number => Math.round(amount * 100) / 100;

/** An amount, such as `$5.00` or `90 minutes`. */
export function amountWords(kind: BudgetKind, amount: number): string {
  const unit = kind.replace('day.', '');
  return unit === 'usd'
    ? `$${amount.toFixed(2)}`
    : `${roundedAmount(amount)} ${amount === 1 ? unit.slice(0, -1) : unit}`;
}

/** What is spent of a limit, such as `$4.00 of $5.00 is spent`. */
export function figureWords({ kind, spent, limit }: BudgetFigure): string {
  const isMoney = kind === 'usd' || kind === 'day.usd';
  const amount = isMoney ? amountWords(kind, spent) : String(Math.floor(spent));
  const of = `${amount} of ${amountWords(kind, limit)}`;
  const day = kind.startsWith('day.') ? ' today' : '';
  return isMoney ? `${of} is spent${day}` : `${of} ${limit === 1 ? 'is' : 'are'} used${day}`;
}

export const budgetSpentWords = (figure: BudgetFigure): string =>
  `the budget${figure.kind.startsWith('day.') ? ' of this day' : ''} is spent: ${figureWords(figure).replace(/ (?:is spent|are used|is used)(?: today)?$/, '')}`;
