import { zeroOrOne } from '../api/query.ts';
import { lookPaths } from './look-paths.ts';
import { ALWAYS, answered, inPath, inQuery, json, MALFORMED, type Operation, type Paths, refusals } from './operation.ts';
import { reportPaths } from './report-paths.ts';
import { openObject, ref, text } from './schema-words.ts';

const probe = (operationId: string, summary: string): { get: Operation } => ({
  get: { ...{ operationId, summary, tags: ['operate'], security: [] }, responses: answered(ref('Health'), 'Alive.') },
});

/** Every path but those of the dashboard's own files. */
export const paths: Paths = {
  ...reportPaths,
  ...lookPaths,
  '/v1/act': {
    post: {
      ...{
        operationId: 'act',
        summary: 'Call the newest alarm of a session false, switch Unrut off or on for it, or stop it.',
        tags: ['act'],
      },
      requestBody: { required: true, content: json(ref('Act')) },
      responses: {
        ...answered(ref('Acted'), 'Done.'),
        ...MALFORMED,
        ...refusals(['404', 'No such session.'], ['409', 'There is no alarm, or the program cannot be stopped.']),
        ...ALWAYS,
      },
    },
  },
  '/v1/cua': {
    post: {
      ...{ operationId: 'postCua', summary: 'Start a computer-use run, if runs are allowed.', tags: ['computer use'] },
      parameters: [inQuery('wait', '1: wait until the run has ended.', zeroOrOne)],
      requestBody: { required: true, content: json(ref('CuaTask')) },
      responses: {
        200: { description: 'The run has ended.', content: json(ref('CuaRun')) },
        202: { description: 'The run is running or queued; poll Location.', content: json(ref('CuaRun')) },
        ...MALFORMED,
        ...refusals(['503', 'Too many runs are queued; retry after Retry-After.']),
        ...ALWAYS,
      },
    },
  },
  '/v1/cua/{id}': {
    get: {
      ...{ operationId: 'getCua', summary: 'Get the state of a computer-use run, and its result.', tags: ['computer use'] },
      parameters: [inPath('id', 'The id that POST /v1/cua returned.')],
      responses: { ...answered(ref('CuaRun'), 'The run.'), ...refusals(['404', 'No such run.']), ...ALWAYS },
    },
  },
  '/metrics': {
    get: {
      ...{ operationId: 'metrics', summary: 'Metrics for Prometheus.', tags: ['metrics'] },
      responses: { 200: { description: 'Prometheus text format.', content: { 'text/plain': { schema: text() } } }, ...ALWAYS },
    },
  },
  '/livez': probe('live', 'Check whether the server answers. Needs no token.'),
  '/healthz': probe('health', 'Same as /livez.'),
  '/readyz': {
    get: {
      ...{
        operationId: 'ready',
        summary: 'Check whether the server can write to its ledger. Needs no token.',
        tags: ['operate'],
        security: [],
      },
      responses: { ...answered(ref('Health'), 'Ready.'), ...refusals(['503', 'The ledger cannot be written, or the server is stopping.']) },
    },
  },
  '/openapi.json': {
    get: {
      ...{ operationId: 'openapi', summary: 'This document.', tags: ['operate'] },
      responses: { ...answered(openObject(), 'OpenAPI 3.1.'), ...ALWAYS },
    },
  },
};
