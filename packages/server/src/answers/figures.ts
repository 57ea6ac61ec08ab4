import { LOOP_ENDINGS, type LoopEnding } from '@unrut/engine/account/loop';
import * as v from 'valibot';
import {
  choice,
  flag,
  list,
  maybe,
  named,
  nullable,
  numeric,
  object,
  text,
} from '../route/schema-words.ts';
import { OUTCOMES, outcomeCounts, rung, wasteSchema } from './guard.ts';
import { actedSchema, sessionSchema } from './sessions.ts';

/** Figures of many sessions. */

const planEntries = {
  plans: numeric(),
  shadow: numeric('Only recorded.'),
  notPerformed: numeric('The host could do nothing, or only less.'),
  ...outcomeCounts,
};
export const planFiguresSchema = object(planEntries);

const recoveryFiguresSchema = object({ recovery: text(), rung: rung(), ...planEntries });

export const planRowSchema = named(
  'PlanRow',
  object({
    id: text(),
    session: text(),
    agent: maybe(text()),
    at: numeric(),
    step: numeric(),
    recovery: text(),
    rung: rung(),
    reason: text('`detector/variant` of the signal that it answers.'),
    toModel: text(),
    toHuman: text(),
    shadow: flag(),
    tool: maybe(text()),
    outcome: maybe(choice(OUTCOMES)),
  }),
  'A plan with its outcome.',
);

const loopEntries = {
  loops: numeric(),
  effective: numeric(
    'How many independent loops these are worth, for intervals: those of one session are alike.',
  ),
  endings: object(
    Object.fromEntries([...LOOP_ENDINGS, 'open'].map((ending) => [ending, numeric()])) as Record<
      LoopEnding | 'open',
      ReturnType<typeof numeric>
    >,
    'By itself, after the last thing that was done, by a human, never; open ones go on.',
  ),
};

const loopsSchema = object(
  {
    all: object(loopEntries),
    recoveries: list(
      object({ recovery: text(), rung: rung(), ...loopEntries }),
      'By what was last done about them.',
    ),
    detectors: list(object({ detector: text(), ...loopEntries }), 'By the detector that saw them.'),
  },
  'Where loops ended.',
);

export const recoveriesSchema = named(
  'Recoveries',
  object({
    loops: loopsSchema,
    acted: actedSchema,
    recoveries: list(recoveryFiguresSchema, 'By recovery and rung.'),
    tools: list(
      object({ tool: text(), recovery: text(), ...planEntries }),
      'By the tool at whose step they were made, and the recovery.',
    ),
    detectors: list(
      object({ detector: text(), ...planEntries }),
      'By the detector whose signal they answer.',
    ),
    failures: list(
      object({
        failure: text(),
        world: text(),
        move: text(),
        offered: numeric('Times it was offered.'),
        followed: numeric('Times the agent did it next.'),
        recovered: numeric('Times that this recovered.'),
        reward: nullable(numeric()),
        share: nullable(numeric()),
      }),
      'By the class of the failure: next moves that were offered, followed, and ended well.',
    ),
    latest: list(
      planRowSchema,
      'Newest first; the only place with outcomes of recorded-only plans.',
    ),
  }),
);

export const statsSchema = named(
  'Stats',
  object({
    since: numeric('Epoch milliseconds.'),
    events: numeric(),
    sessions: numeric(),
    looping: numeric('Sessions with a loop.'),
    steps: numeric(),
    loops: numeric(),
    plans: numeric(),
    shadow: numeric('Plans that were only recorded.'),
    outcomes: object(outcomeCounts, 'Each plan counts by its last outcome.'),
    faults: numeric(),
    tokens: numeric(),
    usd: numeric(),
    wasted: wasteSchema,
    detectors: list(object({ detector: text(), signals: numeric(), sessions: numeric() })),
    recoveries: list(recoveryFiguresSchema),
    tools: list(
      object({
        tool: text('The program, for shell commands.'),
        calls: numeric('Calls that ended.'),
        failed: numeric(),
        looping: numeric('Those that were part of a loop.'),
      }),
    ),
    hosts: list(
      object({
        host: text('Empty if it is not known.'),
        sessions: numeric(),
        looping: numeric(),
        steps: numeric(),
        tokens: numeric(),
        usd: numeric(),
        wasted: wasteSchema,
      }),
      "By the agent's program, most steps first.",
    ),
    costliest: list(sessionSchema, 'The sessions that wasted the most.'),
    by: choice(['hour', 'day']),
    time: list(
      object({
        at: numeric('Epoch milliseconds at which the hour or day begins, in UTC.'),
        sessions: numeric('Sessions in which something happened.'),
        steps: numeric(),
        loops: numeric('Loops that were first noticed then.'),
        signals: numeric(),
        plans: numeric(),
        recovered: numeric(),
        tokens: numeric(),
        usd: numeric(),
        wasted: wasteSchema,
      }),
      'Oldest first, without empty hours and days.',
    ),
  }),
);

const setting = v.union([text(), numeric(), flag()]);

export const detectorOptionSchema = object({
  key: text('As in a config: `detectors.cycle.laps`.'),
  value: setting,
  default: setting,
  from: text('The file or variable that sets it, or `default`.'),
  words: text('Why the default is what it is.'),
  variable: text('The environment variable that sets it.'),
});

export const detectorSchema = named(
  'Detector',
  object({
    name: text(),
    words: text('What it sees, in a sentence.'),
    status: choice(['stable', 'witness', 'trial']),
    isOn: flag(),
    rungs: object({ first: rung(), highest: rung() }),
    options: list(detectorOptionSchema),
    signals: numeric(),
    sessions: numeric(),
    last: nullable(numeric('When it last fired; null if it never did.')),
    tools: list(
      object({ tool: text(), signals: numeric() }),
      'Where it fires, most frequent first, at most ten.',
    ),
  }),
  "A detector with the options of the server's folder, and what it has seen.",
);

export const detectorsSchema = named(
  'Detectors',
  object({
    preset: text(),
    shadow: flag(),
    files: object(
      { user: text(), project: maybe(text()) },
      "The user's config file, whether it exists or not, and the project's, if there is one.",
    ),
    problems: list(text(), 'What could not be used of them.'),
    detectors: list(detectorSchema),
  }),
);
