import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createClient } from '@unrut/adapters/client';
import type { AgentEvent } from '@unrut/engine/event';
import { afterAll, describe, expect, test } from 'vitest';
import { followMessages } from '../../packages/adapters/src/frameworks/messages/index.ts';
import { createGuard } from '../../packages/cli/src/index.ts';
import { root } from '../../scripts/build.ts';
import { newPath } from '../ledger-files.ts';
import { lookup, served } from '../server/served.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of another program.
type Any = any;

/** A client in one language: what the cases need of it. */
interface Speaker {
  connect(options: Any): Promise<void>;
  observe(event: AgentEvent): Promise<Any>;
  flush(): Promise<number>;
  close(): Promise<number>;
  counts(): Promise<{ waiting: number; dropped: number }>;
  before(messages: Any[]): Promise<{ messages: Any[]; stop: string | null }>;
  after(reply: Any): Promise<{ refused: Record<string, string>; stop: string | null }>;
  plans(): Promise<string[]>;
}

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

function typescript(): Speaker {
  let client: ReturnType<typeof createClient>;
  let follow: ReturnType<typeof followMessages>;
  let turn: Any;
  const plans: string[] = [];
  return {
    async connect({ timeout = 2, pause = 0.5, ...options }) {
      client = createClient({ ...options, timeout: timeout * 1000, pause: pause * 1000 });
      closing.push(client.close);
      follow = followMessages({ guard: client, onPlan: ({ rung }) => void plans.push(rung) });
    },
    observe: (event) => client.observe(event),
    flush: () => client.flush(),
    close: () => client.close(),
    counts: async () => ({ waiting: client.waiting, dropped: client.dropped }),
    async before(messages) {
      turn = await follow.before(messages);
      return { messages: turn.messages, stop: turn.stop };
    },
    async after(reply) {
      const { refused, stop } = await turn.after(reply);
      return { refused: Object.fromEntries(refused), stop };
    },
    plans: async () => plans,
  };
}

function python(): Speaker {
  let child: ChildProcessWithoutNullStreams;
  let lines: AsyncIterator<string>;
  const errors: string[] = [];
  async function ask(what: string, given: object = {}): Promise<Any> {
    child.stdin.write(`${JSON.stringify({ do: what, ...given })}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`python3 ended. Is it installed? ${errors.join('')}`);
    const { answer, raised } = JSON.parse(value);
    if (raised !== undefined) throw new Error(raised);
    return answer;
  }
  return {
    async connect(options) {
      child = spawn('python3', ['-B', '-u', join(root, 'clients/python/tests/driver.py')]);
      child.on('error', (error) => errors.push(String(error)));
      child.stderr.on('data', (data) => errors.push(String(data)));
      child.stdin.on('error', () => {});
      closing.push(() => child.kill());
      lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      await ask('connect', options);
    },
    observe: (event) => ask('observe', { event }),
    flush: () => ask('flush'),
    close: () => ask('close'),
    counts: () => ask('counts'),
    before: (messages) => ask('before', { messages }),
    after: (reply) => ask('after', { reply }),
    plans: () => ask('plans'),
  };
}

/** A server that answers as it likes, and is no server of Unrut. */
async function stranger(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const told = ({ signals, plan, shadow, outcomes, step }: Any) => ({
  signals,
  plan,
  shadow,
  outcomes,
  step,
});

test('the decorators for tools in Python pass their own tests', async () => {
  const { url } = await served(newPath());
  const child = spawn('python3', ['-m', 'unittest', 'discover', '-v', '-s', 'tests'], {
    cwd: join(root, 'clients/python'),
    env: { ...process.env, UNRUT_URL: url, PYTHONDONTWRITEBYTECODE: '1' },
  });
  const said: string[] = [];
  child.on('error', (error) => said.push(`python3 cannot be started: ${error}`));
  child.stderr.on('data', (data) => said.push(String(data)));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(said.join('')).toMatch(/Ran [1-9]\d* tests[^\n]*\n\nOK/);
  expect(code).toBe(0);
});

describe.each([
  ['TypeScript', typescript],
  ['Python', python],
])('the client in %s', (_, open) => {
  async function connected(options: Any): Promise<Speaker> {
    const speaker = open();
    await speaker.connect(options);
    return speaker;
  }

  test('has the verdicts of a guard in its own process', async () => {
    const { url } = await served(newPath());
    const client = await connected({ url: `${url}/`, attended: true });
    const guard = createGuard();
    for (let i = 0; i < 8; i++)
      expect(told(await client.observe(lookup(i)))).toEqual(told(guard.observe(lookup(i))));
  });

  test('only records in shadow, and plans only what the host can do', async () => {
    const { url } = await served(newPath());
    const shadow = await connected({ url, shadow: true });
    const able = await connected({ url, can: ['note'] });
    const rungs: unknown[] = [];
    for (let i = 0; i < 8; i++) {
      const recorded = await shadow.observe(lookup(i));
      expect(recorded.plan).toBeNull();
      rungs.push(recorded.shadow?.rung);
      const { plan } = await able.observe(lookup(i, { session: 'other' }));
      expect(plan?.rung ?? 'note').toBe('note');
    }
    expect(rungs).toContain('note');
  });

  test('says that the user was asked only if the program does that', async () => {
    const { url } = await served(newPath());
    const texts = async (session: string, options: Any): Promise<string> => {
      const client = await connected({ url, ...options });
      const said: string[] = [];
      for (let i = 0; i < 12; i++)
        said.push((await client.observe(lookup(i, { session }))).plan?.toModel ?? '');
      return said.join('\n');
    };
    expect(await texts('a', {})).not.toContain('asks a human');
    expect(await texts('b', { attended: true })).toContain('asks a human');
  });

  test('counts an event once, however often it is sent', async () => {
    const { url, ledger } = await served(newPath());
    const client = await connected({ url });
    const first = await client.observe(lookup(0));
    const again = await client.observe(lookup(0));
    expect([first.repeated, again.repeated]).toEqual([undefined, true]);
    expect((await ledger.sessions())[0]!.events).toBe(1);
  });

  test('adds where events come from, unless they say so', async () => {
    const { url, ledger } = await served(newPath());
    const client = await connected({ url, origin: { host: 'mine', team: 'payments' } });
    await client.observe(lookup(0));
    await client.observe({ ...lookup(1), origin: { host: 'other' } });
    const kept = (await ledger.entries({ kind: 'event' })).map(({ data: { host, team } }) => ({
      host,
      team,
    }));
    expect(kept).toEqual([
      { host: 'mine', team: 'payments' },
      { host: 'other', team: 'payments' },
    ]);
  });

  test('keeps events while the server is away, says so, and sends them in order later', async () => {
    let isAway = true;
    const bodies: string[] = [];
    const url = await stranger(async (request, response) => {
      const body = (await request.toArray()).join('');
      if (isAway) return void response.destroy();
      const events: AgentEvent[] = JSON.parse(body);
      bodies.push(...events.map(({ id }) => id!));
      response.end(JSON.stringify({ verdicts: events.map(() => ({ signals: [] })) }));
    });
    const client = await connected({ url, pause: 20 });
    for (let i = 0; i < 3; i++) {
      const { plan, faults } = await client.observe(lookup(i));
      expect(plan).toBeNull();
      expect(faults[0].message).toMatch(/events are kept and sent later/);
    }
    expect(await client.counts()).toEqual({ waiting: 3, dropped: 0 });
    isAway = false;
    expect(await client.flush()).toBe(0);
    expect(bodies).toEqual([0, 1, 2].map((i) => lookup(i).id));
    expect(await client.close()).toBe(0);
    expect((await client.observe(lookup(4))).faults[0].message).toMatch(/closed/);
  });

  test('waits no longer than its timeout', async () => {
    const url = await stranger(() => {});
    const client = await connected({ url, timeout: 0.3, pause: 20 });
    const since = performance.now();
    expect((await client.observe(lookup(0))).faults).toHaveLength(1);
    expect(performance.now() - since).toBeLessThan(5000);
  });

  test('drops what the server refuses for good, and keeps what it cannot read yet', async () => {
    const refuses = await stranger((_, response) => {
      response.writeHead(401).end('{"error":{"message":"expected a token."}}');
    });
    const client = await connected({ url: refuses });
    expect((await client.observe(lookup(0))).faults[0].message).toMatch(/401: expected a token/);
    expect(await client.counts()).toEqual({ waiting: 0, dropped: 1 });
    const nonsense = await stranger((_, response) => void response.end('<html>'));
    const other = await connected({ url: nonsense, pause: 20, most: 2 });
    for (let i = 0; i < 4; i++) expect((await other.observe(lookup(i))).plan).toBeNull();
    expect(await other.counts()).toEqual({ waiting: 2, dropped: 2 });
  });

  test('rejects an address that it cannot use', async () => {
    for (const url of ['localhost', 'http://a:b@127.0.0.1:1'])
      await expect(connected({ url })).rejects.toThrow(/url: expected/);
  });

  describe('followMessages', () => {
    const SAME = 'Three pages were found, none of which says more about it than the others do.';
    const WIRES: Record<string, { call(id: string, q: string): Any; result(id: string): Any }> = {
      'chat completions': {
        call: (id, q) => ({
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id,
              type: 'function',
              function: { name: 'search', arguments: JSON.stringify({ q }) },
            },
          ],
        }),
        result: (id) => ({ role: 'tool', tool_call_id: id, content: SAME }),
      },
      Responses: {
        call: (id, q) => ({
          type: 'function_call',
          call_id: id,
          name: 'search',
          arguments: JSON.stringify({ q }),
        }),
        result: (id) => ({ type: 'function_call_output', call_id: id, output: SAME }),
      },
      Anthropic: {
        call: (id, q) => ({
          role: 'assistant',
          content: [{ type: 'tool_use', id, name: 'search', input: { q } }],
        }),
        result: (id) => ({
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: id, content: SAME }],
        }),
      },
      Gemini: {
        call: (id, q) => ({
          role: 'model',
          parts: [{ functionCall: { id, name: 'search', args: { q } } }],
        }),
        result: (id) => ({
          role: 'user',
          parts: [{ functionResponse: { id, name: 'search', response: { output: SAME } } }],
        }),
      },
    };

    /** A loop of 30 turns, in which nothing is heeded. */
    async function played(wire: (typeof WIRES)[string], question: (n: number) => string) {
      const { url } = await served(newPath());
      const client = await connected({ url });
      const isGemini = wire === WIRES.Gemini;
      const messages: Any[] = [
        isGemini ? { role: 'user', parts: [{ text: 'Go.' }] } : { role: 'user', content: 'Go.' },
      ];
      let ran = 0;
      let stop: string | null = null;
      let sent: Any[] = [];
      for (let n = 0; n < 30 && stop === null; n++) {
        const turn = await client.before(messages);
        sent = turn.messages;
        stop = turn.stop;
        if (stop !== null) break;
        const call = wire.call(`c${n}`, question(n));
        const reply = await client.after(call.type === 'function_call' ? { output: [call] } : call);
        stop = reply.stop;
        if (stop !== null) break;
        const refusal = reply.refused[`c${n}`];
        if (refusal === undefined) ran++;
        const result = JSON.stringify(wire.result(`c${n}`));
        const text = refusal ?? `${SAME} ${question(n) === 'foo' ? '' : question(n)}`;
        messages.push(
          call,
          JSON.parse(result.replace(SAME, () => JSON.stringify(text).slice(1, -1))),
        );
      }
      return { ran, stop, sent, messages, plans: await client.plans() };
    }

    test.each(Object.keys(WIRES))(
      'climbs a loop on messages of %s, from a note in the result to a stop',
      async (name) => {
        const { ran, stop, sent, messages, plans } = await played(WIRES[name]!, () => 'foo');
        expect([...new Set(plans)]).toEqual(['note', 'hint', 'block', 'escalate', 'stop']);
        expect(ran).toBeLessThanOrEqual(8);
        expect(stop).toMatch(/^Unrut stopped the run/);
        expect(JSON.stringify(sent)).toContain('Unrut');
        expect(sent).toHaveLength(messages.length);
      },
    );

    test.each(Object.keys(WIRES))(
      'twin: changes nothing in a run on messages of %s that finds something new each time',
      async (name) => {
        const words = (n: number): string =>
          Array.from({ length: 8 }, (_, i) => `w${(n * 7919 + i * 104_729) % 99_991}`).join(' ');
        const { ran, stop, sent, messages, plans } = await played(WIRES[name]!, words);
        expect([ran, stop, plans]).toEqual([30, null, []]);
        expect(sent).toEqual(messages.slice(0, sent.length));
      },
    );
  });
});
