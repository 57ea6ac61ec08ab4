import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect } from 'vitest';
import { documentOf } from '../../packages/server/src/routes.ts';
import { processorTime } from '../processor-time.ts';
import { lookup } from './lookup.ts';
import { field } from './otlp-bytes.ts';
import { type Answer, ask } from './request.ts';

export const MB = 1 << 20;
const MAX_BYTES = 32 * MB;
const MAX_MEMORY = 200 * MB;
/** Characters of a query; Node takes 16 KB of headers. */
const MAX_QUERY = 12_000;

/** What the spans of a request stand in. */
export const inScope = (bytes: Uint8Array): Uint8Array => field(1, field(2, bytes));

/** The largest body that is allowed, of as many values. */
function largestBody(): string {
  const values = Array.from({ length: 240_000 }, (_, i) => ({ [`name ${i}`]: 'x'.repeat(100) }));
  return JSON.stringify([lookup(0, { result: values })]).slice(0, MAX_BYTES);
}

export interface Sent {
  path: string;
  method?: string;
  body: Uint8Array;
  headers?: Record<string, string>;
}

/** A server in a process of its own. */
export interface Watched {
  url: string;
  pid: number;
  /** With every request. */
  headers?: Record<string, string>;
}

const isLinux = process.platform === 'linux';

/** Milliseconds that the server has spent, and the bytes that it takes and has taken at most. */
function spent(pid: number): { cpu: number; now: number; peak: number } {
  if (!isLinux) return { cpu: 0, now: 0, peak: 0 };
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = (name: string): number =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]) * 1024;
  return {
    cpu: (Number(stat[11]) + Number(stat[12])) * 10,
    now: kilobytes('VmRSS'),
    peak: kilobytes('VmHWM'),
  };
}

/** Sends bytes to a server, and sees to it that neither they nor the next request took too much. */
export function createSender({
  url,
  pid,
  headers: always = {},
}: Watched): (sent: Sent) => Promise<Answer | undefined> {
  const body = largestBody();
  const allowed = 20 * Math.min(...[1, 2, 3].map(() => processorTime(() => void JSON.parse(body))));
  return async ({ path, method = 'POST', body: bytes, headers = {} }) => {
    if (isLinux) writeFileSync(`/proc/${pid}/clear_refs`, '5');
    const before = spent(pid);
    const asked = {
      method,
      headers: { ...always, ...headers, 'content-length': String(bytes.length) },
      body: bytes,
    };
    // What is refused whatever is in it is not even read: the server may hang up while it is sent.
    const answer = await ask(url + path, asked).catch(() => undefined);
    const next = await ask(`${url}/v1/events`, {
      headers: always,
      body: JSON.stringify(lookup(0, { session: 'next' })),
    });
    expect(next.status, next.text).toBe(200);
    const after = spent(pid);
    expect(after.cpu - before.cpu, `${path}: processor time`).toBeLessThanOrEqual(allowed);
    expect(after.peak - before.now, `${path}: memory`).toBeLessThanOrEqual(MAX_MEMORY);
    return answer;
  };
}

export interface Route {
  method: string;
  path: string;
}

/** Every route of the document, with names in the places of names. The stream has no end. */
export const everyRoute = (isForMany = false): Route[] =>
  Object.entries(documentOf('0', isForMany).paths)
    .filter(([path]) => path !== '/v1/stream')
    .flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => ({
        method: method.toUpperCase(),
        path: path.replace('{agent}', 'claude-code').replaceAll(/\{\w+\}/g, 'x'),
      })),
    );

const piece = fc.oneof(
  fc.array(fc.nat(255), { minLength: 1, maxLength: 6 }),
  fc
    .constantFrom(
      '[',
      '{"a":',
      '1,',
      '{},',
      '"x",',
      '\\"',
      '{"a":1}\n',
      '[[],',
      '"\\u0000',
      'é',
      '-',
      '\n',
    )
    .map((text) => [...Buffer.from(text)]),
  fc.constantFrom([0x12, 0], [0x0a, 2, 0x12, 0], [0x4a, 0], [0x0a, 1, 0x61], [0x08, 0x80, 0x01]),
);

const BEGINNINGS = [
  '',
  '[',
  '{"events":[',
  '{"name":"x","settings":',
  '{"messages":[',
  '{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"x","tool_input":',
];

const recipe = fc.record({
  piece,
  length: fc.integer({ min: 1, max: MAX_BYTES - 200 }),
  beginning: fc.constantFrom(...BEGINNINGS),
  kind: fc.constantFrom('pattern', 'pattern', 'spans', 'spans', 'one event', 'largest'),
  type: fc.constantFrom('application/json', 'application/x-protobuf', 'application/x-ndjson'),
  isPacked: fc.boolean(),
});
type Recipe = typeof recipe extends fc.Arbitrary<infer T> ? T : never;

function made({ kind, piece: bytes, length, beginning }: Recipe): Uint8Array {
  if (kind === 'largest') return Buffer.from(largestBody());
  if (kind === 'one event')
    return Buffer.from(JSON.stringify(lookup(0, { result: 'word '.repeat(length / 5) })));
  const pattern = Buffer.concat([Buffer.from(beginning), Buffer.alloc(length, Buffer.from(bytes))]);
  return kind === 'spans' ? inScope(pattern) : pattern;
}

/**
 * Bodies within the limits, to any of the routes: a pattern without end, something that is almost
 * right, or the largest of all.
 */
export const anyBody = (routes: readonly Route[]): fc.Arbitrary<Sent> =>
  fc.record({ route: fc.constantFrom(...routes), recipe }).map(({ route, recipe: given }) => ({
    ...route,
    headers: {
      'content-type': given.type,
      ...(given.isPacked ? { 'content-encoding': 'gzip' } : {}),
    },
    body: given.isPacked ? gzipSync(made(given), { level: 1 }) : made(given),
  }));

const NAMES = [
  'id',
  'session',
  'since',
  'limit',
  'cursor',
  'search',
  'sort',
  'state',
  'by',
  'around',
  'offset',
  'detector',
  'x',
];

/** Any query, to any of the routes, as a name or a value. */
export const anyQuery = (routes: readonly Route[]): fc.Arbitrary<Sent> =>
  fc
    .record({
      route: fc.constantFrom(...routes),
      name: fc.constantFrom(...NAMES),
      piece,
      length: fc.integer({ min: 0, max: MAX_QUERY / 3 }),
    })
    .map(({ route: { method, path }, name, piece: bytes, length }) => ({
      method,
      path: `${path}?${name}=${[...Buffer.alloc(length, Buffer.from(bytes))].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')}`,
      body: new Uint8Array(),
    }));
