import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../../scripts/build.ts';
import { CLIENTS, connect, type McpClient, type ToolResult, textOf } from './client.ts';
import { INSTALL_TIMEOUT, installServers, serverCommand } from './install-servers.ts';
import { proxied, removeHome } from './proxied.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'unrut-files-')));
beforeAll(installServers, INSTALL_TIMEOUT);
afterAll(() => {
  rmSync(folder, { recursive: true });
  removeHome();
});

const countOf = ({ _meta: meta }: ToolResult) => meta?.['unrut/consecutivePatchCount'];
const noteOf = ({ content }: ToolResult) => (content.length > 1 ? content.at(-1)!.text : undefined);
const widgetNote = (ordinal: string): string =>
  `Note: ${ordinal} consecutive patch on this widget without a fresh readWidget — verify visually or report current state instead of patching again.`;

test.each(CLIENTS)(
  'widgets: the third patch without a look gets the note after the status, and each its count (client %s)',
  async (generation) => {
    const client = await connect(
      proxied([
        process.execPath,
        join(root, 'test/mcp/servers/widgets.ts'),
        await installServers(),
      ]),
      {
        generation,
      },
    );
    let version = 0;
    const patch = (widgetId: string, spaceId = 'main') =>
      client.callTool({
        name: 'patchWidget',
        arguments: { spaceId, widgetId, patch: `const version = ${++version};` },
      });
    const read = (widgetId: string) =>
      client.callTool({ name: 'readWidget', arguments: { spaceId: 'main', widgetId } });

    const patched = [await patch('X'), await patch('X'), await patch('X'), await patch('X')];
    expect(patched.map(countOf)).toEqual([1, 2, 3, 4]);
    expect(patched.map(noteOf)).toEqual([
      undefined,
      undefined,
      widgetNote('3rd'),
      widgetNote('4th'),
    ]);
    for (const { content } of patched)
      expect(content[0]!.text).toBe('Widget "X" patched, rendered ok, loaded to TRANSIENT.');

    await read('X');
    expect(countOf(await patch('X'))).toBe(1);
    expect(
      [await patch('Y'), await patch('X'), await patch('Y'), await patch('X')].map(countOf),
    ).toEqual([1, 2, 2, 3]);
    expect([await patch('X', 'other'), await patch('X', 'other')].map(countOf)).toEqual([1, 2]);
    await client.close();
  },
);

test('files: the same place written again without a look gets the note, other places do not', async () => {
  const path = join(folder, 'settings.ini');
  writeFileSync(path, Array.from({ length: 30 }, (_, i) => `option${i} = 0`).join('\n'));
  const client: McpClient = await connect(proxied(await serverCommand('filesystem', folder)));
  await client.listTools();
  const set = (option: number, from: number, to: number) =>
    client.callTool({
      name: 'write_file',
      arguments: {
        path,
        content: Array.from(
          { length: 30 },
          (_, i) => `option${i} = ${i === option ? to : from}`,
        ).join('\n'),
      },
    });
  const edit = (option: number, from: number, to: number) =>
    client.callTool({
      name: 'edit_file',
      arguments: {
        path,
        edits: [{ oldText: `option${option} = ${from}`, newText: `option${option} = ${to}` }],
      },
    });

  const places = [
    await edit(1, 0, 1),
    await edit(11, 0, 1),
    await edit(21, 0, 1),
    await edit(29, 0, 1),
  ];
  expect(places.map(countOf), places.map(textOf).join('\n')).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  const whole = [await set(5, 0, 2), await set(5, 0, 3), await set(5, 0, 4)];
  expect(whole.map(countOf), whole.map(textOf).join('\n')).toEqual([undefined, undefined, 3]);
  expect(noteOf(whole[2]!)).toBe(
    `Unrut (loop guard): 3rd consecutive edit of ${path} without reading it — read it or run a check before editing it again.`,
  );
  await client.callTool({ name: 'read_text_file', arguments: { path } });
  expect(countOf(await set(5, 0, 5))).toBeUndefined();
  await client.close();
});
