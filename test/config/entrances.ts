import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { openAcpGuard } from '@unrut/adapters/acp/open-acp-guard';
import { openGateway } from '@unrut/adapters/gateway/open-gateway';
import { openProxyGuard } from '@unrut/adapters/mcp/proxy-guard';
import { hookHosts } from '@unrut/agents/hosts';
import type { AgentEvent } from '@unrut/engine/event';
import { createGuard } from '@unrut/engine/guard';
import { guardOptions } from '@unrut/ledger/config/guard-options';
import type { Settings } from '@unrut/ledger/config/settings';
import { createMemoryLedger } from '@unrut/ledger/memory';
import { createRecorder } from '@unrut/ledger/recorder';
import { createApp } from '@unrut/server/create-app';
import { gatewayApp } from '@unrut/server/gateway-route';
import { startServer } from '@unrut/server/start-server';
import { createTaskGuard } from '@unrut/tasks';
import { runGuard } from '@unrut/tasks/run/run-guard';
import { Exchange } from '../../packages/adapters/src/mcp/exchange.ts';
import { replyTo } from '../../packages/agents/src/hook/reply-to.ts';
import { LOOPING } from '../hosts/looping-host.ts';
import { drive } from '../run/drive.ts';
import { lookup } from '../server/lookup.ts';
import { ask } from '../server/request.ts';
import type { Place } from './place.ts';

type Variables = Record<string, string>;

/** A way into Unrut that goes by settings, without a process of its own. */
export interface Entrance {
  /** Whether this entrance reports a loop, with the settings of this place. */
  isTold(place: Place, variables: Variables): Promise<boolean>;
  close?(): Promise<void>;
}

/** An entrance that receives the loaded settings. */
const bySettings = (isTold: (settings: Settings) => Promise<boolean>): Entrance => ({
  isTold: (place, variables) => isTold(place.load(variables).settings),
});

let names = 0;
const newSession = (): string => `session-${++names}`;
const TIMES = [1, 2, 3] as const;
const loopOf = (session: string): AgentEvent[] => TIMES.map((i) => lookup(i, { session }));

const library = async (): Promise<Entrance> =>
  bySettings(async (settings) => {
    const guard = createGuard(guardOptions(settings));
    return loopOf('s').some((event) => guard.observe(event).plan !== null);
  });

const hook = async (): Promise<Entrance> => {
  const { before, after } = LOOPING['claude-code'];
  return {
    async isTold({ project: cwd, home }, environment) {
      const ledger = createMemoryLedger();
      const recorder = createRecorder(ledger, {});
      const printed: string[] = [];
      for (const n of TIMES)
        for (const payload of [before(n), ...after(n)]) {
          const input = JSON.stringify({ ...payload, cwd });
          const at = 1_794_800_000_000 + 5000 * n;
          const request = { input, environment, cwd, home, shadow: false, from: 'user', at };
          const { reply, afterwards } = await replyTo(request, {
            open: async () => ({ ledger, recorder }),
          });
          await afterwards();
          printed.push(reply.stdout);
        }
      return printed.some((line) => line.includes('hookSpecificOutput'));
    },
  };
};

const mcp = async (): Promise<Entrance> =>
  bySettings(async (settings) => {
    const options = { name: 'server', notes: 'append', isLocal: true } as const;
    const guard = await openProxyGuard({
      ...options,
      settings,
      shadow: false,
      hintFailures: false,
      log: () => {},
    });
    const exchange = new Exchange(guard.converse(newSession()));
    const line = (message: object): Buffer =>
      Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const params = { name: 'find', arguments: { what: 'the same' } };
    const result = { content: [{ type: 'text', text: 'always the same long answer' }] };
    const answers = TIMES.map((id) => {
      exchange.fromClient(line({ id, method: 'tools/call', params }));
      return exchange.fromServer(line({ id, result })).toString();
    });
    await guard.close();
    return answers.at(-1) !== answers[0]!.replace('"id":1', '"id":3');
  });

const acp = async (): Promise<Entrance> =>
  bySettings(async (settings) => {
    const guard = openAcpGuard(settings, 'agent', false);
    const told = loopOf(newSession()).some((event) => guard.observe(event, true).plan !== null);
    await guard.close();
    return told;
  });

const run = async (): Promise<Entrance> =>
  bySettings(async (settings) => {
    const { ending } = await drive(() => 'Fixed auth.ts - added null check', {
      guard: runGuard(guardOptions(settings), undefined),
      settings: { shadow: settings.shadow },
      isAsked: false,
      choose: async () => 'stop',
    });
    return ending === 'loop';
  });

const tasks = async (): Promise<Entrance> =>
  bySettings(async ({ guard: { budget } }) => {
    const guard = createTaskGuard({}, budget ? { budget } : {});
    for (const session of ['a', 'b', 'c']) guard.recordAttempt('T1', 'done', [], [], session);
    return guard.detectLoop('T1').isLooping;
  });

const serve = async (): Promise<Entrance> =>
  bySettings(async (settings) => {
    const app = createApp({
      ledger: createMemoryLedger(),
      settingsIn: () => settings,
      loopbackOnly: false,
      version: '0.0.0',
    });
    const post = async (path: string, body: unknown): Promise<string> => {
      const headers = { host: '127.0.0.1', 'content-type': 'application/json' };
      const request = { method: 'POST', headers, body: JSON.stringify(body) };
      const answer = await app.request(`http://127.0.0.1${path}`, request);
      if (answer.status !== 200) throw new Error(await answer.text());
      return answer.text();
    };
    const { verdicts } = JSON.parse(await post('/v1/events', loopOf('s'))) as {
      verdicts: { plan: unknown }[];
    };
    const { before } = LOOPING['claude-code'];
    const { name } = hookHosts.find((host) => host.name === 'claude-code')!;
    await post(`/v1/hooks/${name}`, before(1));
    return verdicts.some(({ plan }) => plan !== null);
  });

/** Its upstream repeats its input. */
const gateway = async (): Promise<Entrance> => {
  const upstream = createServer(async (request, response) => {
    const sent = await text(request);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ choices: [], sent }));
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const { port } = upstream.address() as AddressInfo;
  const upstreams = new Map([['up', new URL(`http://127.0.0.1:${port}`)]]);
  const call = { type: 'function', function: { name: 'find', arguments: '{"what":"the same"}' } };
  const messages = TIMES.flatMap((i) => [
    { role: 'assistant', content: null, tool_calls: [{ id: `c${i}`, ...call }] },
    { role: 'tool', tool_call_id: `c${i}`, content: 'always the same long answer' },
  ]);
  const tools = [{ type: 'function', function: { name: 'find', parameters: { type: 'object' } } }];
  return {
    async isTold(place, variables) {
      const { settings } = place.load(variables);
      const opened = await openGateway({
        settings,
        ledger: createMemoryLedger(),
        upstreams,
        log: () => {},
      });
      const app = gatewayApp(opened.gateway, { loopbackOnly: true });
      const { url, close } = await startServer({ app, host: '127.0.0.1', port: 0 });
      const body = JSON.stringify({
        model: 'm',
        tools,
        messages: [{ role: 'user', content: newSession() }, ...messages],
      });
      const headers = { 'content-type': 'application/json' };
      const { text: answer } = await ask(`${url}/up/v1/chat/completions`, { headers, body });
      await close();
      await opened.close();
      return (JSON.parse(answer) as { sent: string }).sent !== body;
    },
    close: () => new Promise((resolve) => void upstream.close(() => resolve())),
  };
};

export const ENTRANCES: Readonly<Record<string, () => Promise<Entrance>>> = {
  library,
  hook,
  mcp,
  acp,
  run,
  tasks,
  serve,
  gateway,
};
