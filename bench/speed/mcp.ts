import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/build.ts';
import { connect } from '../../test/mcp/client.ts';
import { serverCommand } from '../../test/mcp/install-servers.ts';
import { rounded } from './median.ts';

const CALLS = 1000;
/** Until everything that takes part has been compiled. */
const WARM_UP = 2000;

/**
 * Tools of server-everything that need nothing of the client, each time with other arguments:
 * nothing loops.
 */
const TOOLS: readonly ((i: number) => { name: string; arguments: object })[] = [
  (i) => ({
    name: 'echo',
    arguments: { message: `message ${i}: ${'lorem ipsum '.repeat(i % 50)}` },
  }),
  (i) => ({ name: 'get-sum', arguments: { a: i, b: i * 7 } }),
  (i) => ({
    name: 'get-resource-reference',
    arguments: { resourceType: 'Text', resourceId: i + 1 },
  }),
];

const quantile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)]!;

/**
 * Sequential calls of a real server by a real client, in turns: directly, through relays that only
 * copy, and through `unrut mcp`.
 */
export async function measureMcp() {
  const home = mkdtempSync(join(tmpdir(), 'unrut-bench-'));
  const server = await serverCommand('everything', 'stdio');
  const ways: Record<string, string[]> = {
    bare: server,
    // The least that any process between them can cost, in any language.
    'two of cat': ['/bin/sh', '-c', 'cat | "$@" | cat', 'sh', ...server],
    'a relay that does nothing': [process.execPath, join(root, 'bench/speed/relay.ts'), ...server],
    'unrut mcp': [process.execPath, join(root, 'dist/cli.js'), 'mcp', '--', ...server],
  };
  const clients = await Promise.all(
    Object.values(ways).map((command) => connect(command, { cwd: home })),
  );
  try {
    for (const client of clients) await client.listTools();
    const times = clients.map((): number[] => []);
    for (let i = 0; i < WARM_UP + CALLS; i++) {
      const call = TOOLS[i % TOOLS.length]!(i);
      for (const [way, client] of clients.entries()) {
        const start = process.hrtime.bigint();
        await client.callTool(call);
        if (i >= WARM_UP) times[way]!.push(Number(process.hrtime.bigint() - start) / 1e6);
      }
    }
    const [bare, , relay] = times;
    const ratio = (share: number, way: number, of: number[]): number =>
      rounded(quantile(times[way]!, share) / quantile(of, share));
    return Object.keys(ways).map((way, i) => ({
      way,
      'p50 in ms': rounded(quantile(times[i]!, 0.5)),
      'p99 in ms': rounded(quantile(times[i]!, 0.99)),
      'p50 × bare': ratio(0.5, i, bare!),
      'p99 × bare': ratio(0.99, i, bare!),
      'p50 × relay': ratio(0.5, i, relay!),
      'p99 × relay': ratio(0.99, i, relay!),
    }));
  } finally {
    for (const client of clients) await client.close();
    rmSync(home, { recursive: true, force: true });
  }
}
