import { gzipSync } from 'node:zlib';
import { createMemoryLedger } from '@unrut/ledger/memory';
import { expect, test } from 'vitest';
import { createApp } from './create-app.ts';

const KB = 1024;
const event = (text: string): string =>
  JSON.stringify({ type: 'user-spoke', session: 's', at: 1_794_800_000_000, text });
const large = event('x'.repeat(200 * KB));

/** A server that accepts 300 KB per body, and 500 KB in total. */
function start() {
  const common = {
    ledger: createMemoryLedger(),
    settingsIn: () => ({ guard: {} }),
    loopbackOnly: false,
    version: '0.0.0',
  };
  const app = createApp({ ...common, mostBytes: 300 * KB, mostUnderWay: 500 * KB });
  const post = async (
    path: string,
    body: NonNullable<RequestInit['body']>,
    headers: Record<string, string> = {},
  ) => {
    const request = new Request(`http://localhost${path}`, {
      method: 'POST',
      body,
      headers,
      duplex: 'half',
    } as RequestInit);
    const answer = await app.request(request);
    const { error } = (await answer.json()) as { error?: object };
    return { status: answer.status, again: answer.headers.get('retry-after'), error };
  };
  const tell = (body: string, chunked = false) =>
    post(
      '/v1/events',
      body,
      chunked
        ? { 'transfer-encoding': 'chunked' }
        : { 'content-length': String(Buffer.byteLength(body)) },
    );

  /** A request that sends this many characters of its body and then waits. */
  async function begin(body: string, sent: number) {
    const read = Promise.withResolvers<void>();
    const rest = Promise.withResolvers<string>();
    const pieces = [async () => body.slice(0, sent), () => rest.promise];
    const stream = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          if (pieces.length === 1) read.resolve();
          const piece = await pieces.shift()?.();
          if (piece === undefined) controller.close();
          else controller.enqueue(new TextEncoder().encode(piece));
        },
      },
      { highWaterMark: 0 },
    );
    const answer = post('/v1/events', stream, {
      'content-length': String(Buffer.byteLength(body)),
    });
    await read.promise;
    return {
      finish() {
        rest.resolve(body.slice(sent));
        return answer;
      },
      breakOff() {
        rest.reject(new Error('gone'));
        return answer;
      },
    };
  }
  return { post, tell, begin };
}

test.each([
  ['a body', false],
  ['a body in pieces', true],
])(
  '%s that is too much with the others is refused for now, and nothing else is',
  async (_, isChunked) => {
    const { tell, begin } = start();
    const others = [await begin(large, 190 * KB), await begin(large, 190 * KB)];
    expect(await tell(large, isChunked)).toEqual({
      status: 503,
      again: '1',
      error: {
        code: 'too-much-at-once',
        message: 'Too much at once: at most 500 KB from all senders together. Retry in 1 s.',
      },
    });
    expect((await tell(event('small'), isChunked)).status).toBe(200);
    for (const { finish } of others) expect((await finish()).status).toBe(200);
    expect((await tell(large, isChunked)).status).toBe(200);
  },
);

test('an announced length reserves no memory, and an aborted body releases it', async () => {
  const { tell, begin } = start();
  for (let i = 0; i < 5; i++) await begin(large, 1);
  expect((await tell(large)).status).toBe(200);
  const begun = [await begin(large, 190 * KB), await begin(large, 190 * KB)];
  expect((await tell(large)).status).toBe(503);
  for (const { breakOff } of begun) await breakOff();
  expect((await tell(large)).status).toBe(200);
});

test('a packed body counts as what it becomes', async () => {
  const { post, begin } = start();
  const packed = gzipSync(JSON.stringify({ resourceSpans: [], padding: 'x'.repeat(250 * KB) }));
  const send = () =>
    post('/v1/traces', packed, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
  const others = [await begin(large, 190 * KB), await begin(large, 190 * KB)];
  expect((await send()).status).toBe(503);
  for (const { finish } of others) await finish();
  expect((await send()).status).toBe(200);
});

test.each([
  ['a body', false],
  ['a body in pieces', true],
])('%s that is too large by itself is refused for good', async (_, isChunked) => {
  const { status, again, error } = await start().tell(event('x'.repeat(400 * KB)), isChunked);
  expect({ status, again, error }).toEqual({
    status: 413,
    again: null,
    error: {
      code: 'too-large',
      message: 'Expected a body of at most 300 KB, got more. It was not processed.',
    },
  });
});
