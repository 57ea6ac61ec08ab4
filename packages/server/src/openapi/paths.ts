import { zeroOrOne } from '../api/query.ts';
import { lookPaths } from './look-paths.ts';
import {
  ALWAYS,
  answered,
  BAD_QUERY,
  inPath,
  inQuery,
  json,
  MALFORMED,
  type Operation,
  operation,
  type Paths,
  refusals,
  roleNeeded,
} from './operation.ts';
import { mePath, ofProject, organisationPaths, signInPaths } from './organisation-paths.ts';
import { reportPaths } from './report-paths.ts';
import { openObject, ref, text } from './schema-words.ts';

const probe = (operationId: string, summary: string): { get: Operation } => ({
  get: {
    operationId,
    summary,
    tags: ['operate'],
    security: [],
    responses: answered(ref('Health'), 'Alive.'),
  },
});

/** Every path but those of the dashboard's own files, on a server for one person. */
export const paths: Paths = {
  ...reportPaths,
  ...lookPaths,
  ...mePath,
  '/v1/act': {
    post: operation({
      operationId: 'act',
      summary:
        'Call the newest alarm of a session false, switch Unrut off or on for it, or stop it.',
      tag: 'act',
      takes: 'Act',
      gives: 'ActAnswer',
      refuses: {
        404: 'No such session.',
        409: 'There is no alarm, or the program cannot be stopped.',
      },
    }),
  },
  '/v1/cua': {
    get: operation({
      operationId: 'getCuaSums',
      summary: 'Get the figures of all computer-use runs in the ledger, by ending and reason code.',
      tag: 'computer use',
      gives: 'CuaSums',
    }),
    post: {
      operationId: 'postCua',
      summary: 'Start a computer-use run, if runs are allowed.',
      tags: ['computer use'],
      parameters: [inQuery('wait', '1: wait until the run has ended.', zeroOrOne)],
      requestBody: { required: true, content: json(ref('CuaTask')) },
      responses: {
        200: { description: 'The run has ended.', content: json(ref('CuaRun')) },
        202: {
          description: 'The run is running or queued; poll Location.',
          content: json(ref('CuaRun')),
        },
        ...MALFORMED,
        ...refusals(['503', 'Too many runs are queued; retry after Retry-After.']),
        ...ALWAYS,
      },
    },
  },
  '/v1/cua/{id}': {
    get: operation({
      operationId: 'getCua',
      summary: 'Get the state of a computer-use run, and its result.',
      tag: 'computer use',
      gives: 'CuaRun',
      parameters: [inPath('id', 'The id that POST /v1/cua returned.')],
      refuses: { 404: 'No such run.' },
    }),
  },
  '/metrics': {
    get: {
      operationId: 'metrics',
      summary: 'Metrics for Prometheus.',
      tags: ['metrics'],
      responses: {
        200: {
          description: 'Prometheus text format.',
          content: { 'text/plain': { schema: text() } },
        },
        ...ALWAYS,
      },
    },
  },
  '/livez': probe('live', 'Check whether the server answers. Needs no token.'),
  '/healthz': probe('health', 'Same as /livez.'),
  '/readyz': {
    get: {
      operationId: 'ready',
      summary: 'Check whether the server can write to its ledger. Needs no token.',
      tags: ['operate'],
      security: [],
      responses: {
        ...answered(ref('Health'), 'Ready.'),
        ...refusals(['503', 'The ledger cannot be written, or the server is stopping.']),
      },
    },
  },
  '/openapi.json': {
    get: {
      operationId: 'openapi',
      summary: 'This document.',
      tags: ['operate'],
      responses: { ...answered(openObject(), 'OpenAPI 3.1.'), ...ALWAYS },
    },
  },
};

/** Tags of what is about a project. */
const OF_PROJECTS: readonly string[] = ['report', 'look', 'metrics'];

/** With the project as a parameter, and the role in words. */
function inOrganisation(operation: Operation): Operation {
  const { parameters = [], responses, ...rest } = operation;
  const isOfProject = OF_PROJECTS.includes(operation.tags[0]!);
  const all = isOfProject ? [...parameters, ofProject] : parameters;
  const role = roleNeeded(operation);
  return {
    ...rest,
    ...(all.length > 0 ? { parameters: all } : {}),
    responses: { ...(isOfProject ? BAD_QUERY : {}), ...responses },
    ...(role === undefined ? {} : { 'x-role': role }),
  };
}

/** What is done on the machine of the server is not for many. */
const OF_ONE_MACHINE: readonly string[] = ['computer use', 'act'];

/** Every path of a server of organisations, each with the role that it needs. */
export const pathsOfOrganisations: Paths = Object.fromEntries(
  Object.entries({ ...paths, ...organisationPaths, ...signInPaths }).flatMap(([path, methods]) => {
    const kept = Object.entries(methods as Record<string, Operation>).filter(
      ([, { tags }]) => !OF_ONE_MACHINE.includes(tags[0]!),
    );
    return kept.length > 0
      ? [
          [
            path,
            Object.fromEntries(
              kept.map(([method, operation]) => [method, inOrganisation(operation)]),
            ),
          ],
        ]
      : [];
  }),
);
