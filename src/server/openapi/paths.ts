import { lookPaths } from './look-paths.ts';
import { ALWAYS, answered, inPath, inQuery, json, MALFORMED, type Paths, refusals } from './operation.ts';
import { reportPaths } from './report-paths.ts';
import { ref, text } from './schema-words.ts';

/** Every path but those of the dashboard's own files. */
export const paths: Paths = {
  ...reportPaths,
  ...lookPaths,
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
