import { COMPARED, GROUPED } from '@unrut/ledger/insights/insights';
import { choice, list, maybe, named, numeric, object, text } from '../route/schema-words.ts';
import { wasteSchema } from './guard.ts';

/** Sessions by group, and comparisons of them. */

const shareSchema = object(
  { value: numeric(), low: numeric(), high: numeric() },
  'The share of sessions with a loop, with its 95 % interval; unit: session, clustered by person.',
);

const figures = {
  sessions: numeric('Of a tool or detector: all sessions.'),
  looped: numeric('Sessions with a loop; of a tool or detector: with a loop of it.'),
  share: shareSchema,
  people: numeric('Sessions of unknown people count as one person each.'),
  wasted: wasteSchema,
};

const comparisonSchema = named(
  'InsightsComparison',
  object({
    a: object(figures),
    b: object(figures),
    difference: maybe(
      object(
        {
          value: numeric('The share of b less that of a.'),
          low: numeric(),
          high: numeric(),
          verdict: choice(
            ['fewer', 'more', 'unclear'],
            'What b has of loops, compared with a. `unclear`: not enough to tell.',
          ),
          missing: maybe(
            object(
              { sessions: numeric(), people: numeric() },
              'About how many more each side needs before such a difference can be told.',
            ),
          ),
        },
        'With its 95 % interval; missing if a side has no session.',
      ),
    ),
  }),
  'Two kinds of sessions beside each other.',
);

const sideSchema = object({
  name: text(),
  value: maybe(text()),
  since: maybe(numeric('Epoch milliseconds.')),
  until: maybe(numeric()),
});

export const insightsSchema = named(
  'Insights',
  object({
    since: numeric('Epoch milliseconds: sessions that were last active since.'),
    until: maybe(numeric()),
    by: choice(GROUPED),
    all: object(figures),
    groups: list(
      object({
        value: text('Empty: sessions that do not tell.'),
        ...figures,
        trend: list(
          object({
            at: numeric('When the part begins, in epoch milliseconds.'),
            sessions: numeric('Of a tool or detector: those with a loop of it.'),
            looped: numeric(),
            wasted: wasteSchema,
          }),
          'Over time, without empty parts.',
        ),
        comparison: maybe(comparisonSchema),
      }),
      'Most waste first.',
    ),
    more: numeric('Groups that are left out.'),
    advice: maybe(text('Where to look first.')),
    compared: maybe(object({ by: choice([...COMPARED, 'period']), a: sideSchema, b: sideSchema })),
    comparison: maybe(comparisonSchema),
    verdict: maybe(text('The comparison in a sentence.')),
    releases: list(
      object({ release: text(), at: numeric('When it was first seen, in epoch milliseconds.') }),
      'Releases that were first seen within the time, oldest first.',
    ),
    part: numeric('How long a part of a trend is, in milliseconds.'),
    choices: object(
      {
        repo: list(text()),
        team: list(text()),
        release: list(text()),
        model: list(text()),
        host: list(text()),
      },
      'Values among the newest sessions.',
    ),
  }),
);
