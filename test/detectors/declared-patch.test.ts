import { describe, expect, test } from 'vitest';
import { createGuard, type GuardOptions } from '../../packages/cli/src/index.ts';

const tools: GuardOptions['tools'] = {
  updateCard: { patch: ['boardId', 'cardId'] },
  showCard: { look: ['boardId', 'cardId'] },
};

type Step = [tool: string, board: string, card: string];

/** The message after each call, and the count in the data. */
function played(steps: readonly Step[], options: GuardOptions = { tools }, annotations?: object) {
  const guard = createGuard(options);
  return steps.map(([tool, boardId, cardId], i) => {
    const call = {
      id: `c${i}`,
      tool,
      args: { boardId, cardId, title: `title ${'abc'[i % 3]}${i}` },
    };
    const declared = annotations?.[tool as never];
    const { plan, figures } = guard.observe({
      type: 'call-finished',
      session: 'cards',
      at: 1000 * i,
      call,
      result: `updated ${i}`,
      ...(declared ? { annotations: declared } : {}),
    });
    return [plan?.toModel ?? '', figures?.consecutivePatchCount];
  });
}

const patch = (card = '42', board = 'b1'): Step => ['updateCard', board, card];
const look = (card = '42', board = 'b1'): Step => ['showCard', board, card];
const NOTE =
  'Note: 3rd consecutive patch on this card without a fresh look at the card — verify visually or report current state instead of patching again.';

describe('a tool that declares what it patches', () => {
  test('gets the note on the third patch without a look, in its own noun, and the count from the first', () => {
    expect(played([patch(), patch(), patch(), patch()])).toEqual([
      ['', 1],
      ['', 2],
      [NOTE, 3],
      [NOTE.replace('3rd', '4th'), 4],
    ]);
  });

  /** The message after each of six equal calls. */
  const equal = (tool: string, result: (i: number) => string): string[] => {
    const guard = createGuard();
    return Array.from({ length: 6 }, (_, i) => {
      const args = { spaceId: 's', widgetId: 'w', find: 'a', replace: 'b' };
      const call = { id: `c${i}`, tool, args };
      const about = { session: 'widgets', at: 1000 * i, call, result: result(i) };
      return guard.observe({ type: 'call-finished', ...about }).plan?.toModel ?? '';
    });
  };

  test.each([
    ['the same result', () => 'patched'],
    ['different results', (i: number) => `patched ${'abcdef'[i]}`],
  ])('equal patches with %s get the count at each, beside what else is said', (_, result) => {
    const said = equal('patchWidget', result);
    expect(said.slice(0, 2)).toEqual(['', '']);
    for (const [i, count] of ['3rd', '4th', '5th', '6th'].entries())
      expect(said[i + 2]).toMatch(
        new RegExp(`(?:^| )Note: ${count} consecutive patch on this widget .* patching again\\.$`),
      );
    expect(said[2]).toMatch(/^Unrut \(loop guard\): /);
  });

  test('twin: equal looks get no count', () => {
    expect(equal('readWidget', () => 'as it was').join()).not.toContain('consecutive');
  });

  test('a look at the card starts over; one at another card or board does not', () => {
    expect(played([patch(), patch(), look(), patch()]).at(-1)).toEqual(['', 1]);
    for (const other of [look('43'), look('42', 'b2'), patch('43'), patch('42', 'b2')])
      expect(played([patch(), patch(), other, patch()]).at(-1)).toEqual([NOTE, 3]);
  });

  test('twin: without the declaration nothing is said', () => {
    const said = played([patch(), patch(), patch(), patch()], {});
    expect(said.map(([note]) => note)).toEqual(['', '', '', '']);
  });

  test('a tool may declare it in its annotations, as MCP servers do', () => {
    const annotations = {
      updateCard: { 'unrut/patch': ['boardId', 'cardId'] },
      showCard: { 'unrut/look': ['boardId', 'cardId'] },
    };
    expect(played([patch(), patch(), patch()], {}, annotations).at(-1)).toEqual([NOTE, 3]);
    expect(played([patch(), patch(), look(), patch()], {}, annotations).at(-1)).toEqual(['', 1]);
  });

  test('an argument may lie inside another, as a dotted path, and names the thing, too', () => {
    const guard = createGuard({ tools: { updateCard: { patch: ['board.id', 'card.id'] } } });
    const said = ['42', '42', '43', '42'].map((id, i) => {
      const args = { board: { id: 'b1' }, card: { id, title: `title ${'abcd'[i]}` } };
      const call = { id: `c${i}`, tool: 'updateCard', args };
      const about = { session: 'cards', at: 1000 * i, call, result: `updated ${i}` };
      const { plan, figures } = guard.observe({ type: 'call-finished', ...about });
      return [plan?.toModel ?? '', figures?.consecutivePatchCount];
    });
    expect(said).toEqual([
      ['', 1],
      ['', 2],
      ['', 1],
      [NOTE, 3],
    ]);
  });

  test.each([
    [['id'], 'item'],
    [['card_id'], 'card'],
    [['timeline.lane.uuid'], 'lane'],
    [['orderLineKey'], 'order line'],
  ])('%j is called %s', (names, noun) => {
    const guard = createGuard({ tools: { change: { patch: names } } });
    const inner = (path: string[]): unknown =>
      path.length === 0 ? '42' : { [path[0]!]: inner(path.slice(1)) };
    const said = [0, 1, 2].map((i) => {
      const args = { ...(inner(names[0]!.split('.')) as object), title: `title ${'abc'[i]}` };
      const call = { id: `c${i}`, tool: 'change', args };
      const about = { session: 'cards', at: 1000 * i, call, result: `changed ${i}` };
      return guard.observe({ type: 'call-finished', ...about }).plan?.toModel;
    });
    expect(said.at(-1)).toContain(`on this ${noun} without a fresh look at the ${noun} `);
  });

  test('a call without the arguments is not counted', () => {
    const guard = createGuard({ tools });
    for (let i = 0; i < 4; i++) {
      const call = { id: `c${i}`, tool: 'updateCard', args: { title: `t${'abcd'[i]}` } };
      const about = { session: 'cards', at: 1000 * i, call, result: `ok ${'abcd'[i]}` };
      expect(guard.observe({ type: 'call-finished', ...about }).figures).toBeUndefined();
    }
  });

  test.each([
    [{ patch: 'cardId' }, /tools\.updateCard\.patch/],
    [{ look: [3] }, /tools\.updateCard\.look/],
  ])('%j is refused in one line', (updateCard, line) => {
    expect(() => createGuard({ tools: { updateCard } as never })).toThrow(line);
  });
});
