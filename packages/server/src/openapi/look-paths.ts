import { detectors } from '@unrut/engine/detectors';
import { oneOf } from '@unrut/engine/schema/kinds';
import { SESSION_STATES } from '@unrut/ledger/figures/session-figures';
import { ENTRY_KINDS } from '@unrut/ledger/ledger-entry';
import { WASTE_MEASURES } from '@unrut/ledger/reports/reports';
import { aCursor, aTime, namesOf, wholeFrom } from '../api/query.ts';
import {
  ALWAYS,
  BAD_QUERY,
  inPath,
  inQuery,
  type Operation,
  operation,
  type Parameter,
  type Paths,
  refusals,
} from './operation.ts';
import { ref, whole } from './schema-words.ts';

/** Of lists. */
export const limitParameter = (usual: number, most: number): Parameter =>
  inQuery('limit', `Max number of results (default ${usual}).`, wholeFrom(1, most));
export const sinceParameter = inQuery(
  'since',
  'Only what happened since: epoch milliseconds, 30m, 24h, 7d, 2w or a date.',
  aTime,
);
export const cursorParameter = inQuery('cursor', 'The next value of an earlier response.', aCursor);

/** Of steps and moments. */
const FURTHEST = 1_000_000;
/** Of places in a ledger. */
const LAST_ENTRY = 999_999_999_999_999;

/** A path cannot end in every name. */
const byQuery: Parameter = {
  ...inQuery('id', 'The full name, which may be `.` or `..`.'),
  required: true,
};
const pageOfSession: readonly Parameter[] = [
  inQuery('offset', 'First moment of the page (default: the newest page).', wholeFrom(0, FURTHEST)),
  limitParameter(500, 2000),
  inQuery('around', 'Center the page on this step.', wholeFrom(0, FURTHEST)),
  inQuery('agent', 'The nested agent that the step belongs to.'),
];

type Look = Omit<Parameters<typeof operation>[0], 'tag'>;
const look = (about: Look): { get: Operation } => ({ get: operation({ ...about, tag: 'look' }) });

/** What was recorded, to be looked at. */
export const lookPaths: Paths = {
  '/v1/sessions': look({
    operationId: 'listSessions',
    summary: 'List agent sessions, most recently active first.',
    gives: 'Sessions',
    parameters: [
      inQuery(
        'state',
        `Comma-separated list of ${SESSION_STATES.join(', ')}.`,
        namesOf(SESSION_STATES),
      ),
      inQuery('host', "The agent's program."),
      inQuery('folder', 'The folder that it works in.'),
      inQuery('loops', 'Give 1 for sessions with loops only.'),
      inQuery(
        'sort',
        'One of state, since, wasted, agent, project (default: the most recently active first). Pages follow the default.',
      ),
      sinceParameter,
      inQuery('search', 'Words in the name, program, folder, latest call or loop.'),
      limitParameter(50, 1000),
      cursorParameter,
    ],
  }),
  '/v1/sessions/{id}': look({
    operationId: 'getSession',
    summary: 'Get a session, step by step.',
    gives: 'SessionInFull',
    refuses: { 404: 'No such session.' },
    parameters: [inPath('id', 'The full name, URL-encoded.'), ...pageOfSession],
  }),
  '/v1/session': look({
    operationId: 'getSessionByQuery',
    summary: 'Get a session whose name cannot be part of a path.',
    gives: 'SessionInFull',
    refuses: { 404: 'No such session.' },
    parameters: [byQuery, ...pageOfSession],
  }),
  '/v1/signals': look({
    operationId: 'listSignals',
    summary: 'List signals, newest first.',
    gives: 'Signals',
    parameters: [
      inQuery(
        'detector',
        'Only signals of this detector.',
        oneOf(detectors.map(({ name }) => name)),
      ),
      inQuery('session', 'Only signals of this session (full name).'),
      sinceParameter,
      limitParameter(50, 500),
      cursorParameter,
    ],
  }),
  '/v1/recoveries': look({
    operationId: 'getRecoveries',
    summary: 'Get which recoveries were tried, and how often they worked.',
    gives: 'Recoveries',
    parameters: [sinceParameter, limitParameter(50, 500)],
  }),
  '/v1/stats': look({
    operationId: 'getStats',
    summary: 'Get totals of steps, loops, plans and waste, also over time.',
    gives: 'Stats',
    parameters: [
      sinceParameter,
      inQuery('by', 'The unit of `time` (default day).', oneOf(['hour', 'day'])),
      inQuery(
        'costliest',
        'What `costliest` sessions wasted the most of (default usd).',
        oneOf([...WASTE_MEASURES]),
      ),
    ],
  }),
  '/v1/status': look({
    operationId: 'getStatus',
    summary: 'Get the current run, or the last one.',
    gives: 'Status',
  }),
  '/v1/runs': look({
    operationId: 'listRuns',
    summary: 'List runs of unrut run, latest first.',
    gives: 'Runs',
    parameters: [limitParameter(20, 100), cursorParameter],
  }),
  '/v1/runs/{id}': look({
    operationId: 'getRun',
    summary: 'Get a run, with tasks, attempts and context entries.',
    gives: 'RunInFull',
    refuses: { 404: 'No such run.' },
    parameters: [inPath('id', 'The name, URL-encoded.')],
  }),
  '/v1/run': look({
    operationId: 'getRunByQuery',
    summary: 'Get a run whose name cannot be part of a path.',
    gives: 'RunInFull',
    refuses: { 404: 'No such run.' },
    parameters: [byQuery],
  }),
  '/v1/detectors': look({
    operationId: 'listDetectors',
    summary: 'List detectors: what each looks for, its options, and what it has detected.',
    gives: 'Detectors',
    parameters: [sinceParameter],
  }),
  '/v1/stream': {
    get: {
      operationId: 'stream',
      summary: 'Stream new ledger entries as server-sent events.',
      tags: ['look'],
      parameters: [
        inQuery('session', 'Only entries of this session.'),
        inQuery('kind', `Comma-separated list of ${ENTRY_KINDS.join(', ')}.`, namesOf(ENTRY_KINDS)),
        inQuery('after', 'Same as Last-Event-ID.', wholeFrom(0, LAST_ENTRY)),
        {
          name: 'Last-Event-ID',
          in: 'header',
          required: false,
          description: 'Resume after this event.',
          schema: whole(),
        },
      ],
      responses: {
        200: {
          description:
            '`event: entry` with a StreamEntry as data, `event: gap` where entries were skipped, comments as keep-alives.',
          content: { 'text/event-stream': { schema: ref('StreamEntry') } },
        },
        ...BAD_QUERY,
        ...refusals(['503', 'Too many listeners.']),
        ...ALWAYS,
      },
    },
  },
};
