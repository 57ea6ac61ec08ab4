import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root } from '../../scripts/build.ts';
import { openPipe } from './pipe.ts';
import { home, proxied, removeHome } from './proxied.ts';

afterAll(removeHome);

const NOTE =
  'Note: 3rd consecutive patch on this card without a fresh look at the card — verify visually or report current state instead of patching again.';
const server = [process.execPath, join(root, 'test/mcp/servers/cards.ts')];

/** Updates a card three times, looks at it, updates it again: what each answer says, and counts. */
async function update(command: readonly string[], config?: object) {
  const cwd = join(home, config ? 'with-config' : 'without-config');
  mkdirSync(cwd, { recursive: true });
  if (config) writeFileSync(join(cwd, 'unrut.config.json'), JSON.stringify(config));
  const pipe = openPipe(proxied(command), cwd);
  pipe.send({ jsonrpc: '2.0', id: 'tools', method: 'tools/list', params: {} });
  await pipe.answer('tools');
  const said: unknown[][] = [];
  for (const [i, tool] of [
    'updateCard',
    'updateCard',
    'updateCard',
    'showCard',
    'updateCard',
  ].entries()) {
    const card = { boardId: 'b1', cardId: '42' };
    const { result } = await pipe.call(
      tool,
      tool === 'showCard' ? card : { ...card, title: `t${i}` },
    );
    said.push([
      ...result!.content.slice(1).map(({ text }) => text),
      result!._meta?.['unrut/consecutivePatchCount'],
    ]);
  }
  await pipe.end();
  return said;
}

const COUNTED = [[1], [2], [NOTE, 3], [undefined], [1]];

test('a tool that declares in its `_meta` what it patches gets the note and the count', async () => {
  expect(await update([...server, 'declared'])).toEqual(COUNTED);
});

test('a tool that the settings declare gets the same', async () => {
  const tools = {
    updateCard: { patch: ['boardId', 'cardId'] },
    showCard: { look: ['boardId', 'cardId'] },
  };
  expect(await update(server, { tools })).toEqual(COUNTED);
});

test('twin: what nobody declares passes without a word', async () => {
  expect(await update(server)).toEqual([
    [undefined],
    [undefined],
    [undefined],
    [undefined],
    [undefined],
  ]);
});
