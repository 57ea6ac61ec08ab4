import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundledPrograms } from '../bundled-programs.ts';
import { casesOf } from '../full-runs.ts';
import { newFolder } from '../ledger-files.ts';
import {
  anyBody,
  anyQuery,
  createSender,
  everyRoute,
  inScope,
  MB,
  type Sent,
} from './any-bytes.ts';
import { ask } from './request.ts';
import { lookup, startProgram } from './served.ts';

const PROTOBUF = { 'content-type': 'application/x-protobuf' };
const JSON_TYPE = { 'content-type': 'application/json' };

let server: Awaited<ReturnType<typeof startProgram>>;
let send: ReturnType<typeof createSender>;
beforeAll(async () => {
  const { cli } = bundledPrograms();
  // Nobody listens there: the gateway reads a body, and finds nobody to send it to.
  server = await startProgram(cli, newFolder(), 0, {}, ['--upstream', 'local=http://127.0.0.1:9']);
  send = createSender(server);
});

describe('a small request that would be large work', () => {
  const spans = inScope(Buffer.alloc(30_000_000, Uint8Array.of(0x12, 0)));
  const deep = Buffer.alloc(10 * MB, '[');
  const values = Buffer.from(`[${'1,'.repeat(2_000_000)}1]`);
  test.each<[string, Sent]>([
    [
      '15 million spans in 29 KB',
      {
        path: '/v1/traces',
        body: gzipSync(spans),
        headers: { ...PROTOBUF, 'content-encoding': 'gzip' },
      },
    ],
    ['15 million spans', { path: '/v1/traces', body: spans, headers: PROTOBUF }],
    [
      '15 million records',
      {
        path: '/v1/logs',
        body: gzipSync(spans),
        headers: { ...PROTOBUF, 'content-encoding': 'gzip' },
      },
    ],
    [
      'fields that nobody knows',
      { path: '/v1/metrics', body: spans.subarray(12), headers: PROTOBUF },
    ],
    [
      '60,000 spans',
      {
        path: '/v1/traces',
        body: inScope(Buffer.alloc(120_000, Uint8Array.of(0x12, 0))),
        headers: PROTOBUF,
      },
    ],
    ...['/v1/events', '/v1/hooks/claude-code', '/v1/cua', '/v1/traces', '/v1/logs'].flatMap(
      (path): [string, Sent][] => [
        [`lists in lists to ${path}`, { path, body: deep, headers: JSON_TYPE }],
        [`two million values to ${path}`, { path, body: values, headers: JSON_TYPE }],
        [
          `two million values, packed, to ${path}`,
          { path, body: gzipSync(values), headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } },
        ],
        [
          `a gigabyte in a megabyte to ${path}`,
          { path, body: bomb(), headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } },
        ],
      ],
    ),
  ])('%s is refused before it is done', async (_, sent) => {
    const refused = sent.path === '/v1/cua' ? 403 : 413;
    expect((await send(sent))?.status ?? refused).toBe(refused);
  });
});

let packed: Uint8Array | undefined;
function bomb(): Uint8Array {
  packed ??= gzipSync(Buffer.alloc(1 << 30));
  return packed;
}

const routes = everyRoute();
const GATEWAY = ['/local/v1/chat/completions', '/local/v1/messages', '/local/v1/responses'].map(
  (path) => ({ method: 'POST', path }),
);
const NOWHERE = { method: 'POST', path: '/v1/nothing' };

test('any bytes within the limits are answered in bounds of time and memory, and so is the next request', async () => {
  const reporting = [...routes.filter(({ method }) => method !== 'GET'), ...GATEWAY, NOWHERE];
  expect(reporting.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/v1/events', '/v1/act', '/v1/traces', '/v1/cua']),
  );
  await fc.assert(
    fc.asyncProperty(anyBody(reporting), async (sent) => {
      expect([200, 400, 403, 404, 413, 415, 502, undefined]).toContain((await send(sent))?.status);
    }),
    { numRuns: casesOf(40), endOnFailure: true },
  );
});

test('any query to any route is answered, and so is the next request', async () => {
  await fc.assert(
    fc.asyncProperty(anyQuery(routes.filter(({ method }) => method === 'GET')), async (sent) => {
      expect([200, 400, 404, 431]).toContain((await send(sent))?.status);
    }),
    { numRuns: casesOf(100), endOnFailure: true },
  );
});

test('others are answered while a large request is worked on', async () => {
  const events = Array.from({ length: 1000 }, (_, i) =>
    lookup(i, { session: `s${i % 5}`, result: `${i} `.repeat(7000) }),
  );
  let answered = 0;
  let isOver = false;
  const large = ask(`${server.url}/v1/events`, { body: JSON.stringify(events) }).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await ask(`${server.url}/livez`, { method: 'GET' });
    answered++;
  }
  expect((await large).status).toBe(200);
  expect(answered).toBeGreaterThan(5);
});
