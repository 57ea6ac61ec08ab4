import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createClient } from '@unrut/adapters/client';
import type { AgentEvent } from '@unrut/engine/event';
import { afterAll } from 'vitest';
import { followMessages } from '../../packages/adapters/src/frameworks/messages/index.ts';
import { root } from '../../scripts/build.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of another program.
export type Any = any;

/** A client in one language: what the cases need of it. */
export interface Speaker {
  connect(options: Any): Promise<void>;
  observe(event: AgentEvent): Promise<Any>;
  flush(): Promise<number>;
  close(): Promise<number>;
  counts(): Promise<{ waiting: number; dropped: number }>;
  before(messages: Any[]): Promise<{ messages: Any[]; stop: string | null }>;
  after(reply: Any): Promise<{ refused: Record<string, string>; stop: string | null }>;
  plans(): Promise<string[]>;
}

/** Functions to run after the tests of a file. */
export const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

/** The client of this package. */
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

/** The client in `clients/python`. */
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
export async function stranger(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The client in each language, not yet connected. */
export const LANGUAGES: readonly [language: string, open: () => Speaker][] = [
  ['TypeScript', typescript],
  ['Python', python],
];

/** Returns a client of the language that is connected. */
export const connecting =
  (open: () => Speaker) =>
  async (options: Any): Promise<Speaker> => {
    const speaker = open();
    await speaker.connect(options);
    return speaker;
  };
