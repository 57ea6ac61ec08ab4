import { spawnSync } from 'node:child_process';
import type { StreamEntry } from '@unrut/server/api/answers';
import { afterEach, describe, expect, test } from 'vitest';
import { bundledPrograms } from '../bundled-programs.ts';
import { LOOPING } from '../hosts/looping-host.ts';
import { type Listening, listen } from './listen.ts';
import { ask } from './request.ts';
import { record, SEEDED } from './seeded-ledger.ts';
import { type SeededServer, seededServer } from './seeded-server.ts';

/** Most tests only listen, each to sessions of its own. */
const shared = await seededServer();
const open: Listening[] = [];
afterEach(() => {
  for (const listening of open.splice(0)) listening.close();
});

async function listenTo(
  { url }: SeededServer,
  query = '',
  headers: Record<string, string> = {},
): Promise<Listening> {
  const listening = await listen(`${url}/v1/stream${query}`, headers);
  open.push(listening);
  return listening;
}

const entriesOf = ({ messages }: Listening): StreamEntry[] =>
  messages
    .filter(({ event }) => event === 'entry')
    .map(({ data }) => JSON.parse(data!) as StreamEntry);

const reads = (n: number): string[] => [
  `Read {"file_path":"/home/dev/project/part-${n}.ts"} -> "export const part${n} = ${n};"`,
];

describe('GET /v1/stream', () => {
  test('tells of what hook processes, the API and this process write, in one order, each once', async () => {
    const { hook } = bundledPrograms();
    const server = shared;
    const listening = await listenTo(server);
    await record(server.ledger, { session: 'own', lines: reads(1), until: Date.now() });
    const payload = { ...LOOPING['claude-code'].before(1), session_id: 'hooked' };
    const env = { ...process.env, UNRUT_LEDGER_PATH: server.path };
    expect(
      spawnSync(process.execPath, [hook], { input: JSON.stringify(payload), encoding: 'utf8', env })
        .status,
    ).toBe(0);
    const event = { type: 'user-spoke', session: 'told', at: Date.now(), id: 'e1' };
    expect((await ask(`${server.url}/v1/events`, { body: JSON.stringify(event) })).status).toBe(
      200,
    );
    await listening.until((heard) =>
      ['own', 'hooked', 'told'].every((name) =>
        entriesOf(heard).some(({ session }) => session === name),
      ),
    );
    const ids = listening.messages.map(({ id }) => Number(id));
    expect(ids).toEqual([...new Set(ids)].sort((one, other) => one - other));
    expect(entriesOf(listening).find(({ session }) => session === 'hooked')).toMatchObject({
      kind: 'event',
      text: 'is about to call npm test',
      data: { host: 'claude-code' },
    });
  });

  test('continues after the last event that a listener has seen', async () => {
    const server = shared;
    const first = await listenTo(server);
    await record(server.ledger, { session: 'one', lines: reads(1), until: Date.now() });
    await first.until((heard) => heard.messages.length >= 2);
    const { id } = first.messages[0]!;
    first.close();
    await record(server.ledger, { session: 'two', lines: reads(2), until: Date.now() });
    const second = await listenTo(server, '', { 'last-event-id': id! });
    await second.until((heard) => entriesOf(heard).some(({ session }) => session === 'two'));
    expect(entriesOf(second).map(({ session }) => session)).toEqual(['one', 'two', 'two']);
    expect(second.messages.some(({ event }) => event === 'gap')).toBe(false);
  });

  test.each(['999999999', '1'])(
    'says that there is a gap where it cannot: after %s',
    async (id) => {
      const server = shared;
      for (let i = 0; i < 3; i++) {
        const [entry] = await server.ledger.entries({ session: SEEDED.running, last: 1 });
        await server.ledger.append(
          Array.from({ length: 400 }, (_, n) => ({ ...entry!, id: `more-${id}-${i}-${n}` })),
        );
      }
      const listening = await listenTo(server, '', { 'last-event-id': id });
      await listening.until(({ messages }) => messages.length > 0);
      expect(listening.messages).toEqual([{ event: 'gap', data: '{}' }]);
    },
  );

  test('leaves out what is not asked for', async () => {
    const server = shared;
    const listening = await listenTo(server, '?kind=signal,plan&session=loops');
    await record(server.ledger, {
      session: 'other',
      lines: ['Bash {"command":"make"} -> exit 1 "no" x4'],
      until: Date.now(),
    });
    await record(server.ledger, {
      session: 'loops',
      lines: ['Bash {"command":"make"} -> exit 1 "no" x4'],
      until: Date.now(),
    });
    await listening.until((heard) => entriesOf(heard).some(({ kind }) => kind === 'plan'));
    expect(new Set(entriesOf(listening).map(({ session, kind }) => `${session} ${kind}`))).toEqual(
      new Set(['loops signal', 'loops plan']),
    );
  });

  test('gives signs of life', async () => {
    const server = await seededServer({}, { beat: 20 });
    const listening = await listenTo(server);
    await listening.until(
      ({ comments }) => comments.filter((comment) => comment === ': beat').length >= 2,
    );
    expect(listening.messages).toEqual([]);
  });

  test('has room for a maximum of listeners, and again when one leaves', async () => {
    const server = await seededServer({}, { most: 2 });
    const [first] = [await listenTo(server), await listenTo(server)];
    const { status, text } = await server.look('/v1/stream');
    expect({ status, code: JSON.parse(text).error.code }).toEqual({
      status: 503,
      code: 'too-many-listeners',
    });
    first!.close();
    let again = await listenTo(server);
    while (again.status !== 200) again = await listenTo(server);
    expect(again.status).toBe(200);
  });

  test('does not listen for those who only ask whether it is there', async () => {
    const server = await seededServer({}, { most: 1 });
    const asked = await Promise.all(
      [1, 2, 3].map(() => ask(`${server.url}/v1/stream`, { method: 'HEAD' })),
    );
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await listenTo(server)).status).toBe(200);
  });

  test('drops a listener that does not read, and serves the others', async () => {
    const server = await seededServer({}, { patience: 20_000 });
    const [slow, quick] = [await listenTo(server), await listenTo(server)];
    slow!.pause();
    const [entry] = await server.ledger.entries({ session: SEEDED.running, last: 1 });
    const long = { ...entry!, data: { ...entry!.data, padding: 'x'.repeat(200_000) } };
    // More than the system's own buffers hold.
    for (let i = 0; i < 20; i++) {
      await server.ledger.append(
        Array.from({ length: 10 }, (_, n) => ({ ...long, id: `long-${i}-${n}` })),
      );
      await quick!.until(({ messages }) => messages.length >= 10 * (i + 1));
      if (!(await server.look('/metrics')).text.includes('unrut_stream_listeners 2')) break;
    }
    expect((await server.look('/metrics')).text).toContain('unrut_stream_listeners 1');
    slow!.resume();
    await slow!.ended;
    expect(slow!.messages.length).toBeLessThan(quick!.messages.length);
  });

  test('ends with the server', async () => {
    const server = await seededServer();
    const listening = await listenTo(server);
    await Promise.all([server.stop(), listening.ended]);
    expect(listening.status).toBe(200);
  });
});
