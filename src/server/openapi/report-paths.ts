import { EVENT_TYPES } from '../../event.ts';
import { hookHosts } from '../../hosts/index.ts';
import { ALWAYS, answered, inPath, inQuery, json, MALFORMED, type Operation, type Paths, refusals } from './operation.ts';
import { anything, choice, list, object, ref, type Schema, text } from './schema-words.ts';

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

/** What agents and their programs report to. */
export const reportPaths: Paths = {
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
      parameters: [inPath('agent', 'Whose hook it is.', choice(hookHosts.map(({ name }) => name))), inQuery('shadow', '1 only records.')],
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
};
