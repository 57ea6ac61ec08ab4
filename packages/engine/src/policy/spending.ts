import type { AgentEvent, Rung } from '../event.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import { reportRequest, sentence, WE } from '../recoveries/wording.ts';
import { budgetLeft } from './budget.ts';
import type { LadderConfig } from './ladder.ts';
import type { Plan } from './plan.ts';
import type { PolicyState } from './policy-state.ts';

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
    const amount = amountOf(budget, kind);
    if (amount === undefined) continue;
    figures[kind] = {
      spent: spentOf(tree, kind),
      limit: amount * (1 + (tree.extended[kind] ?? 0)),
    };
  }
  return figures;
}

const amountOf = ({ day, ...own }: BudgetOptions, kind: BudgetKind): number | undefined =>
  kind === 'day.usd' ? day?.usd : kind === 'day.steps' ? day?.steps : own[kind];

function spentOf(tree: Spending, kind: BudgetKind): number {
  if (kind === 'day.usd') return tree.day.usd;
  if (kind === 'day.steps') return tree.day.steps;
  return kind === 'minutes' ? tree.time / MINUTE : tree[kind];
}

/** The share of a budget at which the agent is told to come to an end. */
const NEAR = 0.8;

interface Figure {
  kind: BudgetKind;
  spent: number;
  limit: number;
}

/** A nested agent may still run when the last one that is allowed was started. */
const isSpent = ({ kind, spent, limit }: Figure): boolean =>
  kind === 'subagents' ? spent > limit : spent >= limit;

const figuresIn = (figures: BudgetFigures): Figure[] =>
  BUDGET_KINDS.flatMap((kind) => (figures[kind] ? [{ kind, ...figures[kind] }] : []));

/** Says what is spent, such as `the budget is spent: $5.02 of $5.00`; undefined if nothing is. */
export function spentText(figures: BudgetFigures): string | undefined {
  const spent = figuresIn(figures).find(isSpent);
  return spent && spentWords(spent);
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

/** What the budget's plan depends on. */
export interface BudgetTurn {
  policy: PolicyState;
  purse: Purse;
  figures: BudgetFigures;
  budget: BudgetOptions;
  seen: Fingerprint;
  config: Pick<LadderConfig, 'can'> & { attended: boolean; partial: boolean };
  /** The plan that the event has already led to. */
  planned: Plan | null;
}

/**
 * The plan for this event: the budget's if it is spent, or nearly spent while nothing else is to be
 * said; otherwise the one that was made already.
 */
export function withBudget(turn: BudgetTurn): Plan | null {
  const { figures, purse, planned, seen } = turn;
  if (!isDeed(seen)) return planned;
  const all = figuresIn(figures);
  const spent = all.filter(isSpent);
  if (spent.length > 0) return spentPlan(turn, spent) ?? planned;
  if (planned) return planned;
  const near = all.find(
    ({ kind, spent, limit }) => spent >= NEAR * limit && !purse.tree.noted.includes(kind),
  );
  return near ? nearPlan(turn, near) : null;
}

/** An event that an answer can be given to. */
const isDeed = ({ type }: Fingerprint): boolean => isProposal(type) || isEnd(type);
const isProposal = (type: Fingerprint['type']): boolean =>
  type === 'call-proposed' || type === 'action-proposed';
const isEnd = (type: Fingerprint['type']): boolean =>
  type === 'call-finished' || type === 'action-finished' || isWhole(type);
/** The agent has reported with it. */
const isWhole = (type: Fingerprint['type']): boolean =>
  type === 'output-finished' || type === 'task-attempted';

function nearPlan(turn: BudgetTurn, near: Figure): Plan | null {
  const rung = firstOf(turn, ['note', 'hint']);
  if (!rung) return null;
  turn.purse.tree.noted.push(near.kind);
  const what = sentence(figureWords(near));
  return planOf(turn, near.kind, rung, {
    toModel: `${WE}: ${what}. Finish the part you are on, then report.`,
    toHuman: `Unrut: ${what}. The agent was told to finish the part it is on.`,
  });
}

function spentPlan(turn: BudgetTurn, spent: readonly Figure[]): Plan | null {
  return turn.config.attended ? askFor(turn, spent) : endFor(turn, spent[0]!);
}

/** Asks the user once, and blocks calls until the user answers. */
function askFor(turn: BudgetTurn, spent: readonly Figure[]): Plan | null {
  const { purse, seen, budget, planned } = turn;
  const { tree } = purse;
  const unasked = spent.find(({ kind }) => !tree.asked.includes(kind));
  if (unasked && turn.config.can.has('escalate')) {
    tree.asked = spent.map(({ kind }) => kind);
    const what = spentWords(unasked);
    const more = amountWords(unasked.kind, amountOf(budget, unasked.kind)!);
    return planOf(turn, unasked.kind, 'escalate', {
      toModel: `${WE}: ${what}. The user was asked whether to go on. Call no more tools: end your turn with what is done and what is left.`,
      toHuman: `Unrut: ${what}. To let the agent go on with ${more} more, tell it to go on.`,
      action: { ask: true, report: sentence(`${what}.`) },
    });
  }
  if (!isProposal(seen.type) || planned?.rung === 'stop' || !turn.config.can.has('block'))
    return null;
  tree.asked = [...new Set([...tree.asked, ...spent.map(({ kind }) => kind)])];
  const what = spentWords(spent[0]!);
  return planOf(turn, spent[0]!.kind, 'block', {
    toModel: `${WE} did not run this call: ${what}, and the user has not answered yet. Call no more tools: end your turn with what is done and what is left.`,
    toHuman: `Unrut blocked a call: ${what}. To let the agent go on, tell it to go on.`,
  });
}

/** Requests the report, blocks one more call, and then stops; what cannot be stopped is blocked. */
function endFor(turn: BudgetTurn, spent: Figure): Plan | null {
  const { seen } = turn;
  if (isWhole(seen.type)) return stopFor(turn, spent);
  return isProposal(seen.type) ? refuseFor(turn, spent) : requestReport(turn, spent);
}

const mayStop = ({ config }: BudgetTurn): boolean => !config.partial && config.can.has('stop');

const stopFor = (turn: BudgetTurn, spent: Figure): Plan | null =>
  mayStop(turn) ? stopPlan(turn, spent, spentWords(spent)) : null;

/** Whether the calls of this response were under way when the end began. */
const isSameResponse = ({ purse: { own }, seen: { batch } }: BudgetTurn): boolean =>
  own.ending?.batch === batch && batch !== '';

/** At something that has finished: requests the report, or stops a run that goes on after that. */
function requestReport(turn: BudgetTurn, spent: Figure): Plan | null {
  const { seen } = turn;
  const { own } = turn.purse;
  if (own.ending) {
    // Some hosts report calls only when they have finished.
    const isLate = !isSameResponse(turn) && !seen.announced && seen.neutral !== 'own';
    return isLate ? stopFor(turn, spent) : null;
  }
  const rung = firstOf(turn, ['escalate', 'hint', 'note']);
  if (!rung) return null;
  own.ending = { batch: seen.batch, refused: 0 };
  const what = spentWords(spent);
  return planOf(turn, spent.kind, rung, {
    toModel: reportRequest(what),
    toHuman: `Unrut: ${what}. The agent was asked for its report.`,
    action: { ask: false, report: sentence(`${what}.`) },
  });
}

/** At a proposed call: blocks it, or stops the run if enough was blocked. */
function refuseFor(turn: BudgetTurn, spent: Figure): Plan | null {
  const { purse, seen, config } = turn;
  const { own } = purse;
  const isUnderWay = isSameResponse(turn);
  own.ending ??= { batch: seen.batch, refused: 0 };
  const mayBlock = config.can.has('block');
  const isEnough = !isUnderWay && own.ending.refused >= MAX_REFUSED;
  if (mayStop(turn) && (!mayBlock || isEnough)) return stopFor(turn, spent);
  if (!mayBlock) return null;
  if (!isUnderWay || own.ending.refused === 0) own.ending.refused++;
  own.ending.batch = seen.batch;
  const what = spentWords(spent);
  return planOf(turn, spent.kind, 'block', {
    toModel: reportRequest(what, true),
    toHuman: `Unrut blocked a call: ${what}. The agent was asked for its report.`,
  });
}

/** Responses whose calls are blocked before the stop: the first may have been under way. */
const MAX_REFUSED = 2;

const stopPlan = (turn: BudgetTurn, { kind, spent, limit }: Figure, what: string): Plan =>
  planOf(turn, kind, 'stop', {
    toModel: `${WE} stopped the run: ${what}.`,
    toHuman: `Unrut stopped the run: ${what}. To go on, raise budget.${kind}.`,
    action: { stop: { code: 'budget', kind, spent: rounded(spent), limit }, resumable: true },
  });

const firstOf = ({ config }: BudgetTurn, rungs: readonly Rung[]): Rung | undefined =>
  rungs.find((rung) => config.can.has(rung));

const planOf = (
  { policy }: BudgetTurn,
  kind: BudgetKind,
  rung: Rung,
  words: Pick<Plan, 'toModel' | 'toHuman' | 'action'>,
): Plan => ({
  id: `p${policy.next++}`,
  recovery: 'keep-budget',
  rung,
  reason: `budget/${kind}`,
  ...words,
  budgetLeft: budgetLeft(policy.budget),
  streak: '',
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

const rounded = (amount: number): number => Math.round(amount * 100) / 100;

/** An amount, such as `$5.00` or `90 minutes`. */
export function amountWords(kind: BudgetKind, amount: number): string {
  const unit = kind.replace('day.', '');
  return unit === 'usd'
    ? `$${amount.toFixed(2)}`
    : `${rounded(amount)} ${amount === 1 ? unit.slice(0, -1) : unit}`;
}

/** What is spent of a limit, such as `$4.00 of $5.00 is spent`. */
export function figureWords({ kind, spent, limit }: Figure): string {
  const isMoney = kind === 'usd' || kind === 'day.usd';
  const amount = isMoney ? amountWords(kind, spent) : String(Math.floor(spent));
  const of = `${amount} of ${amountWords(kind, limit)}`;
  const day = kind.startsWith('day.') ? ' today' : '';
  return isMoney ? `${of} is spent${day}` : `${of} ${limit === 1 ? 'is' : 'are'} used${day}`;
}

const spentWords = (figure: Figure): string =>
  `the budget${figure.kind.startsWith('day.') ? ' of this day' : ''} is spent: ${figureWords(figure).replace(/ (?:is spent|are used|is used)(?: today)?$/, '')}`;
