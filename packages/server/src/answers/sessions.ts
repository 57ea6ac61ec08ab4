import { SESSION_STATES } from '@unrut/ledger/figures/session-figures';
import { ENTRY_KINDS } from '@unrut/ledger/ledger-entry';
import { TIMELINE } from '@unrut/ledger/views/timeline';
import {
  choice,
  flag,
  json,
  list,
  mapOf,
  mark,
  maybe,
  named,
  numeric,
  object,
  text,
} from '../route/schema-words.ts';
import {
  budgetFiguresSchema,
  faultSchema,
  OUTCOMES,
  outcomeCounts,
  outcomeSchema,
  planSchema,
  rung,
  signalSchema,
  wasteSchema,
} from './guard.ts';

/** Sessions, their moments and their findings. */

/** Of lists. */
export const next = maybe(text('Pass it as `cursor` to get the next page; missing on the last.'));

export const actedSchema = named(
  'Acted',
  object({ plans: numeric(), ...outcomeCounts }),
  'Plans that were performed, and how many of them ended in which way.',
);

const numbers = <Name extends string>(names: readonly Name[], description?: string) =>
  object(
    Object.fromEntries(names.map((name) => [name, numeric()])) as Record<
      Name,
      ReturnType<typeof numeric>
    >,
    description,
  );

export const sessionSchema = named(
  'Session',
  object({
    session: text('Its full name.'),
    name: text('The beginning of its name that no other session has.'),
    project: maybe(text('The project that it belongs to, on a server for organisations.')),
    state: choice(SESSION_STATES),
    failing: mark('It is running without a loop, and its latest calls all failed.'),
    host: maybe(text("The agent's program, if it is known.")),
    folder: maybe(text('The last part of the folder that it works in, if it is known.')),
    first: numeric('Epoch milliseconds.'),
    last: numeric('Epoch milliseconds.'),
    ended: flag('The host reported its end.'),
    steps: numeric('Of the session and its nested agents.'),
    loops: numeric('Loops; advice does not count.'),
    looping: flag('One of the last two steps was part of a loop.'),
    loopingSince: maybe(numeric('When that loop was noticed, in epoch milliseconds.')),
    stuck: mark('It was in a loop at its last steps; it may have ended or fallen silent since.'),
    tokens: numeric('What was spent, as far as the host reports it.'),
    usd: numeric(),
    wasted: wasteSchema,
    plans: numeric(),
    acted: actedSchema,
    highest: maybe(rung('The plan with the most force.')),
    lastPlan: maybe(object({ rung: rung(), at: numeric(), shadow: flag('It was only recorded.') })),
    outcomes: object(outcomeCounts, 'Each plan counts by its last outcome.'),
    doing: maybe(text('The newest call or action, in a few words.')),
    why: maybe(text('What was last said of a loop.')),
    stopped: mark('Unrut stopped the run; since then nothing has run and nobody has spoken.'),
    stall: maybe(
      object(
        {
          of: choice(['call', 'silence']),
          since: numeric('From when on nothing came, in epoch milliseconds.'),
          call: maybe(text('The open call, in a few words.')),
        },
        'What it waits for since its last event, if that may last too long.',
      ),
    ),
    budget: maybe(budgetFiguresSchema),
    mode: maybe(choice(['off', 'shadow'], 'Unrut is switched off there, or only records.')),
    pulse: maybe(
      object(
        { steps: list(numeric()), wasted: list(numeric(), 'Steps whose waste was noticed then.') },
        'Activity in the last hour, in parts of three minutes, oldest first.',
      ),
    ),
  }),
  'A session in a list.',
);

export const sessionsSchema = named(
  'Sessions',
  object({
    sessions: list(sessionSchema),
    total: numeric('All that meet the filter.'),
    looked: maybe(
      numeric('Only the newest so many were looked through: text is searched in no more.'),
    ),
    states: numbers(SESSION_STATES, 'Sessions by state, whatever the filter.'),
    failing: numeric(
      'Of those that are running: their calls fail, and nothing else has happened since.',
    ),
    hosts: list(text(), "The agents' programs that are known."),
    folders: list(text(), 'The folders that are known.'),
    next,
  }),
);

const momentEntries = {
  step: maybe(numeric("The step's number; missing for a moment that is not a step.")),
  agent: maybe(text('The nested agent that it belongs to.')),
  at: numeric(),
  tool: maybe(text()),
  what: text('Tool and target, or who speaks; empty if the record does not say.'),
  brought: text('What it brought, in words.'),
  letter: choice(
    Object.keys(TIMELINE) as (keyof typeof TIMELINE)[],
    Object.entries(TIMELINE)
      .map(([letter, words]) => `\`${letter}\` ${words}`)
      .join(', '),
  ),
  tokens: maybe(numeric('Only if the host reports them.')),
  usd: maybe(numeric()),
  novelty: maybe(numeric('How much of its result was new to the session, 0 to 1.')),
  same: mark('The call returned the same as the last time.'),
  signals: list(signalSchema),
  plans: list(
    named(
      'PlanShown',
      object({
        ...planSchema.entries,
        shadow: flag('It was only recorded.'),
        performed: maybe(
          object({ rung: rung(), failed: flag() }, 'The rung that was reached, as reported.'),
        ),
        outcome: maybe(choice(OUTCOMES)),
      }),
      'A plan, and how far it was carried out.',
    ),
  ),
  faults: list(faultSchema),
};

const momentSchema = named(
  'Moment',
  object({ ...momentEntries, outcomes: list(outcomeSchema) }),
  'A moment of a session: a step, or something else, such as a user who speaks.',
);

export const momentRowSchema = named(
  'MomentRow',
  object({
    ...momentEntries,
    outcomes: list(
      named(
        'FoundOut',
        object({ ...outcomeSchema.entries, shadow: mark('It was only recorded.') }),
      ),
    ),
    loops: maybe(list(text(), 'The ids of `loops` that the step belongs to.')),
  }),
  'A moment of a session, with the loops that it belongs to.',
);

const placeSchema = object(
  { start: numeric(), noticed: numeric(), end: numeric() },
  'Indices of moments; nested agents count their own steps.',
);

const pictureSchema = named(
  'LoopPicture',
  object({
    lanes: list(
      object({
        what: text(),
        times: numeric('Within the loop.'),
        same: numeric('Times that it returned the same as the last time.'),
        failed: numeric(),
        blocked: numeric(),
      }),
      'Calls that were made more than once, the most frequent first.',
    ),
    steps: list(
      object({
        step: maybe(numeric('Missing where the user speaks.')),
        place: numeric('Index of its moment.'),
        lane: numeric('Index of its lane; -1 for what was done once.'),
        letter: momentEntries.letter,
        same: flag('It returned the same as the last time.'),
        novelty: maybe(numeric('How much of the result was new, 0 to 1.')),
        inLoop: flag(),
        act: maybe(
          object(
            { rung: rung(), shadow: flag(), failed: flag(), outcome: maybe(choice(OUTCOMES)) },
            'The plan with the most force that was made there.',
          ),
        ),
      }),
      'Some steps before the loop, its own, and some after it.',
    ),
    left: object(
      { steps: numeric(), before: numeric('Index in `steps`.') },
      'Steps in the middle that are left out, because there are too many.',
    ),
    nothingSince: maybe(numeric('The step of the loop from which on nothing was new.')),
  }),
  'Why a loop is one: its calls in lanes, and what each step brought.',
);

export const sessionLoopSchema = named(
  'SessionLoop',
  object({
    id: text('Its name among the loops of the session.'),
    agent: maybe(text('The nested agent whose loop it is.')),
    streak: text(),
    detector: text('The detector that was surest.'),
    variant: text(),
    also: list(text(), 'Other detectors that saw it.'),
    since: numeric('The step at which the repetition began.'),
    firedAt: numeric('The step at which it was noticed.'),
    last: numeric('The step at which it was last seen.'),
    count: numeric('How often it has repeated.'),
    strength: numeric(),
    rung: rung('The highest rung that it reached.'),
    text: text("What was seen, in the detector's words."),
    place: placeSchema,
    bursts: list(
      object({
        since: numeric(),
        firedAt: numeric(),
        last: numeric(),
        count: numeric(),
        wasted: wasteSchema,
        place: placeSchema,
      }),
      'Stretches without a long pause, oldest first.',
    ),
    wasted: wasteSchema,
    repeats: list(
      momentSchema,
      'Moments that repeat each other: the first three and the last three.',
    ),
    repeated: numeric('How many there are of them.'),
    acts: list(
      object({
        rung: rung(),
        recovery: text(),
        shadow: flag('It was only recorded.'),
        times: numeric(),
        first: numeric('The step of the first time.'),
        last: numeric('The step of the last time.'),
        notPerformed: numeric('Times that the host could do nothing, or only less.'),
        outcomes: object(outcomeCounts),
        toModel: text('The words of the last time.'),
        toHuman: text(),
      }),
      'What was done about it, in the order in which it was first done.',
    ),
    picture: pictureSchema,
    isOpen: flag('One of the last two steps was part of it.'),
  }),
  'A loop of a session, in one burst or with pauses in several.',
);

export const sessionControlSchema = object(
  {
    isOff: flag('Unrut is switched off for it.'),
    canStop: flag('Its program obeys when it is told to stop.'),
    isStopping: flag('It will be stopped at its next call.'),
  },
  'What can be done about the session; missing if nothing can be done from here.',
);

export const sessionInFullSchema = named(
  'SessionInFull',
  object({
    session: sessionSchema,
    control: maybe(sessionControlSchema),
    loops: list(sessionLoopSchema, 'All loops, also those whose steps are on another page.'),
    earlier: object(
      { bursts: numeric(), wasted: wasteSchema },
      'Bursts of loops that are only counted, because there are too many.',
    ),
    ignoredStop: maybe(
      object(
        { step: numeric(), steps: numeric(), place: numeric('Index of its moment.') },
        'Unrut stopped the run at this step, and it went on for so many steps.',
      ),
    ),
    moments: list(momentRowSchema, 'Oldest first.'),
    total: numeric('All moments; those of this page begin at `offset`.'),
    offset: numeric(),
    strip: text('The letters of all moments.'),
    seconds: list(numeric(), 'Seconds since the first moment, for all moments.'),
    acts: text('For all moments: the place of the highest rung among all rungs, 0 for none.'),
    cut: flag('Older entries were left out, because there are too many.'),
  }),
);

const signalRowSchema = named(
  'SignalRow',
  object({
    id: text(),
    session: text(),
    at: numeric(),
    host: maybe(text("The agent's program, if it is known.")),
    tool: maybe(text('The tool at that step, if it is known.')),
    advice: flag('It only advises, and does not count as a loop.'),
    ...signalSchema.entries,
  }),
  'A signal, and where it was seen.',
);

export const signalsSchema = named('Signals', object({ signals: list(signalRowSchema), next }));

export const actSchema = named(
  'ActAnswer',
  object({
    text: text('What was done, in a sentence.'),
    results: maybe(
      list(
        object({
          session: text(),
          done: flag(),
          text: text('What was done, or why it was not.'),
        }),
        'Of many sessions, each.',
      ),
    ),
  }),
);

export const entrySchema = named(
  'Entry',
  object({
    id: text('Unique.'),
    session: text('Empty for a fault that belongs to no session.'),
    agent: maybe(text()),
    at: numeric('Epoch milliseconds, from the event.'),
    kind: choice([...ENTRY_KINDS, 'piece']),
    step: numeric('The step that it belongs to.'),
    data: mapOf(json, 'Redacted, without arguments and results.'),
  }),
);

export const streamEntrySchema = named(
  'StreamEntry',
  object({ text: text('In one line.'), ...entrySchema.entries }),
);
