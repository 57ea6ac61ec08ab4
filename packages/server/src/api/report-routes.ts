import { detectors } from '@unrut/engine/detectors';
import { oneOf } from '@unrut/engine/schema/kinds';
import { addUp, type HourFigures, plansBy } from '@unrut/ledger/figures/hour-figures';
import { type Acted, noOutcomes, SESSION_STATES } from '@unrut/ledger/figures/session-figures';
import { SESSION_ORDERS, WASTE_MEASURES } from '@unrut/ledger/reports/reports';
import { type RecoveryFigures, statsIn } from '@unrut/ledger/reports/stats';
import { trialVerdict } from '@unrut/ledger/trial/trial-text';
import { recoveriesSchema, statsSchema } from '../answers/figures.ts';
import { sessionsSchema, signalsSchema } from '../answers/sessions.ts';
import { trialsSchema } from '../answers/trials.ts';
import { explained, maybe, text } from '../route/schema-words.ts';
import { readRoute } from './look-routes.ts';
import {
  cursorParam,
  cursorText,
  limitOf,
  namesOf,
  originParams,
  sinceParam,
  sinceTime,
} from './query.ts';

const MONTH = 30 * 86_400_000;
const MAX_TOOLS = 50;

/** Lists and figures of many sessions. */
export const reportRoutes = [
  readRoute.get('/v1/sessions', {
    id: 'listSessions',
    summary: 'List agent sessions, most recently active first.',
    query: {
      state: namesOf(SESSION_STATES),
      ...originParams,
      folder: maybe(text('The folder that it works in.')),
      loops: maybe(text('Give 1 for sessions with loops only.')),
      incident: maybe(text('Only sessions of this incident.')),
      sort: maybe(explained(oneOf(SESSION_ORDERS), 'Default: the most recently active first.')),
      since: sinceParam,
      search: maybe(text('Words in the name, program, folder, latest call or loop.')),
      limit: limitOf(50, 1000),
      cursor: cursorParam,
    },
    answer: sessionsSchema,
    async handle({ query: { limit, cursor, state, loops, ...query } }, { reading }) {
      const { next, ...report } = await reading.reports.sessions({
        ...query,
        most: limit,
        since: sinceTime(query.since, reading.now()),
        after: cursor,
        facets: true,
        states: state,
        looped: loops !== undefined,
      });
      return { ...report, next: next && cursorText(next) };
    },
  }),

  readRoute.get('/v1/signals', {
    id: 'listSignals',
    summary: 'List signals, newest first.',
    query: {
      detector: maybe(
        explained(oneOf(detectors.map(({ name }) => name)), 'Only signals of this detector.'),
      ),
      session: maybe(text('Only signals of this session (full name).')),
      since: sinceParam,
      limit: limitOf(50, 500),
      cursor: cursorParam,
    },
    answer: signalsSchema,
    async handle({ query: { detector, session, ...query } }, { reading }) {
      const { signals, next } = await reading.reports.signals({
        most: query.limit,
        since: sinceTime(query.since, reading.now()),
        after: query.cursor,
        session,
        detector,
      });
      return { signals, next: next && cursorText(next) };
    },
  }),

  readRoute.get('/v1/recoveries', {
    id: 'getRecoveries',
    summary: 'Get which recoveries were tried, and how often they worked.',
    query: { since: sinceParam, limit: limitOf(50, 500) },
    answer: recoveriesSchema,
    async handle({ query }, { reading }) {
      const report = await reading.reports.recoveries({
        since: sinceTime(query.since, reading.now()),
        most: query.limit,
      });
      // A shadow plan has no outcome of its own.
      const plans: HourFigures['plans'] = new Map(
        [...report.plans].map(([name, row]) => [
          name,
          row.shadow === 0 ? row : { ...row, ...noOutcomes() },
        ]),
      );
      const acted: Acted = { plans: 0, ...noOutcomes() };
      for (const row of plans.values()) if (row.shadow === 0) addUp(acted, row);
      return {
        loops: report.loops,
        acted,
        recoveries: plansBy(plans, ['recovery', 'rung']) as RecoveryFigures[],
        tools: plansBy(plans, ['tool', 'recovery']),
        detectors: plansBy(plans, ['detector']),
        failures: report.failures,
        latest: report.latest,
      };
    },
  }),

  readRoute.get('/v1/trial', {
    id: 'getTrials',
    summary: 'Compare sessions in which Unrut acts with those in which it only records.',
    answer: trialsSchema,
    async handle(_, { reading }) {
      const trials = await reading.reports.trials();
      return { trials: trials.map((each) => ({ ...each, text: trialVerdict(each) })) };
    },
  }),

  readRoute.get('/v1/stats', {
    id: 'getStats',
    summary: 'Get totals of steps, loops, plans and waste, also over time.',
    query: {
      since: sinceParam,
      by: maybe(explained(oneOf(['hour', 'day']), 'The unit of `time` (default day).')),
      costliest: maybe(
        explained(
          oneOf(WASTE_MEASURES),
          'What `costliest` sessions wasted the most of (default usd).',
        ),
      ),
    },
    answer: statsSchema,
    async handle({ query: { by = 'day', costliest, ...query } }, { reading }) {
      const now = reading.now();
      const since = sinceTime(query.since, now, now - MONTH);
      const report = await reading.reports.stats({ since, by, costliest });
      const statistics = statsIn(report);
      return {
        since,
        events: report.events,
        ...statistics,
        tools: statistics.tools.slice(0, MAX_TOOLS),
        hosts: [...report.hosts]
          .map(([host, row]) => ({ host, ...row }))
          .sort((one, other) => other.steps - one.steps),
        costliest: report.costliest,
        by,
        time: [...report.time]
          .sort(([one], [other]) => one - other)
          .map(([at, figures]) => ({ at, ...figures })),
      };
    },
  }),
];
