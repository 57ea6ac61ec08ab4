import { type ClientOptions, createClient } from '@unrut/adapters/client';
import { describe, expect, test } from 'vitest';
import { newPath } from '../ledger-files.ts';
import { lookup, served } from '../server/served.ts';
import { closing, stranger } from './speakers.ts';

/** A client that is closed after the tests. */
function connect(options: ClientOptions) {
  const client = createClient({ pause: 10, timeout: 60_000, ...options });
  closing.push(client.close);
  return client;
}

const PIECE = {
  type: 'text-added',
  channel: 'answer',
  session: 'written',
  at: 1_794_800_000_000,
  text: 'word ',
} as const;

/** Features of the TypeScript client only; the rest is in `conformance.process.test.ts`. */
describe('a client', () => {
  test('sends events that come while a request is under way together, in order', async () => {
    const { url, ledger } = await served(newPath());
    const sizes: number[] = [];
    const counting = await stranger(async (request, response) => {
      const body = (await request.toArray()).join('');
      sizes.push(JSON.parse(body).length);
      response.end(await (await fetch(`${url}/v1/events`, { method: 'POST', body })).text());
    });
    const client = connect({ url: counting });
    const { id: _, ...event } = lookup(0);
    const verdicts = await Promise.all(
      Array.from({ length: 250 }, (_, i) => client.observe({ ...event, at: event.at + i * 5000 })),
    );
    expect(verdicts.map(({ step }) => step)).toEqual(verdicts.map((_, i) => i));
    expect(sizes).toEqual([1, 100, 100, 49]);
    expect((await ledger.sessions())[0]!.events).toBe(250);
  });

  test('gathers pieces of streamed text; any other event sends them at once, in order', async () => {
    const { url, ledger } = await served(newPath());
    const bodies: string[][] = [];
    const counting = await stranger(async (request, response) => {
      const body = (await request.toArray()).join('');
      bodies.push(JSON.parse(body).map(({ type }: { type: string }) => type));
      response.end(await (await fetch(`${url}/v1/events`, { method: 'POST', body })).text());
    });
    const client = connect({ url: counting });
    const piece = (i: number) => ({ ...PIECE, at: PIECE.at + i, id: `p${i}` });
    const [first, ...rest] = [piece(0), piece(1), piece(2), { ...piece(3), done: true }].map(
      client.observe,
    );
    await Promise.all([first, ...rest]);
    expect(bodies).toEqual([Array(4).fill('text-added')]);
    await Promise.all([piece(4), piece(5)].map(client.observe));
    expect(bodies[1]).toEqual(['text-added', 'text-added']);
    expect((await ledger.sessions()).map(({ session }) => session)).toEqual(['written']);
  });

  test('never throws on what cannot be written as JSON', async () => {
    const { url } = await served(newPath());
    const client = connect({ url });
    const circle: { self?: object } = {};
    circle.self = circle;
    for (const event of [
      undefined,
      null,
      7,
      'x',
      {},
      { type: 'idle' },
      lookup(0, { result: 7n }),
      lookup(0, { result: circle }),
    ]) {
      const { faults } = await client.observe(event as never);
      expect(faults.map(({ where }) => where)).toEqual(['event']);
    }
  });
});
