import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundledPrograms } from '../bundled-programs.ts';
import { newFolder } from '../ledger-files.ts';
import { processorTime } from '../processor-time.ts';
import { field } from './otlp-bytes.ts';
import { type Answer, ask } from './request.ts';
import { lookup, startProgram } from './served.ts';

const MB = 1 << 20;
const MAX_BYTES = 32 * MB;
const MAX_MEMORY = 200 * MB;
const PROTOBUF = { 'content-type': 'application/x-protobuf' };
const JSON_TYPE = { 'content-type': 'application/json' };
/** What the spans of a request stand in. */
const inScope = (bytes: Uint8Array): Uint8Array => field(1, field(2, bytes));

/** The largest body that is allowed, of as many values. */
function largestBody(): string {
  const values = Array.from({ length: 240_000 }, (_, i) => ({ [`name ${i}`]: 'x'.repeat(100) }));
  return JSON.stringify([lookup(0, { result: values })]).slice(0, MAX_BYTES);
}

interface Sent {
  path: string;
  body: Uint8Array;
  headers?: Record<string, string>;
}

let server: Awaited<ReturnType<typeof startProgram>>;
/** Milliseconds of the processor that a request may take. */
let allowed = 0;
beforeAll(async () => {
  const { cli } = await bundledPrograms();
  server = await startProgram(cli, newFolder());
  const body = largestBody();
  allowed = 20 * Math.min(...[1, 2, 3].map(() => processorTime(() => void JSON.parse(body))));
});

const isLinux = process.platform === 'linux';
/** Milliseconds that the server has spent, and the bytes that it takes and has taken at most. */
function spent(): { cpu: number; now: number; peak: number } {
  if (!isLinux) return { cpu: 0, now: 0, peak: 0 };
  const stat = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  const kilobytes = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]) * 1024;
  return { cpu: (Number(stat[11]) + Number(stat[12])) * 10, now: kilobytes('VmRSS'), peak: kilobytes('VmHWM') };
}

/** Sends bytes, and sees to it that neither they nor the next request took too much. */
async function send({ path, body, headers = {} }: Sent): Promise<Answer> {
  if (isLinux) writeFileSync(`/proc/${server.pid}/clear_refs`, '5');
  const before = spent();
  const asked = { headers: { ...headers, 'content-length': String(body.length) }, body };
  const answer = await ask(server.url + path, asked).catch(() => hungUp(path));
  expect((await ask(`${server.url}/v1/events`, { body: JSON.stringify(lookup(0, { session: 'next' })) })).status).toBe(200);
  const after = spent();
  expect(after.cpu - before.cpu, `${path}: processor time`).toBeLessThanOrEqual(allowed);
  expect(after.peak - before.now, `${path}: memory`).toBeLessThanOrEqual(MAX_MEMORY);
  return answer;
}

/** What is refused whatever is in it is not even read: the server may hang up while it is sent. */
const UNREAD: Record<string, number> = { '/v1/cua': 403, '/v1/nothing': 404 };
const hungUp = (path: string): Answer => ({ status: UNREAD[path] ?? 415, headers: {}, text: '' });

describe('a small request that would be large work', () => {
  const spans = inScope(Buffer.alloc(30_000_000, Uint8Array.of(0x12, 0)));
  const deep = Buffer.alloc(10 * MB, '[');
  const values = Buffer.from(`[${'1,'.repeat(2_000_000)}1]`);
  test.each<[string, Sent]>([
    ['15 million spans in 29 KB', { path: '/v1/traces', body: gzipSync(spans), headers: { ...PROTOBUF, 'content-encoding': 'gzip' } }],
    ['15 million spans', { path: '/v1/traces', body: spans, headers: PROTOBUF }],
    ['15 million records', { path: '/v1/logs', body: gzipSync(spans), headers: { ...PROTOBUF, 'content-encoding': 'gzip' } }],
    ['fields that nobody knows', { path: '/v1/metrics', body: spans.subarray(12), headers: PROTOBUF }],
    ['60,000 spans', { path: '/v1/traces', body: inScope(Buffer.alloc(120_000, Uint8Array.of(0x12, 0))), headers: PROTOBUF }],
    ...['/v1/events', '/v1/hooks/claude-code', '/v1/cua', '/v1/traces', '/v1/logs'].flatMap((path): [string, Sent][] => [
      [`lists in lists to ${path}`, { path, body: deep, headers: JSON_TYPE }],
      [`two million values to ${path}`, { path, body: values, headers: JSON_TYPE }],
      [`two million values, packed, to ${path}`, { path, body: gzipSync(values), headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } }],
      [`a gigabyte in a megabyte to ${path}`, { path, body: bomb(), headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } }],
    ]),
  ])('%s is refused before it is done', async (_, sent) => {
    expect((await send(sent)).status).toBe(sent.path === '/v1/cua' ? 403 : 413);
  });
});

let packed: Uint8Array | undefined;
function bomb(): Uint8Array {
  packed ??= gzipSync(Buffer.alloc(1 << 30));
  return packed;
}

/** Bytes within the limits: a pattern without end, something that is almost right, or the largest of all. */
const recipe = fc.record({
  piece: fc.oneof(
    fc.array(fc.nat(255), { minLength: 1, maxLength: 6 }),
    fc
      .constantFrom('[', '{"a":', '1,', '{},', '"x",', '\\"', '{"a":1}\n', '[[],', '"\\u0000', 'é', '-', '\n')
      .map((text) => [...Buffer.from(text)]),
    fc.constantFrom([0x12, 0], [0x0a, 2, 0x12, 0], [0x4a, 0], [0x0a, 1, 0x61], [0x08, 0x80, 0x01]),
  ),
  length: fc.integer({ min: 1, max: MAX_BYTES - 200 }),
  beginning: fc.constantFrom('', '[', '{"events":[', '{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"x","tool_input":'),
  kind: fc.constantFrom('pattern', 'pattern', 'spans', 'spans', 'one event', 'largest'),
  path: fc.constantFrom('/v1/events', '/v1/hooks/claude-code', '/v1/traces', '/v1/logs', '/v1/metrics', '/v1/act', '/v1/cua', '/v1/nothing'),
  type: fc.constantFrom('application/json', 'application/x-protobuf', 'application/x-ndjson'),
  isPacked: fc.boolean(),
});
type Recipe = typeof recipe extends fc.Arbitrary<infer T> ? T : never;

function made({ kind, piece, length, beginning }: Recipe): Uint8Array {
  if (kind === 'largest') return Buffer.from(largestBody());
  if (kind === 'one event') return Buffer.from(JSON.stringify(lookup(0, { result: 'word '.repeat(length / 5) })));
  const pattern = Buffer.concat([Buffer.from(beginning), Buffer.alloc(length, Buffer.from(piece))]);
  return kind === 'spans' ? inScope(pattern) : pattern;
}

test('any bytes within the limits are answered in bounds of time and memory, and so is the next request', async () => {
  await fc.assert(
    fc.asyncProperty(recipe, async (given) => {
      const { path, type, isPacked } = given;
      const headers: Record<string, string> = { 'content-type': type, ...(isPacked ? { 'content-encoding': 'gzip' } : {}) };
      const body = isPacked ? gzipSync(made(given), { level: 1 }) : made(given);
      expect([200, 400, 403, 404, 413, 415]).toContain((await send({ path, body, headers })).status);
    }),
    { numRuns: 40, endOnFailure: true },
  );
});

test('others are answered while a large request is worked on', async () => {
  const events = Array.from({ length: 1000 }, (_, i) => lookup(i, { session: `s${i % 5}`, result: `${i} `.repeat(7000) }));
  let answered = 0;
  let isOver = false;
  const large = ask(`${server.url}/v1/events`, { body: JSON.stringify(events) }).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await ask(`${server.url}/healthz`, { method: 'GET' });
    answered++;
  }
  expect((await large).status).toBe(200);
  expect(answered).toBeGreaterThan(5);
});
