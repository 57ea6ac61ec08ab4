import { STATES } from '../api/sessions-route.ts';
import { KINDS } from '../api/stream-route.ts';
import { ALWAYS, answered, BAD_QUERY, inPath, inQuery, type Operation, type Parameter, type Paths, refusals } from './operation.ts';
import { choice, ref, text, whole } from './schema-words.ts';

const limit = (usual: number, most: number): Parameter =>
  inQuery('limit', 'How many at most.', { ...whole(), minimum: 1, maximum: most, default: usual });
const since = inQuery('since', 'Only what happened after it: epoch milliseconds, 30m, 24h, 7d, 2w or a date.');
const cursor = inQuery('cursor', 'What an earlier answer gave as next.');

/** A path cannot end in every name. */
const byQuery: Parameter = { ...inQuery('id', 'Its whole name, also where that is `.` or `..`.'), required: true };
const pageOfSession: readonly Parameter[] = [
  inQuery('offset', 'The first moment of the page; without it the newest are given.', whole()),
  limit(500, 2000),
  inQuery('around', 'A step that the page shows in its middle.', whole()),
  inQuery('agent', 'The nested agent whose step it is.'),
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
    ...{ operationId: 'listSessions', summary: 'Sessions of agents, the most recently active first.', gives: 'Sessions' },
    parameters: [
      inQuery('state', `Some of ${STATES.join(', ')}, with commas in between.`),
      inQuery('host', "The agent's program."),
      since,
      inQuery('search', 'Words in its name, program, folder, newest call or loop.'),
      limit(50, 200),
      cursor,
    ],
  }),
  '/v1/sessions/{id}': get({
    ...{ operationId: 'getSession', summary: 'One session, step by step.', gives: 'SessionInFull', missing: 'There is no such session.' },
    parameters: [inPath('id', 'Its whole name, URL-encoded.'), ...pageOfSession],
  }),
  '/v1/session': get({
    ...{
      operationId: 'getSessionByQuery',
      summary: 'The same, whatever its name.',
      gives: 'SessionInFull',
      missing: 'There is no such session.',
    },
    parameters: [byQuery, ...pageOfSession],
  }),
  '/v1/signals': get({
    ...{ operationId: 'listSignals', summary: 'What was seen, the newest first.', gives: 'Signals' },
    parameters: [inQuery('detector', 'Its name.'), inQuery('session', 'Its whole name.'), since, limit(50, 500), cursor],
  }),
  '/v1/recoveries': get({
    ...{ operationId: 'getRecoveries', summary: 'What was tried, and how often it worked.', gives: 'Recoveries' },
    parameters: [since, limit(50, 500)],
  }),
  '/v1/stats': get({
    ...{ operationId: 'getStats', summary: 'How much was done, seen, tried and wasted, also over time.', gives: 'Stats' },
    parameters: [since, inQuery('by', 'What `time` is divided into.', { ...choice(['hour', 'day']), default: 'day' })],
  }),
  '/v1/status': get({ operationId: 'getStatus', summary: 'The run that is under way, or else the last one.', gives: 'Status' }),
  '/v1/runs': get({
    ...{ operationId: 'listRuns', summary: 'Runs of unrut run, the latest first.', gives: 'Runs' },
    parameters: [limit(20, 100), cursor],
  }),
  '/v1/runs/{id}': get({
    ...{
      operationId: 'getRun',
      summary: 'One run, with tasks, attempts and context entries.',
      gives: 'RunInFull',
      missing: 'There is no such run.',
    },
    parameters: [inPath('id', 'Its name, URL-encoded.')],
  }),
  '/v1/run': get({
    ...{ operationId: 'getRunByQuery', summary: 'The same, whatever its name.', gives: 'RunInFull', missing: 'There is no such run.' },
    parameters: [byQuery],
  }),
  '/v1/detectors': get({
    ...{ operationId: 'listDetectors', summary: 'What each detector looks for, how it is set, and what it has seen.', gives: 'Detectors' },
    parameters: [since],
  }),
  '/v1/stream': {
    get: {
      ...{ operationId: 'stream', summary: 'Entries of the ledger as they are added, as server-sent events.', tags: ['look'] },
      parameters: [
        inQuery('session', 'Only those of this session.'),
        inQuery('kind', `Only some of ${KINDS.join(', ')}, with commas in between.`),
        inQuery('after', 'As Last-Event-ID.', whole()),
        { name: 'Last-Event-ID', in: 'header', required: false, description: 'Go on after it.', schema: whole() },
      ],
      responses: {
        200: {
          description: '`event: entry` with a StreamEntry as data, `event: gap` where something was left out, comments as signs of life.',
          content: { 'text/event-stream': { schema: text('data of `event: entry` is a StreamEntry.') } },
        },
        ...BAD_QUERY,
        ...refusals(['503', 'Too many listen.']),
        ...ALWAYS,
      },
    },
  },
};
