import { hookHosts } from '@unrut/agents/hosts';
import { EVENT_TYPES, type EventOrigin } from '@unrut/engine/event';
import { zeroOrOne } from '../api/query.ts';
import {
  ALWAYS,
  answered,
  inPath,
  inQuery,
  json,
  MALFORMED,
  type Operation,
  type Paths,
  refusals,
} from './operation.ts';
import {
  anything,
  choiceSchema,
  list,
  numberSchema,
  object,
  oneOfSchemas,
  openObject,
  ref,
  text,
} from './schema-words.ts';

const telemetry = (operationId: string, what: string): { post: Operation } => ({
  post: {
    operationId,
    summary: `Send OpenTelemetry ${what}, as OTLP over HTTP (JSON or protobuf, optionally gzipped).`,
    tags: ['report'],
    requestBody: {
      required: true,
      content: {
        ...json(anything('OTLP.')),
        'application/x-protobuf': { schema: anything('OTLP.') },
      },
    },
    responses: {
      200: {
        description: 'Accepted; partialSuccess lists what was rejected.',
        content: {
          ...json(anything('OTLP.')),
          'application/x-protobuf': { schema: anything('OTLP.') },
        },
      },
      400: { description: 'The body is not OTLP.' },
      413: { description: 'The body is too large.' },
      415: { description: 'The body is neither JSON nor protobuf.' },
      503: { description: 'Too much is waiting; retry after Retry-After.' },
      ...ALWAYS,
    },
  },
});

const event = openObject(
  { type: choiceSchema(EVENT_TYPES), session: text(), at: numberSchema() },
  {
    id: text('Deduplicates: an event sent again with the same id counts once.'),
    origin: object(
      {},
      Object.fromEntries(
        Object.entries({
          host: "The agent's program.",
          model: 'The model it uses.',
          release: 'The version of the agent or prompt.',
          repo: 'The repository it works on.',
          team: 'The team it belongs to.',
          person: 'The person it works for.',
        } satisfies Record<keyof EventOrigin, string>).map(([field, about]) => [
          field,
          text(`${about} Max 100 characters.`),
        ]),
      ),
    ),
  },
);

/** What agents and their programs report to. */
export const reportPaths: Paths = {
  '/v1/events': {
    post: {
      operationId: 'postEvents',
      summary: 'Send events to the guard: one, a list, or NDJSON.',
      tags: ['report'],
      parameters: [
        inQuery('shadow', '1: record only.', zeroOrOne),
        inQuery('can', 'Interventions the host supports, comma-separated.'),
        inQuery(
          'attended',
          '1: the sender asks a human on escalate. 0: it does not. Default: the config.',
          zeroOrOne,
        ),
      ],
      requestBody: {
        required: true,
        content: {
          ...json(oneOfSchemas(event, list(event), object({ events: list(event) }))),
          'application/x-ndjson': { schema: text('One event per line.') },
        },
      },
      responses: {
        ...answered(ref('Verdicts'), 'A verdict for each event, in order. All events are saved.'),
        ...MALFORMED,
        ...refusals(['503', 'Nothing was saved; send the events again.']),
        ...ALWAYS,
      },
    },
  },
  '/v1/hooks/{agent}': {
    post: {
      operationId: 'postHook',
      summary: 'Answer a hook of a coding agent, as unrut hook does.',
      tags: ['report'],
      parameters: [
        inPath(
          'agent',
          'The agent the hook belongs to.',
          choiceSchema(hookHosts.map(({ name }) => name)),
        ),
        inQuery('shadow', '1: record only.', zeroOrOne),
      ],
      requestBody: { required: true, content: json(openObject()) },
      responses: {
        200: {
          description: 'The answer, in the format the agent expects.',
          content: { ...json(openObject()), 'text/plain': { schema: text() } },
        },
        ...MALFORMED,
        ...refusals(['404', 'No such agent.']),
        ...ALWAYS,
      },
    },
  },
  '/v1/traces': telemetry('postTraces', 'traces'),
  '/v1/logs': telemetry('postLogs', 'logs'),
  '/v1/metrics': telemetry('postMetrics', 'metrics (accepted and ignored)'),
};
