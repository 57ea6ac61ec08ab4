import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { root } from '../../scripts/build.ts';
import {
  CLIENTS,
  type ClientOptions,
  connect,
  type McpClient,
  type ToolResult,
  textOf,
} from './client.ts';
import { INSTALL_TIMEOUT, installServers } from './install-servers.ts';
import { proxied, recorded, removeHome } from './proxied.ts';

let widgets: string[] = [];
beforeAll(async () => {
  widgets = [process.execPath, join(root, 'test/mcp/servers/widgets.ts'), await installServers()];
}, INSTALL_TIMEOUT);
afterAll(removeHome);

const clients: McpClient[] = [];
const open = async (options: readonly string[], client: ClientOptions): Promise<McpClient> => {
  const connected = await connect(proxied(widgets, ...options), client);
  clients.push(connected);
  return connected;
};
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

const findOrder = (client: McpClient, remark: string, more: object = {}) =>
  client.callTool({ name: 'findOrder', arguments: { order: '7', remark }, ...more });
const signOf = ({ _meta: meta }: ToolResult) =>
  meta?.['unrut/signal'] as { rung: string; detector: string; count: number } | undefined;

/** Repeats a call. */
async function times(count: number, call: () => Promise<ToolResult>): Promise<ToolResult[]> {
  const results: ToolResult[] = [];
  while (results.length < count) results.push(await call());
  return results;
}

test.each(CLIENTS)(
  'a note is the last text block, then comes a hint, then a refusal without the server (client %s)',
  async (generation) => {
    const client = await open([], { generation });
    const results = await times(5, () => findOrder(client, 'the same'));
    const answer = 'Order 7 waits for the customer to answer the letter.';
    expect(results.map(({ content }) => content.length)).toEqual([1, 1, 2, 2, 1]);
    expect(results.slice(0, 4).map(({ content }) => content[0]?.text)).toEqual([
      answer,
      answer,
      answer,
      answer,
    ]);
    expect(results[2]!.content[1]!.text).toMatch(
      /^Unrut \(loop guard\): `findOrder` returned the same result 3 times/,
    );
    expect(results[4]).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^Unrut \(loop guard\) did not run `findOrder`/) }],
    });
    expect(results.map((result) => signOf(result)?.rung)).toEqual([
      undefined,
      undefined,
      'note',
      'hint',
      'block',
    ]);
    expect(signOf(results[2]!)).toMatchObject({
      detector: 'repeated-call',
      variant: 'consecutive',
      count: 3,
    });
  },
);

test('what a tool or a call declares of itself counts: identity, and polls', async () => {
  const client = await open([], {});
  await client.listTools();
  const polls = await times(6, () =>
    client.callTool({ name: 'buildState', arguments: { build: '1' } }),
  );
  expect(polls.map(signOf).filter(Boolean)).toEqual([]);
  const declaredHere = await times(6, () =>
    findOrder(client, 'the same', { _meta: { 'unrut/poll': true } }),
  );
  expect(declaredHere.map(signOf).filter(Boolean)).toEqual([]);
  const remarks = ['please', 'please, urgently', 'what became of it'];
  const results = await times(3, () => findOrder(client, remarks.shift()!));
  expect(textOf(results[2]!)).toContain('Unrut (loop guard): `findOrder` returned the same result');
});

test.each([
  ['append', { degrees: 21 }, undefined],
  ['strip-structured', undefined, undefined],
  ['error', { degrees: 21 }, true],
])('--notes %s', async (mode, structuredContent, isError) => {
  const client = await open(['--notes', mode], {});
  const { tools } = await client.listTools();
  expect(tools.find(({ name }) => name === 'weather')!.outputSchema === undefined).toBe(
    mode === 'strip-structured',
  );
  const [, second, third] = await times(3, () =>
    client.callTool({ name: 'weather', arguments: { city: 'Bern' } }),
  );
  expect(second).toEqual({
    content: [{ type: 'text', text: '{"degrees":21}' }],
    structuredContent: { degrees: 21 },
  });
  expect([third!.structuredContent, third!.isError]).toEqual([structuredContent, isError]);
  expect(third!.content.map(({ text }) => text)).toEqual([
    '{"degrees":21}',
    expect.stringMatching(/^Unrut /),
  ]);
});

test('--shadow says nothing, and records what it would have said', async () => {
  const client = await open(['--shadow', '--name', 'shadow'], {});
  const results = await times(5, () => findOrder(client, 'the same'));
  expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
  await client.close();
  const plans = (await recorded('plan')).filter(({ session }) => session.startsWith('shadow '));
  expect(plans.map(({ data }) => [data.rung, data.shadow]).slice(0, 3)).toEqual(
    ['note', 'hint', 'block'].map((rung) => [rung, true]),
  );
});

test('a call that is made again with what it had asked for is the same call, and no loop', async () => {
  const client = await open(['--name', 'asking'], {
    generation: 'v2',
    capabilities: { elicitation: { form: {} } },
  });
  const modern = client as unknown as {
    setRequestHandler(method: string, handler: () => Promise<object>): void;
    getProtocolEra(): string;
  };
  modern.setRequestHandler('elicitation/create', async () => ({
    action: 'accept',
    content: { sure: true },
  }));
  const results = await times(2, () =>
    client.callTool({ name: 'deploy', arguments: { place: 'test' } }),
  );
  expect(results.map(textOf)).toEqual(
    [1, 2].map((release) => expect.stringContaining(`release ${release}`)),
  );
  expect(modern.getProtocolEra()).toBe('modern');
  await client.close();
  const events = (await recorded('event')).filter(({ session }) => session.startsWith('asking '));
  const calls = Array.from({ length: 2 }, () => ['call-proposed', 'call-finished']).flat();
  expect(events.map(({ data }) => data.type)).toEqual([...calls, 'session-ended']);
});
