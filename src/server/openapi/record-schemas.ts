import { RUNGS } from '../../event.ts';
import { TIMELINE } from '../../views/timeline.ts';
import {
  anything,
  choiceSchema,
  flag,
  list,
  mapOf,
  numberSchema,
  object,
  orNull,
  ref,
  type Schema,
  text,
  time,
  whole,
} from './schema-words.ts';

const OUTCOMES = ['recovered', 'persisted', 'relapsed', 'unknown'];

/** How many plans ended in which way. */
export const outcomeCounts: Readonly<Record<string, Schema>> = Object.fromEntries(OUTCOMES.map((name) => [name, whole()]));
/** Of a signal or a plan. */
export const rung: Schema = choiceSchema(RUNGS, 'How forceful it is, mildest first.');

const evidence = object(
  { variant: text(), count: whole(), since: whole(), keys: list(text()), strength: numberSchema(), facts: mapOf(anything('A fact.')) },
  { target: text(), cap: rung, equal: flag(), insists: flag() },
);

/** Of a signal, wherever it is. */
export const signalFields: Readonly<Record<string, Schema>> = {
  detector: text(),
  variant: text(),
  step: whole('The step at which it was raised.'),
  since: whole('The step at which the repetition began.'),
  count: whole('How often it has repeated.'),
  strength: numberSchema('0 to 1.'),
  rung,
  streak: text('The streak that it belongs to.'),
  evidence,
  text: text('One sentence.'),
};
/** Only where it is not the session itself. */
export const ofAgent: Readonly<Record<string, Schema>> = { agent: text('The nested agent that it is about.') };

const planFields: Readonly<Record<string, Schema>> = {
  id: text(),
  recovery: text(),
  rung,
  reason: text('`detector/variant` of the signal that it answers.'),
  toModel: text('What the model reads.'),
  toHuman: text('What a human reads.'),
  budgetLeft: whole(),
  streak: text(),
};
const planMore: Readonly<Record<string, Schema>> = {
  action: mapOf(anything('What the adapter does.')),
  candidates: list(ref('Candidate'), 'Ranked next actions after a failure.'),
  target: text(),
};
const shownFields = { ...planFields, shadow: flag('Only recorded.') };
const shownMore: Readonly<Record<string, Schema>> = {
  ...planMore,
  performed: object({ rung, failed: flag() }),
  outcome: choiceSchema(OUTCOMES),
};

const outcomeFields: Readonly<Record<string, Schema>> = {
  ...{ plan: text(), recovery: text(), rung, reason: text(), streak: text(), outcome: choiceSchema(OUTCOMES) },
  after: whole('Steps since the plan.'),
};
const outcomeMore: Readonly<Record<string, Schema>> = {
  offer: object({
    ...{ failure: text(), world: text(), target: orNull(text()), offered: list(text()) },
    ...{ did: orNull(text()), followed: orNull(text()), reward: numberSchema() },
  }),
};

const momentFields: Readonly<Record<string, Schema>> = {
  at: time(),
  what: text('Tool and target, or the speaker.'),
  brought: text('The result, in words.'),
  letter: choiceSchema(
    Object.keys(TIMELINE),
    `The result: ${Object.entries(TIMELINE)
      .map(([letter, words]) => `${letter} ${words}`)
      .join(', ')}.`,
  ),
  signals: list(ref('Signal')),
  plans: list(ref('PlanShown')),
  outcomes: list(ref('FoundOut')),
  faults: list(ref('Fault')),
};

const placeOfLoop = object({ start: whole(), noticed: whole(), end: whole() });

/** What the ledger holds. */
export const recordSchemas: Readonly<Record<string, Schema>> = {
  Waste: object({
    steps: whole('Steps after the first lap of a loop.'),
    tokens: numberSchema('Tokens spent on these steps.'),
    usd: numberSchema(),
  }),
  Signal: object(signalFields, ofAgent),
  Candidate: object(
    { name: text(), description: text(), reason: text(), score: numberSchema('-1 to 1.'), risk: text() },
    { tool: text(), args: mapOf(text()), blockedReason: text() },
  ),
  Plan: object(planFields, planMore),
  PlanShown: object(shownFields, shownMore),
  LoopAct: object({
    ...{ rung, recovery: text(), shadow: flag('Only recorded.'), times: whole(), first: whole('A step.'), last: whole('A step.') },
    ...{ notPerformed: whole(), outcomes: object(outcomeCounts) },
    ...{ toModel: text('The words of the last time.'), toHuman: text() },
  }),
  LoopBurst: object({ since: whole(), firedAt: whole(), last: whole(), count: whole(), wasted: ref('Waste'), place: placeOfLoop }),
  Outcome: object(outcomeFields, outcomeMore),
  FoundOut: object(outcomeFields, { ...outcomeMore, shadow: flag('Its plan was only recorded.') }),
  Fault: object({ where: text(), message: text() }),
  Moment: object(momentFields, {
    step: whole('Missing if this is not a step.'),
    ...ofAgent,
    tool: text(),
    ...{ tokens: numberSchema(), usd: numberSchema() },
    loops: list(text(), 'Ids of the loops that it belongs to.'),
  }),
  SessionLoop: object(
    {
      id: text('Its name among the loops of the session.'),
      streak: text(),
      detector: text('The detector with the strongest signal.'),
      variant: text(),
      also: list(text(), 'Other detectors that saw it.'),
      since: whole('The step at which it began.'),
      firedAt: whole('The step at which it was detected.'),
      last: whole('The step at which it was last seen.'),
      place: placeOfLoop,
      bursts: list(ref('LoopBurst'), 'Stretches without a long pause, which add up to the loop.'),
      ...{ count: whole(), strength: numberSchema(), rung, text: text() },
      repeats: list(ref('Moment'), 'The first and last moments that repeat each other.'),
      repeated: whole('How many moments repeat.'),
      acts: list(ref('LoopAct'), 'What was done about it, by rung and recovery.'),
      wasted: ref('Waste'),
      isOpen: flag('Still looping.'),
    },
    ofAgent,
  ),
  ContextEntry: object({
    ...{ id: text(), session: text(), timestamp: time(), entryType: text(), topic: text(), content: text() },
    ...{ relatedTasks: list(text()), confidence: numberSchema(), metadata: mapOf(anything('More details.')) },
  }),
  StreamEntry: object(
    {
      ...{ id: text(), session: text(), at: time(), kind: choiceSchema(['event', 'signal', 'plan', 'outcome', 'fault']), step: whole() },
      ...{ data: mapOf(anything('As it is in the ledger.')), text: text('In one line.') },
    },
    { agent: text() },
  ),
  Verdict: object(
    {
      ...{ signals: list(ref('Signal')), plan: orNull(ref('Plan')), shadow: orNull(ref('Plan')) },
      ...{ outcomes: list(ref('Outcome')), faults: list(ref('Fault')), step: whole() },
    },
    { repeated: flag('An event with this id was already recorded; nothing changed.') },
  ),
};
