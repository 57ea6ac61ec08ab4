import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../scripts/build.ts';
import { CLIENTS, connect } from './client.ts';
import { answerServer, CAPABILITIES, useEveryFeature } from './every-feature.ts';
import { INSTALL_TIMEOUT, installServers, serverCommand } from './install-servers.ts';
import { proxied, recorded, removeHome } from './proxied.ts';

const folder = mkdtempSync(join(tmpdir(), 'unrut-transparency-'));
beforeAll(installServers, INSTALL_TIMEOUT);
afterAll(() => {
  rmSync(folder, { recursive: true });
  removeHome();
});

/** The command, with everything that passes before it written to files. */
const kept = (name: string, command: readonly string[]): string[] => [
  process.execPath,
  join(root, 'test/mcp/tee.ts'),
  join(folder, name),
  ...command,
];
const bytes = (name: string): Buffer => readFileSync(join(folder, name));

describe.each(CLIENTS)('with a client of generation %s', (generation) => {
  test('every message that enters the proxy leaves it byte for byte, whatever feature it belongs to', async () => {
    const inner = kept(`${generation}-server`, await serverCommand('everything', 'stdio'));
    const client = await connect(kept(`${generation}-client`, proxied(inner)), {
      generation,
      capabilities: CAPABILITIES,
    });
    answerServer(client);
    const brought = await useEveryFeature(client);
    await client.close();

    expect(bytes(`${generation}-client.in`)).toEqual(bytes(`${generation}-server.in`));
    expect(bytes(`${generation}-client.out`)).toEqual(bytes(`${generation}-server.out`));
    const methods = new Set(
      [
        ...bytes(`${generation}-client.in`)
          .toString()
          .matchAll(/"method":"([^"]+)"/g),
      ].map(([, method]) => method),
    );
    expect([...methods]).toEqual(
      expect.arrayContaining([
        'tools/call',
        'resources/read',
        'prompts/get',
        'completion/complete',
        'notifications/cancelled',
      ]),
    );
    expect(bytes(`${generation}-client.out`).toString()).toMatch(
      /notifications\/progress[\s\S]*"sampling\/createMessage"|"sampling\/createMessage"[\s\S]*notifications\/progress/,
    );
    expect(brought).toHaveLength(31);
  });
});

test('the calls were watched all the same, and nothing was said', async () => {
  const events = await recorded('event');
  const finished = events.filter(({ data }) => data.type === 'call-finished');
  expect(finished.map(({ data }) => data.tool)).toEqual(
    expect.arrayContaining(['echo', 'get-sum', 'no-such-tool', 'trigger-long-running-operation']),
  );
  expect(await recorded('plan')).toEqual([]);
});
