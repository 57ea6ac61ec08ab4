import type { Rung } from '../event.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import { reportRequest, sentence, WE } from '../recoveries/wording.ts';
import { budgetLeft } from './budget.ts';
import type { LadderConfig } from './ladder.ts';
import type { Plan } from './plan.ts';
import type { PolicyState } from './policy-state.ts';
import {
  amountWords,
  type BudgetFigure,
  type BudgetFigures,
  type BudgetKind,
  type BudgetOptions,
  budgetLimit,
  budgetSpentWords,
  figuresIn,
  figureWords,
  isSpent,
  type Purse,
  roundedAmount,
} from './spending.ts';

/** The share of a budget at which the agent is told to come to an end. */
const NEAR = 0.8;

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

function nearPlan(turn: BudgetTurn, near: BudgetFigure): Plan | null {
  const rung = firstOf(turn, ['note', 'hint']);
  if (!rung) return null;
  turn.purse.tree.noted.push(near.kind);
  const what = sentence(figureWords(near));
  return planOf(turn, near.kind, rung, {
    toModel: `${WE}: ${what}. Finish the part you are on, then report.`,
    toHuman: `Unrut: ${what}. The agent was told to finish the part it is on.`,
  });
}

function spentPlan(turn: BudgetTurn, spent: readonly BudgetFigure[]): Plan | null {
  return turn.config.attended ? askFor(turn, spent) : endFor(turn, spent[0]!);
}

/** Asks the user once, and blocks calls until the user answers. */
function askFor(turn: BudgetTurn, spent: readonly BudgetFigure[]): Plan | null {
  const { purse, seen, budget, planned } = turn;
  const { tree } = purse;
  const unasked = spent.find(({ kind }) => !tree.asked.includes(kind));
  if (unasked && turn.config.can.has('escalate')) {
    tree.asked = spent.map(({ kind }) => kind);
    const what = budgetSpentWords(unasked);
    const more = amountWords(unasked.kind, budgetLimit(budget, unasked.kind)!);
    return planOf(turn, unasked.kind, 'escalate', {
      toModel: `${WE}: ${what}. The user was asked whether to go on. Call no more tools: end your turn with what is done and what is left.`,
      toHuman: `Unrut: ${what}. To let the agent go on with ${more} more, tell it to go on.`,
      action: { ask: true, report: sentence(`${what}.`) },
    });
  }
  if (!isProposal(seen.type) || planned?.rung === 'stop' || !turn.config.can.has('block'))
    return null;
  tree.asked = [...new Set([...tree.asked, ...spent.map(({ kind }) => kind)])];
  const what = budgetSpentWords(spent[0]!);
  return planOf(turn, spent[0]!.kind, 'block', {
    toModel: `${WE} did not run this call: ${what}, and the user has not answered yet. Call no more tools: end your turn with what is done and what is left.`,
    toHuman: `Unrut blocked a call: ${what}. To let the agent go on, tell it to go on.`,
  });
}

/** Requests the report, blocks one more call, and then stops; what cannot be stopped is blocked. */
function endFor(turn: BudgetTurn, spent: BudgetFigure): Plan | null {
  const { seen } = turn;
  if (isWhole(seen.type)) return stopFor(turn, spent);
  return isProposal(seen.type) ? refuseFor(turn, spent) : requestReport(turn, spent);
}

const mayStop = ({ config }: BudgetTurn): boolean => !config.partial && config.can.has('stop');

const stopFor = (turn: BudgetTurn, spent: BudgetFigure): Plan | null =>
  mayStop(turn) ? stopPlan(turn, spent, budgetSpentWords(spent)) : null;

/** Whether the calls of this response were under way when the end began. */
const isSameResponse = ({ purse: { own }, seen: { batch } }: BudgetTurn): boolean =>
  own.ending?.batch === batch && batch !== '';

/**
 * At something that has finished: requests the report, or stops a run that continues after that.
 */
function requestReport(turn: BudgetTurn, spent: BudgetFigure): Plan | null {
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
  const what = budgetSpentWords(spent);
  return planOf(turn, spent.kind, rung, {
    toModel: reportRequest(what),
    toHuman: `Unrut: ${what}. The agent was asked for its report.`,
    action: { ask: false, report: sentence(`${what}.`) },
  });
}

/** At a proposed call: blocks it, or stops the run if enough was blocked. */
function refuseFor(turn: BudgetTurn, spent: BudgetFigure): Plan | null {
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
  const what = budgetSpentWords(spent);
  return planOf(turn, spent.kind, 'block', {
    toModel: reportRequest(what, true),
    toHuman: `Unrut blocked a call: ${what}. The agent was asked for its report.`,
  });
}

/** Responses whose calls are blocked before the stop: the first may have been under way. */
const MAX_REFUSED = 2;

const stopPlan = (turn: BudgetTurn, { kind, spent, limit }: BudgetFigure, what: string): Plan =>
  planOf(turn, kind, 'stop', {
    toModel: `${WE} stopped the run: ${what}.`,
    toHuman: `Unrut stopped the run: ${what}. To go on, raise budget.${kind}.`,
    action: { stop: { code: 'budget', kind, spent: roundedAmount(spent), limit }, resumable: true },
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
