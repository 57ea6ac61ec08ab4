import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '../../packages/server/src/route/open-api.ts';
import { documentOf } from '../../packages/server/src/routes.ts';
import { LOOPING } from '../hosts/looping-host.ts';
import { OPENAPI_SHAPE } from './openapi-shape.ts';
import { type Asked, ask } from './request.ts';
import { SEEDED } from './seeded-ledger.ts';
import { type SeededServer, seededServer } from './seeded-server.ts';

const document = documentOf('0.0.0');
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    method,
    operation: operation as Operation,
  })),
);

/**
 * Every object of the document that has fields holds no others: so an answer with a field that is
 * not written down is found.
 */
const closed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, closed(inner)]),
  );
  return 'properties' in copy &&
    typeof copy.properties === 'object' &&
    copy.type === 'object' &&
    !('additionalProperties' in copy)
    ? { ...copy, additionalProperties: false }
    : copy;
};

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
ajv.addVocabulary(['openapi', 'info', 'servers', 'security', 'tags', 'paths', 'components']);
ajv.addSchema({ ...(closed({ components: document.components }) as object), $id: 'api' });
const complaints = (name: string, value: unknown): string[] => {
  const validate = ajv.getSchema(`api#/components/schemas/${name}`)!;
  return validate(value)
    ? []
    : validate.errors!.map(
        ({ instancePath, message, params }) =>
          `${instancePath} ${message} ${JSON.stringify(params)}`,
      );
};

describe('the document', () => {
  test('has the shape that OpenAPI 3.1 asks for', () => {
    const validate = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true }).compile(
      OPENAPI_SHAPE,
    );
    expect(validate(document), JSON.stringify(validate.errors, null, 1)).toBe(true);
  });

  test('gives every operation its own name, and every name in a path its parameter', () => {
    const names = operations.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const { path, operation } of operations) {
      const inPath = (operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'path')
        .map(({ name }) => name);
      expect(inPath, path).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    }
  });

  test('refers only to schemas that are there, and to each of them', () => {
    const used = new Set(
      [...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)].map(
        ([, name]) => name,
      ),
    );
    expect([...used].sort()).toEqual(Object.keys(document.components.schemas).sort());
  });
});

/** A request for each operation, and what it answers with. */
const REQUESTS: Record<string, { path: string; asked?: Asked; status?: number }> = {
  postEvents: {
    path: '/v1/events',
    asked: {
      body: JSON.stringify({
        type: 'user-spoke',
        session: 'told',
        at: 1_794_800_000_000,
        id: 'e1',
      }),
    },
  },
  postHook: {
    path: '/v1/hooks/claude-code',
    asked: { body: JSON.stringify(LOOPING['claude-code'].before(1)) },
  },
  postTraces: {
    path: '/v1/traces',
    asked: { headers: { 'content-type': 'application/json' }, body: '{"resourceSpans":[]}' },
  },
  postLogs: {
    path: '/v1/logs',
    asked: { headers: { 'content-type': 'application/json' }, body: '{"resourceLogs":[]}' },
  },
  postMetrics: {
    path: '/v1/metrics',
    asked: { headers: { 'content-type': 'application/json' }, body: '{"resourceMetrics":[]}' },
  },
  listSessions: { path: '/v1/sessions?limit=5' },
  getSession: { path: `/v1/sessions/${SEEDED.recovered}` },
  listIncidents: { path: '/v1/incidents?state=open,acknowledged' },
  getIncident: { path: '/v1/incidents/none', status: 404 },
  actOnIncident: {
    path: '/v1/incidents/none',
    asked: { body: '{"act":"acknowledge"}' },
    status: 404,
  },
  listSignals: { path: '/v1/signals?limit=200' },
  getRecoveries: { path: '/v1/recoveries?limit=200' },
  getInsights: { path: '/v1/insights?by=host' },
  getTrials: { path: '/v1/trial' },
  getStats: { path: '/v1/stats?by=hour' },
  getMe: { path: '/v1/me' },
  getStatus: { path: '/v1/status' },
  listRuns: { path: '/v1/runs?limit=1' },
  getRun: { path: `/v1/runs/${SEEDED.roadmap}` },
  export: { path: '/v1/export' },
  listDetectors: { path: '/v1/detectors' },
  act: {
    path: '/v1/act',
    asked: { body: JSON.stringify({ session: SEEDED.recovered, act: 'off' }) },
  },
  getCuaSums: { path: '/v1/cua', status: 403 },
  postCua: { path: '/v1/cua', asked: { body: '{}' }, status: 403 },
  getCua: { path: '/v1/cua/none', status: 403 },
  metrics: { path: '/metrics' },
  live: { path: '/livez' },
  ready: { path: '/readyz' },
  openapi: { path: '/openapi.json' },
};

describe('a server', () => {
  let server: SeededServer;
  beforeAll(async () => {
    server = await seededServer();
  });

  test('has exactly the routes of the document', () => {
    // Middleware is for all methods; a sub-application brings its routes along.
    const routes = server.app.routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path}`);
    const written = operations.map(
      ({ path, method }) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
    );
    expect([...new Set(routes)].sort()).toEqual(written.sort());
  });

  test('gives its document', async () => {
    expect(await server.json('/openapi.json')).toEqual(JSON.parse(JSON.stringify(document)));
  });

  // The stream never ends: its own tests read it.
  test.each(operations.filter(({ operation }) => operation.operationId !== 'stream'))(
    'answers $method $path as the document says',
    async ({ method, operation }) => {
      const { path, asked = {}, status = 200 } = REQUESTS[operation.operationId]!;
      const answer = await ask(server.url + path, { method: method.toUpperCase(), ...asked });
      expect(answer.status, answer.text).toBe(status);
      const content = operation.responses[status]?.content ?? {};
      const type = answer.headers['content-type']!.split(';')[0]!;
      expect(Object.keys(content)).toContain(type);
      const { $ref } = content[type]!.schema as { $ref?: string };
      const values = type.endsWith('ndjson') ? answer.text.trim().split('\n') : [answer.text];
      if ($ref)
        for (const value of values)
          expect(complaints($ref.split('/').at(-1)!, JSON.parse(value))).toEqual([]);
      if (operation.operationId === 'postEvents')
        for (const verdict of JSON.parse(answer.text).verdicts)
          expect(complaints('Verdict', verdict)).toEqual([]);
    },
  );

  test('is held to the document: a field that is not written down, or is missing, is found', async () => {
    const { total, ...rest } = await server.json<{ total: number }>('/v1/sessions');
    expect(complaints('Sessions', { ...rest, total, more: 1 })).toEqual([
      expect.stringContaining('"more"'),
    ]);
    expect(complaints('Sessions', rest)).toEqual([expect.stringContaining('"total"')]);
  });

  test.each(Object.values(SEEDED))('shows the session %s as the document says', async (session) => {
    expect(
      complaints('SessionInFull', await server.json(`/v1/sessions/${encodeURIComponent(session)}`)),
    ).toEqual([]);
  });

  test('refuses as the document says', async () => {
    for (const path of ['/v1/sessions/none', '/v1/sessions?limit=x', '/nowhere'])
      expect(complaints('Problem', await server.json(path)), path).toEqual([]);
  });
});
