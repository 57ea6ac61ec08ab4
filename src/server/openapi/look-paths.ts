import { detectors } from '../../detectors/index.ts';
import { WASTE_MEASURES } from '../../ledger/reports/reports.ts';
import { SESSION_STATES } from '../../ledger/reports/session-summary.ts';
import { oneOf } from '../../schema/kinds.ts';
import { aCursor, aTime, namesOf, wholeFrom } from '../api/query.ts';
import { KINDS } from '../api/stream-route.ts';
import { ALWAYS, answered, BAD_QUERY, inPath, inQuery, type Operation, type Parameter, type Paths, refusals } from './operation.ts';
import { ref, whole } from './schema-words.ts';

const limit = (usual: number, most: number): Parameter => inQuery('limit', `Max number of results (default ${usual}).`, wholeFrom(1, most));
const since = inQuery('since', 'Only what happened since: epoch milliseconds, 30m, 24h, 7d, 2w or a date.', aTime);
const cursor = inQuery('cursor', 'The next value of an earlier response.', aCursor);

/** Of steps and moments. */
const FURTHEST = 1_000_000;
/** Of places in a ledger. */
const LAST_ENTRY = 999_999_999_999_999;

/** A path cannot end in every name. */
const byQuery: Parameter = { ...inQuery('id', 'The full name, which may be `.` or `..`.'), required: true };
const pageOfSession: readonly Parameter[] = [
  inQuery('offset', 'First moment of the page (default: the newest page).', wholeFrom(0, FURTHEST)),
  limit(500, 2000),
  inQuery('around', 'Center the page on this step.', wholeFrom(0, FURTHEST)),
  inQuery('agent', 'The nested agent that the step belongs to.'),
];

type Get = Pick<Operation, 'operationId' | 'summary'> & { parameters?: readonly Parameter[]; gives: string; missing?: string };
const get = ({ operationId, summary, parameters = [], gives, missing }: Get): { get: Operation } => ({
  get: {
    ...{ operationId, summary, tags: ['look'], ...(parameters.length > 0 ? { parameters } : {}) },
    responses: {
      ...answered(ref(gives), summary),
      ...(parameters.length > 0 ? BAD_QUERY : {}),
      ...(missing === undefined ? {} : refusals(['404', missing])),
      ...ALWAYS,
    },
  },
});

/** What was recorded, to be looked at. */
export const lookPaths: Paths = {
  '/v1/sessions': get({
    ...{ operationId: 'listSessions', summary: 'List agent sessions, most recently active first.', gives: 'Sessions' },
    parameters: [
      inQuery('state', `Comma-separated list of ${SESSION_STATES.join(', ')}.`, namesOf(SESSION_STATES)),
      inQuery('host', "The agent's program."),
      inQuery('folder', 'The folder that it works in.'),
      inQuery('loops', 'Give 1 for sessions with loops only.'),
      inQuery('sort', 'One of state, since, wasted, agent, project (default: the most recently active first). Pages follow the default.'),
      since,
      inQuery('search', 'Words in the name, program, folder, latest call or loop.'),
      limit(50, 1000),
      cursor,
    ],
  }),
  '/v1/sessions/{id}': get({
    ...{ operationId: 'getSession', summary: 'Get a session, step by step.', gives: 'SessionInFull', missing: 'No such session.' },
    parameters: [inPath('id', 'The full name, URL-encoded.'), ...pageOfSession],
  }),
  '/v1/session': get({
    ...{
      operationId: 'getSessionByQuery',
      summary: 'Get a session whose name cannot be part of a path.',
      gives: 'SessionInFull',
      missing: 'No such session.',
    },
    parameters: [byQuery, ...pageOfSession],
  }),
  '/v1/signals': get({
    ...{ operationId: 'listSignals', summary: 'List signals, newest first.', gives: 'Signals' },
    parameters: [
      inQuery('detector', 'Only signals of this detector.', oneOf(detectors.map(({ name }) => name))),
      inQuery('session', 'Only signals of this session (full name).'),
      since,
      limit(50, 500),
      cursor,
    ],
  }),
  '/v1/recoveries': get({
    ...{ operationId: 'getRecoveries', summary: 'Get which recoveries were tried, and how often they worked.', gives: 'Recoveries' },
    parameters: [since, limit(50, 500)],
  }),
  '/v1/stats': get({
    ...{ operationId: 'getStats', summary: 'Get totals of steps, loops, plans and waste, also over time.', gives: 'Stats' },
    parameters: [
      since,
      inQuery('by', 'The unit of `time` (default day).', oneOf(['hour', 'day'])),
      inQuery('costliest', 'What `costliest` sessions wasted the most of (default usd).', oneOf([...WASTE_MEASURES])),
    ],
  }),
  '/v1/status': get({ operationId: 'getStatus', summary: 'Get the current run, or the last one.', gives: 'Status' }),
  '/v1/runs': get({
    ...{ operationId: 'listRuns', summary: 'List runs of unrut run, latest first.', gives: 'Runs' },
    parameters: [limit(20, 100), cursor],
  }),
  '/v1/runs/{id}': get({
    ...{
      operationId: 'getRun',
      summary: 'Get a run, with tasks, attempts and context entries.',
      gives: 'RunInFull',
      missing: 'No such run.',
    },
    parameters: [inPath('id', 'The name, URL-encoded.')],
  }),
  '/v1/run': get({
    ...{
      operationId: 'getRunByQuery',
      summary: 'Get a run whose name cannot be part of a path.',
      gives: 'RunInFull',
      missing: 'No such run.',
    },
    parameters: [byQuery],
  }),
  '/v1/detectors': get({
    ...{
      operationId: 'listDetectors',
      summary: 'List detectors: what each looks for, its options, and what it has detected.',
      gives: 'Detectors',
    },
    parameters: [since],
  }),
  '/v1/stream': {
    get: {
      ...{ operationId: 'stream', summary: 'Stream new ledger entries as server-sent events.', tags: ['look'] },
      parameters: [
        inQuery('session', 'Only entries of this session.'),
        inQuery('kind', `Comma-separated list of ${KINDS.join(', ')}.`, namesOf(KINDS)),
        inQuery('after', 'Same as Last-Event-ID.', wholeFrom(0, LAST_ENTRY)),
        { name: 'Last-Event-ID', in: 'header', required: false, description: 'Resume after this event.', schema: whole() },
      ],
      responses: {
        200: {
          description: '`event: entry` with a StreamEntry as data, `event: gap` where entries were skipped, comments as keep-alives.',
          content: { 'text/event-stream': { schema: ref('StreamEntry') } },
        },
        ...BAD_QUERY,
        ...refusals(['503', 'Too many listeners.']),
        ...ALWAYS,
      },
    },
  },
};
