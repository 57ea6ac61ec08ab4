import { source } from '@unrut/test/scenarios/content';
import {
  type CallStep,
  type Item,
  MODES,
  type Mode,
  type Moment,
  play,
  says,
  times,
  told,
} from '@unrut/test/scenarios/scenario';
import { describe, expect, test } from 'vitest';

let edition = 0;

const widget = (
  tool: string,
  widgetId: string,
  extra: object = {},
  spaceId = 'main',
): CallStep => ({
  tool,
  args: { spaceId, widgetId, ...extra },
  result: `Widget "${widgetId}" ${tool.replace('Widget', '')} done, state as follows: ${source(++edition, 3)}`,
});
const patch = (widgetId = 'X', spaceId = 'main'): CallStep => ({
  tool: 'patchWidget',
  args: { spaceId, widgetId, patch: source(++edition, 2) },
  result: `Widget "${widgetId}" patched, rendered ok, loaded to TRANSIENT.`,
});
const many = (tool: string, args: object): CallStep => ({
  tool,
  args: { spaceId: 'main', ...args },
  result: `${tool}: done for the space main`,
});

/**
 * Written out rather than computed, so that the code under test is not tested against a copy of
 * itself.
 */
const ORDINALS: Record<number, string> = {
  3: '3rd',
  4: '4th',
  5: '5th',
  6: '6th',
  7: '7th',
  8: '8th',
  9: '9th',
  10: '10th',
  11: '11th',
  12: '12th',
  13: '13th',
  14: '14th',
  15: '15th',
  16: '16th',
  17: '17th',
  18: '18th',
  19: '19th',
  20: '20th',
  21: '21st',
  22: '22nd',
  23: '23rd',
  101: '101st',
  102: '102nd',
  103: '103rd',
  111: '111th',
};
const note = (ordinal: string) =>
  `Note: ${ordinal} consecutive patch on this widget without a fresh readWidget — verify visually or report current state instead of patching again.`;

const finished = (moments: Moment[]) =>
  moments.filter(({ event }) => event.type === 'call-finished');
const streaks = ({ verdict }: Moment) =>
  verdict.signals.filter(({ detector }) => detector === 'edit-streak');

/** The streak's count at each call, and nothing if it is silent. */
const counts = (moments: Moment[]) => finished(moments).map((moment) => streaks(moment)[0]?.count);

for (const mode of MODES as Mode[]) {
  describe(`edit-streak on widgets, ${mode}`, () => {
    const table: [string, Item[], string][] = [
      ['patch, patch', [patch(), patch()], '- -'],
      ['patch ×3', [patch(), patch(), patch()], '- - 3'],
      ['patch ×4', [patch(), patch(), patch(), patch()], '- - 3 4'],
      [
        'patch, patch, read, patch',
        [patch(), patch(), widget('readWidget', 'X'), patch()],
        '- - - -',
      ],
      [
        'patch, patch, render, patch',
        [patch(), patch(), widget('renderWidget', 'X'), patch()],
        '- - - -',
      ],
      [
        'patch X, patch X, patch Y, patch X',
        [patch('X'), patch('X'), patch('Y'), patch('X')],
        '- - - 3',
      ],
      [
        'the same id in two spaces',
        [patch('X', 'a'), patch('X', 'b'), patch('X', 'a'), patch('X', 'b')],
        '- - - -',
      ],
      [
        'the same id in two spaces, on and on',
        times(6, (i) => patch('X', i % 2 === 0 ? 'a' : 'b')),
        '- - - - 3 3',
      ],
    ];
    test.each(table)('%s', async (_, items, expected) => {
      const moments = await play(items, { mode });
      expect(
        counts(moments)
          .map((count) => count ?? '-')
          .join(' '),
        told(moments),
      ).toBe(expected);
      for (const moment of finished(moments)) {
        const count = streaks(moment)[0]?.count;
        if (count === undefined) expect(moment.verdict.plan, told(moments)).toBeNull();
        else expect(moment.verdict.plan?.toModel).toBe(note(ORDINALS[count]!));
      }
    });

    /**
     * Two patches, the operation, then three more: when it resets, the note comes with the last of
     * them.
     */
    const between: [string, Item, 'resets' | 'does not reset'][] = [
      ['readWidget', widget('readWidget', 'X'), 'resets'],
      ['seeWidget', widget('seeWidget', 'X'), 'resets'],
      ['renderWidget', widget('renderWidget', 'X'), 'resets'],
      ['upsertWidget', widget('upsertWidget', 'X', { code: 'return 1' }), 'resets'],
      ['reloadWidget', widget('reloadWidget', 'X'), 'resets'],
      ['removeWidget', widget('removeWidget', 'X'), 'resets'],
      [
        'removeWidgets with it among them',
        many('removeWidgets', { widgetIds: ['Y', 'X'] }),
        'resets',
      ],
      ['removeAllWidgets of its space', many('removeAllWidgets', {}), 'resets'],
      [
        'a batch upsert with it among them',
        many('upsertWidgets', { widgets: [{ widgetId: 'X' }, { widgetId: 'Y' }] }),
        'resets',
      ],
      ['a user message', says('That looks better, go on.'), 'resets'],
      ['readWidget of another widget', widget('readWidget', 'Y'), 'does not reset'],
      [
        'readWidget of its namesake in another space',
        widget('readWidget', 'X', {}, 'other'),
        'does not reset',
      ],
      [
        'removeWidgets without it',
        many('removeWidgets', { widgetIds: ['Y', 'Z'] }),
        'does not reset',
      ],
      [
        'removeAllWidgets of another space',
        many('removeAllWidgets', { spaceId: 'other' }),
        'does not reset',
      ],
      ['a patch of another widget', patch('Y'), 'does not reset'],
      ['a patch in another space', patch('X', 'other'), 'does not reset'],
      [
        'a read that fails',
        {
          ...widget('readWidget', 'X'),
          result: undefined,
          error: 'Error: the widget store is not reachable',
        },
        'does not reset',
      ],
      [
        'a layout operation',
        many('arrangeWidgets', { layout: 'grid', columns: 3 }),
        'does not reset',
      ],
      ['a silent reload', widget('reloadWidget', 'X', { silent: true }), 'does not reset'],
      [
        'a patch that throws',
        { ...patch(), result: undefined, error: 'Error: the patch does not apply at line 3' },
        'does not reset',
      ],
      ['compaction', { event: { type: 'context-compacted' } }, 'does not reset'],
    ];
    test.each(between)('%s %2$s', async (_, item, effect) => {
      const moments = await play([patch(), patch(), item, patch(), patch(), patch()], { mode });
      const last = counts(moments).slice(-3);
      expect(last, told(moments)).toEqual(
        effect === 'resets' ? [undefined, undefined, 3] : [3, 4, 5],
      );
    });

    test('a patch that throws does not count', async () => {
      const throwing = {
        ...patch(),
        result: undefined,
        error: 'Error: the patch does not apply at line 3',
      };
      const moments = await play([patch(), { ...throwing }, patch(), patch()], { mode });
      expect(counts(moments), told(moments)).toEqual([undefined, undefined, undefined, 3]);
    });

    test('a patch that applies and renders badly counts', async () => {
      const badly = () => ({
        ...patch(),
        result: 'Widget "X" patched, render failed: TypeError in line 3, loaded to TRANSIENT.',
      });
      const moments = await play([patch(), badly(), badly()], { mode });
      expect(counts(moments), told(moments)).toEqual([undefined, undefined, 3]);
    });

    test.each([
      ['without a space the session is the space', { widgetId: 'X' }, [3, 4, 5]],
      ['without a widget nothing is counted', { spaceId: 'main' }, []],
    ])('%s', async (_, args, expected) => {
      const items = times(5, (i) => ({
        tool: 'patchWidget',
        args: { ...args, patch: source(i + 40, 2) },
        result: `Patched, rendered ok (${source(i, 1)})`,
      }));
      expect(counts(await play(items, { mode })).filter((count) => count !== undefined)).toEqual(
        expected,
      );
    });

    test('the note comes back with the right ordinal on every later patch, and never above a note', async () => {
      const moments = finished(
        await play(
          times(111, () => patch()),
          { mode },
        ),
      );
      for (const [index, moment] of moments.entries()) {
        const number = index + 1;
        if (number < 3) {
          expect(moment.verdict.plan).toBeNull();
          continue;
        }
        expect(moment.verdict.plan?.rung, told(moments)).toBe('note');
        expect(moment.verdict.plan?.action).toMatchObject({ consecutivePatchCount: number });
        const text = moment.verdict.plan?.toModel;
        if (ORDINALS[number]) expect(text).toBe(note(ORDINALS[number]));
        else
          expect(text).toMatch(
            new RegExp(`^Note: ${number}(st|nd|rd|th) consecutive patch on this widget`),
          );
      }
    });
  });

  describe(`edit-streak on files, ${mode}`, () => {
    const file = 'src/a.ts';
    const limit = (index: number): CallStep => ({
      tool: 'Edit',
      args: {
        file_path: file,
        old_string: `const limit = ${index * 10};`,
        new_string: `const limit = ${(index + 1) * 10};`,
      },
      result: `The file ${file} has been updated successfully.`,
    });
    const lines = (index: number): CallStep => ({
      tool: 'edit_file',
      args: { path: file, start_line: 10, end_line: 14, content: source(index + 70, 5) },
      result: `Applied 1 edit to ${file}`,
    });
    const editors: [string, (index: number) => CallStep][] = [
      ['the text that the edit before left', limit],
      ['the same lines', lines],
    ];

    test.each(editors)('three edits of one region get a note: %s', async (_, edit) => {
      const moments = finished(await play(times(6, edit), { mode }));
      expect(counts(moments), told(moments)).toEqual([undefined, undefined, 3, 4, 5, 6]);
      expect(moments[2]!.verdict.plan?.toModel).toContain(
        '3rd consecutive edit of src/a.ts without reading it',
      );
      expect(moments[5]!.verdict.plan?.toModel).toContain(
        '6th consecutive edit of src/a.ts without reading it',
      );
      expect(moments[2]!.verdict.plan?.action).toMatchObject({ consecutivePatchCount: 3 });
      expect(moments.map(({ verdict }) => verdict.plan?.rung)).toEqual([
        undefined,
        undefined,
        'note',
        undefined,
        undefined,
        'note',
      ]);
    });

    test('edits of different regions stay quiet', async () => {
      const items = times(12, (i) => ({
        ...limit(i),
        args: { file_path: file, old_string: source(i, 2), new_string: source(i + 500, 2) },
      }));
      const moments = await play(items, { mode });
      expect(told(moments)).toBe('nothing was signalled');
    });

    const looks: [string, CallStep][] = [
      ['a read', { tool: 'Read', args: { file_path: file }, result: source(1, 8) }],
      [
        'a test run',
        {
          tool: 'Bash',
          args: { command: 'npm test' },
          result: 'Tests  25 passed (25)',
          exitCode: 0,
        },
      ],
      [
        'a failing test run',
        {
          tool: 'Bash',
          args: { command: 'npm test' },
          result: ' FAIL  test/a.test.ts > limit\n Tests  1 failed | 24 passed (25)',
          exitCode: 1,
        },
      ],
      [
        'a build',
        {
          tool: 'Bash',
          args: { command: 'npm run build' },
          result: 'Build finished without problems.',
          exitCode: 0,
        },
      ],
      [
        'a linter',
        {
          tool: 'Bash',
          args: { command: 'npx eslint src' },
          result: 'No problems were found in 12 files.',
          exitCode: 0,
        },
      ],
      [
        'git diff',
        {
          tool: 'Bash',
          args: { command: 'git diff' },
          result: '-const limit = 10;\n+const limit = 20;',
          exitCode: 0,
        },
      ],
      [
        'git status',
        {
          tool: 'Bash',
          args: { command: 'git status' },
          result: 'Changes not staged for commit:\n\tmodified: src/a.ts',
          exitCode: 0,
        },
      ],
    ];
    test.each(looks)('%s is a fresh look', async (_, look) => {
      const moments = await play([limit(1), limit(2), look, limit(3), limit(4)], { mode });
      expect(
        counts(moments).filter((count) => count !== undefined),
        told(moments),
      ).toEqual([]);
    });

    test('an edit that fails neither counts nor resets', async () => {
      const failing = {
        ...limit(9),
        result: undefined,
        error: 'Error: String to replace not found in file.',
      };
      const moments = await play([limit(1), limit(2), failing, limit(3)], { mode });
      expect(counts(moments), told(moments)).toEqual([undefined, undefined, undefined, 3]);
    });

    test('a read of another file is no fresh look', async () => {
      const other = { tool: 'Read', args: { file_path: 'src/b.ts' }, result: source(2, 8) };
      const moments = await play([limit(1), limit(2), other, limit(3)], { mode });
      expect(counts(moments), told(moments)).toEqual([undefined, undefined, undefined, 3]);
    });
  });
}
