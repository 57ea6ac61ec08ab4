import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../scripts/build.ts';
import {
  CLIENTS,
  clientModules,
  connect,
  type Generation,
  type McpClient,
  newClient,
  type ToolResult,
  textOf,
} from './client.ts';
import { answerServer, CAPABILITIES, useEveryFeature } from './every-feature.ts';
import { INSTALL_TIMEOUT, installServers, serverCommand } from './install-servers.ts';
import { openPipe } from './pipe.ts';
import { environment, home, proxied, removeHome } from './proxied.ts';

const children: ChildProcess[] = [];
const clients: McpClient[] = [];

/** Starts a command, and waits for the line with its address. */
async function listening(
  [command, ...args]: readonly string[],
  pattern: RegExp,
  more: Record<string, string> = {},
): Promise<string> {
  const child = spawn(command!, args, {
    env: { ...environment(), ...more },
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream! }).on('line', (line) => {
      const found = pattern.exec(line)?.[1];
      if (found !== undefined) child.emit('found', found);
    });
  }
  const [found] = (await once(child, 'found')) as [string];
  return found;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

/** Sessions and a stream of the server's own; and the protocol without either. */
let everything = '';
let widgets = '';
beforeAll(async () => {
  const port = await freePort();
  await listening(await serverCommand('everything', 'streamableHttp'), /(listening on port)/i, {
    PORT: String(port),
  });
  everything = `http://127.0.0.1:${port}/mcp`;
  const server = [
    process.execPath,
    join(root, 'test/mcp/servers/widgets.ts'),
    await installServers(),
    'http',
  ];
  widgets = `http://127.0.0.1:${await listening(server, /^(\d+)$/)}/mcp`;
}, INSTALL_TIMEOUT);
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});
afterAll(() => {
  for (const child of children) child.kill();
  removeHome();
});

const listen = async (server: string, ...options: readonly string[]): Promise<string> =>
  listening(proxied([], '--url', server, '--listen', '0', ...options), /Listening on (\S+),/);

/** A client on a pipe, served from the server by the bridge. */
async function bridged(
  server: string,
  generation: Generation,
  ...options: readonly string[]
): Promise<McpClient> {
  const client = await connect(proxied([], '--url', server, ...options), {
    generation,
    capabilities: CAPABILITIES,
  });
  clients.push(client);
  return client;
}

/** A client that speaks HTTP to the proxy. */
async function direct(url: string, generation: Generation): Promise<McpClient> {
  const { StreamableHTTPClientTransport } = await clientModules(generation);
  const client = await newClient({ generation, capabilities: CAPABILITIES });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  clients.push(client);
  return client;
}

const WAYS: readonly [string, (server: string, generation: Generation) => Promise<McpClient>][] = [
  ['a client on a pipe', bridged],
  [
    'a client that speaks HTTP',
    async (server, generation) => direct(await listen(server), generation),
  ],
];

describe.each(WAYS)('%s', (_, open) => {
  describe.each(CLIENTS)('of generation %s', (generation) => {
    test('gets from a server over HTTP what it would get without the proxy', async () => {
      const without = await direct(everything, generation);
      const within = await open(everything, generation);
      const [expected, got] = await Promise.all(
        [without, within].map((client) => {
          answerServer(client);
          return useEveryFeature(client);
        }),
      );
      expect(plain(got!)).toEqual(plain(expected!));
    });

    test('gets notes from a server without sessions', async () => {
      const client = await open(widgets, generation);
      const results: ToolResult[] = [];
      for (let i = 0; i < 3; i++)
        results.push(
          await client.callTool({
            name: 'findOrder',
            arguments: { order: '7', remark: 'the same' },
          }),
        );
      expect(results.map(({ content }) => content.length)).toEqual([1, 1, 2]);
      expect(textOf(results[2]!)).toContain('\nUnrut (loop guard): ');
      if (generation === 'v2')
        expect((client as unknown as { getProtocolEra(): string }).getProtocolEra()).toBe('modern');
    });
  });
});

/** Times, session ids and random values differ between runs. */
const plain = (brought: readonly unknown[]): unknown[] =>
  brought.map((each) =>
    JSON.parse(
      JSON.stringify(each)
        .replace(
          /"blob":"([^"]*)"/g,
          (_, blob: string) =>
            `"blob":${JSON.stringify(Buffer.from(blob, 'base64').toString('latin1'))}`,
        )
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|\d{1,2}:\d\d:\d\d(?: [AP]M)?/g, '<time>')
        .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
        .replace(
          /\\"(?:UNRUT_HOME|NODE_COMPILE_CACHE|PORT)\\": [^\\]*(?:\\"[^"]*\\")?/g,
          '<variable>',
        ),
    ),
  );

describe('the oldest transport, HTTP with server-sent events, is watched too', () => {
  let oldest = '';
  beforeAll(async () => {
    const port = await freePort();
    await listening(
      await serverCommand('everything', 'sse'),
      /(running on port|listening on port)/i,
      { PORT: String(port) },
    );
    oldest = `http://127.0.0.1:${port}/sse`;
  }, INSTALL_TIMEOUT);

  const echo = async (client: McpClient, messages: readonly string[]): Promise<string[]> => {
    const texts: string[] = [];
    for (const message of messages)
      texts.push(textOf(await client.callTool({ name: 'echo', arguments: { message } })));
    return texts.map((text) => /Unrut \(loop guard\)(?: did not run)?/.exec(text)?.[0] ?? text);
  };
  const NEWS = ['the tide is out', 'the wind has turned', 'the light is on', 'the boats are back'];

  test('for a client that speaks it, through --listen', async () => {
    const open = async (): Promise<McpClient> => {
      const { SSEClientTransport } = await clientModules('v1');
      const client = await newClient();
      await client.connect(new SSEClientTransport(new URL(await listen(oldest))));
      clients.push(client);
      return client;
    };
    const told = await echo(
      await open(),
      Array.from({ length: 5 }, () => 'the same'),
    );
    expect(told.slice(0, 4)).toEqual([
      'Echo: the same',
      'Echo: the same',
      'Unrut (loop guard)',
      'Unrut (loop guard)',
    ]);
    expect(told[4]).toBe('Unrut (loop guard) did not run');
    expect(await echo(await open(), NEWS)).toEqual(NEWS.map((each) => `Echo: ${each}`));
  });

  test('for a client on a pipe', async () => {
    const told = await echo(await bridged(oldest, 'v1'), ['the same', 'the same', 'the same']);
    expect(told).toEqual(['Echo: the same', 'Echo: the same', 'Unrut (loop guard)']);
    expect(await echo(await bridged(oldest, 'v1'), NEWS)).toEqual(
      NEWS.map((each) => `Echo: ${each}`),
    );
  });
});

describe('sessions over HTTP', () => {
  test('do not share their counts, unless a header says that they are one agent', async () => {
    const find = async (url: string, headers: Record<string, string>) => {
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'findOrder', arguments: { order: '7' } },
      });
      const sent = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      };
      return (await fetch(url, { method: 'POST', headers: sent, body })).text();
    };
    const url = await listen(widgets, '--session-header', 'x-agent');
    const apart = [];
    for (const agent of ['a', 'b', 'a', 'b']) apart.push(await find(url, { 'x-agent': agent }));
    expect(apart.filter((text) => text.includes('Unrut (loop guard): '))).toEqual([]);
    expect(await find(url, { 'x-agent': 'a' })).toContain('Unrut (loop guard): ');
    expect(await find(url, { authorization: 'Bearer somebody-else' })).not.toContain(
      'Unrut (loop guard): ',
    );
  });

  test('are not open to pages of other sites', async () => {
    const url = await listen(widgets);
    const ask = (headers: Record<string, string>) =>
      fetch(url, { method: 'POST', body: '{}', headers }).then(({ status }) => status);
    expect(
      await ask({ origin: 'https://elsewhere.example', 'content-type': 'application/json' }),
    ).toBe(403);
    expect(await ask({ origin: new URL(url).origin, 'content-type': 'application/json' })).toBe(
      400,
    );
  });

  test('a server that cannot be reached is said so, and by whom', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}/mcp`;
    const response = await fetch(await listen(nowhere), {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect([response.status, await response.text()]).toEqual([
      502,
      `[unrut] The server at ${new URL(nowhere).origin} could not be reached: ECONNREFUSED.\n`,
    ]);
    const pipe = openPipe(proxied([], '--url', nowhere));
    pipe.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} });
    expect((await pipe.answer(1)).error).toEqual({
      code: -32000,
      message: `The server at ${new URL(nowhere).origin} could not be reached: ECONNREFUSED.`,
    });
    expect(await pipe.end()).toEqual({ code: 0, signal: null });
  });
});
