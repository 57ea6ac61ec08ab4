import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import type { Asked, ModelApi, Reply, Script } from './model/model.ts';

/** One question of the agent's loop, and what the model said to it. */
export interface Exchange extends Asked {
  /** Counts the questions of one conversation, from 1. */
  turn: number;
  reply: Reply;
}

/** A model on loopback that says what a script has it say. */
export interface ModelServer {
  url: string;
  /** What was asked so far, in order. */
  exchanges: readonly Exchange[];
  close(): Promise<void>;
}

export async function startModelServer(api: ModelApi, script: Script): Promise<ModelServer> {
  const exchanges: Exchange[] = [];
  let asides = 0;

  async function answer(body: string): Promise<string> {
    const asked = api.read(JSON.parse(body));
    if (!asked) return api.write({ text: 'Untitled' }, `aside_${++asides}`);
    const turn = 1 + exchanges.filter(({ nested }) => nested === asked.nested).length;
    const reply = script(turn, asked);
    exchanges.push({ ...asked, turn, reply });
    const id = String(exchanges.length);
    if (reply.takes) await setTimeout(reply.takes * 1000);
    return api.write(reply, id);
  }

  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (request.method !== 'POST' || !api.asks(request.url ?? ''))
      return void response.writeHead(404).end('{}');
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(await answer(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
