import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McpConversation } from '@unrut/adapters/mcp/conversation';
import type { AgentEvent } from '@unrut/engine/event';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { Exchange } from '../../packages/adapters/src/mcp/exchange.ts';
import { createGuard, type GuardOptions } from '../../packages/cli/src/index.ts';
import { installedChromium, LAUNCH_TIMEOUT } from '../browser/chromium.ts';
import { type Pages, type Site, startSite } from '../site/site.ts';
import { connect, type McpClient, type ToolResult } from './client.ts';
import { serverCommand } from './install-servers.ts';
import { removeHome } from './proxied.ts';

/** The real servers: Playwright's, that of files, and Chrome's own. */
export type Place = 'browser' | 'files' | 'devtools';

export interface GuardedServers {
  /** The folder of the files. */
  folder: string;
  /** Where the pages are. */
  url(): string;
  call(place: Place, name: string, args?: object): Promise<ToolResult>;
  /** Lets seconds go by for the guard. */
  later(seconds: number): void;
}

const line = (message: object): Buffer =>
  Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

/**
 * Real servers for all tests of a file, and for each test a guard of its own, as if the proxy had
 * just been started.
 */
export function guardedServers(
  pages: readonly Pages[],
  options: GuardOptions = {},
): GuardedServers {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'unrut-servers-')));
  const readLinked = (path: string): string => readFileSync(join(folder, path), 'utf8');
  let site: Site;
  let clients: Record<Place, McpClient>;
  let tools: Record<Place, object>;
  let exchanges: Record<Place, Exchange>;
  let ahead = 0;
  let calls = 0;

  beforeAll(async () => {
    const browser = [
      '--executable-path',
      installedChromium(),
      '--headless',
      '--isolated',
      '--no-sandbox',
      '--output-dir',
      join(folder, 'out'),
    ];
    const quick = ['--timeout-action', '700', '--timeout-navigation', '10000'];
    const chrome = [
      '--executablePath',
      installedChromium(),
      '--headless',
      '--isolated',
      '--chromeArg=--no-sandbox',
    ];
    site = await startSite(...pages);
    const [playwright, server, devtools] = await Promise.all([
      connect(await serverCommand('playwright', ...browser, ...quick), { cwd: folder }),
      connect(await serverCommand('filesystem', folder)),
      connect(await serverCommand('chrome-devtools', ...chrome)),
    ]);
    clients = { browser: playwright!, files: server!, devtools: devtools! };
    tools = {
      browser: await playwright!.listTools(),
      files: await server!.listTools(),
      devtools: await devtools!.listTools(),
    };
  }, LAUNCH_TIMEOUT);
  afterAll(async () => {
    for (const client of Object.values(clients ?? {})) await client.close();
    await site?.close();
    rmSync(folder, { recursive: true, force: true });
    removeHome();
  });
  beforeEach(() => {
    exchanges = {
      browser: newExchange('browser'),
      files: newExchange('files'),
      devtools: newExchange('devtools'),
    };
  });

  function newExchange(place: Place): Exchange {
    const guard = createGuard({
      can: ['note', 'hint', 'block', 'escalate'],
      attended: false,
      ...options,
    });
    const fault = (_: string, error: unknown): never => {
      throw error;
    };
    const observe = (event: AgentEvent) => guard.observe(event);
    const now = (): number => Date.now() + ahead;
    const conversation = new McpConversation({
      session: 's',
      tools: new Map(),
      notes: 'append',
      readLinked,
      now,
      fault,
      observe,
    });
    const exchange = new Exchange(conversation);
    exchange.fromClient(line({ id: 'l', method: 'tools/list' }));
    exchange.fromServer(line({ id: 'l', result: tools[place] }));
    return exchange;
  }

  return {
    folder,
    url: () => site.url,
    later(seconds) {
      ahead += seconds * 1000;
    },
    async call(place, name, args = {}) {
      const id = ++calls;
      const { answers } = exchanges[place].fromClient(
        line({ id, method: 'tools/call', params: { name, arguments: args } }),
      );
      if (answers[0]) return answers[0].result as ToolResult;
      const answer = await clients[place].callTool({ name, arguments: args }).then(
        (result) => ({ result }),
        ({ code, message }) => ({ error: { code, message } }),
      );
      const { result, error } = JSON.parse(
        exchanges[place].fromServer(line({ id, ...answer })).toString(),
      );
      return result ?? { content: [{ type: 'text', text: error.message }], isError: true };
    },
  };
}

/** The reference of the element with this name in a snapshot. */
export const referenceIn = (text: string, name: string): string =>
  /\[ref=(\w+)\]|uid=(\w+)/
    .exec(text.split('\n').find((each) => each.includes(`"${name}"`)) ?? '')
    ?.slice(1)
    .find(Boolean) ?? 'none';
