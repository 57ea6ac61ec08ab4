import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Candidate } from '@unrut/engine/candidates/candidate';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { connect, type McpClient, type ToolResult, textOf } from './client.ts';
import { INSTALL_TIMEOUT, installServers, serverCommand } from './install-servers.ts';
import { proxied, removeHome } from './proxied.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'unrut-files-')));
let client: McpClient;
beforeAll(installServers, INSTALL_TIMEOUT);
beforeEach(async () => {
  client = await connect(proxied(await serverCommand('filesystem', folder)));
  await client.listTools();
}, INSTALL_TIMEOUT);
afterEach(() => client.close());
afterAll(() => {
  rmSync(folder, { recursive: true });
  removeHome();
});

const call = (name: string, args: object): Promise<ToolResult> =>
  client.callTool({ name, arguments: args });

/** The same call until a hint with candidates comes; then the first of them, literally. */
async function insistThenFollow(
  name: string,
  args: object,
): Promise<{ first: Candidate; result: ToolResult }> {
  for (let i = 0; i < 6; i++) {
    const [first] = ((await call(name, args))._meta?.['unrut/candidates'] ?? []) as Candidate[];
    if (first) return { first, result: await call(first.tool!, first.args ?? {}) };
  }
  throw new Error(`${name} was never answered with candidates`);
}

test('a missing file: the first candidate shows how it is really called', async () => {
  writeFileSync(join(folder, 'quarterly-report.md'), 'Sales went up.\n');
  const { first, result } = await insistThenFollow('read_text_file', {
    path: join(folder, 'quartely-report.md'),
  });
  expect(first).toMatchObject({
    name: 'list-folder',
    tool: 'list_directory',
    args: { path: folder },
    risk: 'read_only',
  });
  const name = /\[FILE\] (quarter\S+)/.exec(textOf(result))![1]!;
  expect(textOf(await call('read_text_file', { path: join(folder, name) }))).toContain(
    'Sales went up.',
  );
});

test('an edit that does not match: the first candidate shows the exact lines, and with those it does', async () => {
  const path = join(folder, 'settings.ini');
  writeFileSync(path, '[server]\n\tport\t=\t8080\n\thost\t=\tlocalhost\n');
  const remembered = { path, edits: [{ oldText: 'port : 8080', newText: 'port : 9090' }] };
  const { first, result } = await insistThenFollow('edit_file', remembered);
  expect(first).toMatchObject({ name: 'read-exact-lines', args: { path }, risk: 'read_only' });
  const exact = textOf(result)
    .split('\n')
    .find((line) => line.includes('port'))!;
  const edited = await call('edit_file', {
    path,
    edits: [{ oldText: exact, newText: exact.replace('8080', '9090') }],
  });
  expect(edited.isError ?? false).toBe(false);
  expect(readFileSync(path, 'utf8')).toBe('[server]\n\tport\t=\t9090\n\thost\t=\tlocalhost\n');
});
