import { RUNGS } from '@unrut/engine/event';
import * as v from 'valibot';
import {
  choice,
  flag,
  json,
  list,
  mapOf,
  mark,
  maybe,
  named,
  nullable,
  numeric,
  object,
  text,
} from '../route/schema-words.ts';

/** The guard's answer to an event. */

export const rung = (description?: string) => choice(RUNGS, description);

export const wasteSchema = named(
  'Waste',
  object({ steps: numeric(), tokens: numeric(), usd: numeric() }),
  'Cost of loops: steps after the first lap of a loop, and what was spent on them.',
);

const loopPriceSchema = named(
  'LoopPrice',
  object({
    steps: numeric('Steps with a known result that brought nothing.'),
    minutes: numeric('Minutes between these steps, without the time that model and tools took.'),
    usd: maybe(numeric('Only if the host reports them.')),
    tokens: maybe(numeric()),
  }),
  'What a session has spent since its last progress, once an advised loop is open.',
);

const evidenceSchema = named(
  'Evidence',
  object({
    variant: text(),
    count: numeric('Repeats so far.'),
    since: numeric('The step at which the repetition began.'),
    keys: list(text(), 'The fingerprints that repeat.'),
    target: maybe(text('The thing that the repetition is about, if there is one.')),
    strength: numeric('0..1: how certain the detector is.'),
    equal: maybe(flag('What repeats is known to be equal.')),
    world: maybe(
      choice(['closed', 'open', 'undecided'], 'Blocks and stops need the closed world.'),
    ),
    from: maybe(rung("The rung to begin with, if it is not the detector's first.")),
    cap: maybe(rung('The highest rung that this evidence alone justifies.')),
    rule: maybe(text('The rule by which the last repeat counts, if the detector has rules.')),
    trusted: mark('Counts as part of a loop although its detector is on trial elsewhere.'),
    insists: maybe(flag('The note is due at every step.')),
    holds: mark('The proposed call should not run, whatever its arguments.'),
    facts: mapOf(json, 'Redacted facts that texts may quote.'),
  }),
  'The pattern that a detector sees, as facts.',
);

const price = maybe(loopPriceSchema);

export const signalSchema = named(
  'Signal',
  object({
    detector: text(),
    variant: text(),
    step: numeric('The step at which it was raised.'),
    since: numeric(),
    count: numeric(),
    strength: numeric(),
    rung: rung("The rung of this step's plan; without a plan, the streak's current rung."),
    streak: text('The streak that it belongs to.'),
    evidence: evidenceSchema,
    text: text(),
    price,
    agent: maybe(text('The nested agent that it is about, if that is not the reader.')),
  }),
  "A detector's evidence with its text and its place on the ladder.",
);

const candidateSchema = named(
  'Candidate',
  object({
    name: text('The name of the move, under which outcomes are learned.'),
    tool: maybe(text('A tool that the host has; missing if none is known.')),
    description: text('What to do, in words.'),
    args: maybe(
      mapOf(v.union([text(), numeric(), flag()]), 'Arguments, if they are known and harmless.'),
    ),
    reason: text('Why it may help. Never empty.'),
    score: numeric('-1..1, rounded to three decimals.'),
    risk: choice(['read_only', 'reversible', 'side_effect_possible']),
    blockedReason: maybe(text('Why it may not be offered; it is then never shown to the model.')),
  }),
  'A concrete next action after a failed call. It is only advice.',
);

export const planSchema = named(
  'Plan',
  object({
    id: text('Adapters use it to report on the plan.'),
    recovery: text(),
    rung: rung(),
    byPrice: mark('Made because of what the loop has cost.'),
    reason: text('The signal that it answers: `detector/variant`.'),
    toModel: text(),
    toHuman: text('For the person who uses the agent.'),
    more: maybe(text('A command that shows an operator more.')),
    action: maybe(mapOf(json, 'What an adapter should do.')),
    candidates: maybe(
      list(candidateSchema, 'Next actions: first those that may be offered, best first.'),
    ),
    target: maybe(text()),
    first: mark('The first plan of its streak.'),
    budgetLeft: numeric('Forceful plans that this session may still make.'),
    streak: text(),
    price,
  }),
  'What should be done about a streak. Adapters perform it.',
);

const offerSchema = named(
  'Offer',
  object({
    failure: text(),
    target: nullable(text()),
    world: choice(['file', 'other', 'page']),
    offered: list(text(), 'The moves that were offered, best first.'),
    did: nullable(text('What the agent did next.')),
    followed: nullable(text('The offered move that the agent followed.')),
    reward: numeric('-1..1.'),
  }),
  'A failed step, what was offered after it, and what the agent did.',
);

export const OUTCOMES = ['recovered', 'persisted', 'relapsed', 'unknown'] as const;

export const outcomeSchema = named(
  'Outcome',
  object({
    plan: text(),
    recovery: text(),
    rung: rung('The rung that was performed.'),
    reason: text('The signal that the plan answered.'),
    streak: text(),
    outcome: choice(
      OUTCOMES,
      '`recovered`: the failing call succeeded later, or the agent moved on with progress. `persisted`: the streak continued. `relapsed`: it came back after a recovery. `unknown`: none of these was seen.',
    ),
    after: numeric('Steps and thoughts between the plan and its outcome.'),
    failed: mark('The plan could not be performed.'),
    offer: maybe(offerSchema),
  }),
  'The result of a plan.',
);

/** How many plans ended in which way. */
export const outcomeCounts = {
  recovered: numeric(),
  persisted: numeric(),
  relapsed: numeric(),
  unknown: numeric(),
};

export const faultSchema = named(
  'Fault',
  object({
    where: text('`event`, `guard`, `ledger`, or the name of a detector or recovery.'),
    message: text(),
  }),
  'Something inside the guard went wrong. The agent never notices.',
);

const LIMITS = ['usd', 'steps', 'minutes', 'subagents', 'day.usd', 'day.steps'] as const;
const limit = maybe(object({ spent: numeric(), limit: numeric() }));

export const budgetFiguresSchema = named(
  'BudgetFigures',
  object({
    usd: limit,
    steps: limit,
    minutes: limit,
    subagents: limit,
    'day.usd': limit,
    'day.steps': limit,
  }),
  'What is spent of each limit, and the limit with what the user added to it.',
);

const verdictSchema = named(
  'Verdict',
  object({
    repeated: mark('An event of this id was here before. This is the verdict it got then.'),
    signals: list(signalSchema),
    plan: nullable(planSchema),
    shadow: nullable(planSchema),
    figures: maybe(mapOf(numeric(), 'Numbers about this step for programs, by name.')),
    budget: maybe(object({ figures: budgetFiguresSchema, extended: maybe(list(choice(LIMITS))) })),
    outcomes: list(outcomeSchema),
    faults: list(faultSchema),
    price,
    step: numeric('The step that the event belongs to.'),
  }),
  'What the guard says about an event: `plan` is to be performed, `shadow` was only recorded.',
);

export const verdictsSchema = named('Verdicts', object({ verdicts: list(verdictSchema) }));
