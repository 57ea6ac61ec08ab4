import { hookAdapters } from '../../adapters/index.ts';
import { EVENT_TYPES } from '../../event.ts';
import { STATES } from '../api/sessions-route.ts';
import { KINDS } from '../api/stream-route.ts';
import { anything, choice, list, object, ref, type Schema, text, whole } from './schema-words.ts';

/** A parameter of a path or a query. */
interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: Schema;
}

type Content = Readonly<Record<string, { schema: Schema }>>;

/** One method of one path. */
export interface Operation {
  operationId: string;
  summary: string;
  tags: readonly string[];
  parameters?: readonly Parameter[];
  requestBody?: { required: true; content: Content };
  responses: Readonly<Record<string, { description: string; content?: Content }>>;
  security?: readonly object[];
}

const json = (schema: Schema): Content => ({ 'application/json': { schema } });
const refusals = (...codes: readonly [status: string, description: string][]): Operation['responses'] =>
  Object.fromEntries(codes.map(([status, description]) => [status, { description, content: json(ref('Problem')) }]));
const ALWAYS = refusals(
  ['401', 'The token is missing or another one.'],
  ['403', 'The Host or Origin is not ours, or it is not allowed.'],
  ['429', 'Too many requests; Retry-After says when.'],
);
const BAD_QUERY = refusals(['400', 'The query cannot be used.']);
const answered = (schema: Schema, description: string): Operation['responses'] => ({ 200: { description, content: json(schema) } });

const inQuery = (name: string, description: string, schema: Schema = text()): Parameter => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
});
const inPath = (name: string, description: string, schema: Schema = text()): Parameter => ({
  name,
  in: 'path',
  required: true,
  description,
  schema,
});
const limit = (usual: number, most: number): Parameter =>
  inQuery('limit', 'How many at most.', { ...whole(), minimum: 1, maximum: most, default: usual });
const since = inQuery('since', 'Only what happened after it: epoch milliseconds, 30m, 24h, 7d, 2w or a date.');
const cursor = inQuery('cursor', 'What an earlier answer gave as next.');

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

const MALFORMED = refusals(['400', 'The body cannot be used.'], ['413', 'The body is too large.']);
const telemetry = (operationId: string, what: string): { post: Operation } => ({
  post: {
    ...{ operationId, summary: `OpenTelemetry ${what} of agents, as OTLP over HTTP; JSON or protobuf, gzip or not.`, tags: ['report'] },
    requestBody: {
      required: true,
      content: { ...json(anything('OTLP.')), 'application/x-protobuf': { schema: anything('OTLP.') } },
    },
    responses: {
      200: {
        description: 'What could be used was taken; partialSuccess tells of the rest.',
        content: { ...json(anything('OTLP.')), 'application/x-protobuf': { schema: anything('OTLP.') } },
      },
      400: { description: 'The body is no OTLP.' },
      413: { description: 'The body is too large.' },
      415: { description: 'The body is neither JSON nor protobuf.' },
      503: { description: 'Too much is waiting; Retry-After says when.' },
      ...ALWAYS,
    },
  },
});

const event: Schema = {
  ...object(
    { type: choice(EVENT_TYPES), session: text(), at: { type: 'number' } },
    { id: text('An event that is sent again counts once.') },
  ),
  additionalProperties: true,
};

/** Every path but those of the dashboard's own files. */
export const paths: Readonly<Record<string, { get?: Operation; post?: Operation }>> = {
  '/v1/events': {
    post: {
      ...{ operationId: 'postEvents', summary: 'Shows events to the guard: one, a list, or NDJSON.', tags: ['report'] },
      parameters: [inQuery('shadow', '1 only records.'), inQuery('can', 'What the host can do, with commas in between.')],
      requestBody: {
        required: true,
        content: {
          ...json({ anyOf: [event, list(event), object({ events: list(event) })] }),
          'application/x-ndjson': { schema: text('An event a line.') },
        },
      },
      responses: {
        ...answered(object({ verdicts: list(ref('Verdict')) }), 'A verdict for each event, in order. All of them are kept.'),
        ...MALFORMED,
        ...refusals(['503', 'Nothing was kept; send the events again.']),
        ...ALWAYS,
      },
    },
  },
  '/v1/hooks/{agent}': {
    post: {
      ...{ operationId: 'postHook', summary: 'Answers a hook of a coding agent, as unrut hook does.', tags: ['report'] },
      parameters: [inPath('agent', 'Whose hook it is.', choice(Object.keys(hookAdapters))), inQuery('shadow', '1 only records.')],
      requestBody: { required: true, content: json({ type: 'object' }) },
      responses: {
        200: { description: 'What the agent reads.', content: { ...json({ type: 'object' }), 'text/plain': { schema: text() } } },
        ...MALFORMED,
        ...refusals(['404', 'There is no such agent.']),
        ...ALWAYS,
      },
    },
  },
  '/v1/traces': telemetry('postTraces', 'traces'),
  '/v1/logs': telemetry('postLogs', 'logs'),
  '/v1/metrics': telemetry('postMetrics', 'metrics, which are taken and not used'),
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
    parameters: [
      inPath('id', 'Its whole name, URL-encoded.'),
      inQuery('offset', 'The first moment of the page; without it the newest are given.', whole()),
      limit(500, 2000),
      inQuery('around', 'A step that the page shows in its middle.', whole()),
      inQuery('agent', 'The nested agent whose step it is.'),
    ],
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
  '/v1/cua': {
    post: {
      ...{ operationId: 'postCua', summary: 'Begins a computer-use run, where runs are allowed.', tags: ['computer use'] },
      parameters: [inQuery('wait', '1 waits until it has ended.')],
      requestBody: { required: true, content: json(ref('CuaTask')) },
      responses: {
        200: { description: 'It has ended.', content: json(ref('CuaRun')) },
        202: { description: 'It runs or waits; Location says where to ask.', content: json(ref('CuaRun')) },
        ...MALFORMED,
        ...refusals(['503', 'Too many wait; Retry-After says when.']),
        ...ALWAYS,
      },
    },
  },
  '/v1/cua/{id}': {
    get: {
      ...{ operationId: 'getCua', summary: 'Where a computer-use run stands, and its result.', tags: ['computer use'] },
      parameters: [inPath('id', 'As POST /v1/cua gave it.')],
      responses: { ...answered(ref('CuaRun'), 'The run.'), ...refusals(['404', 'There is no such run.']), ...ALWAYS },
    },
  },
  '/metrics': {
    get: {
      ...{ operationId: 'metrics', summary: 'Figures for Prometheus.', tags: ['operate'] },
      responses: { 200: { description: 'In its text format.', content: { 'text/plain': { schema: text() } } }, ...ALWAYS },
    },
  },
  '/healthz': {
    get: {
      ...{ operationId: 'health', summary: 'Whether the server and its ledger work.', tags: ['operate'] },
      responses: { ...answered(ref('Health'), 'They do.'), ...refusals(['503', 'The ledger cannot be used.']), ...ALWAYS },
    },
  },
  '/openapi.json': {
    get: {
      ...{ operationId: 'openapi', summary: 'This document.', tags: ['operate'] },
      responses: { ...answered({ type: 'object' }, 'OpenAPI 3.1.'), ...ALWAYS },
    },
  },
};
