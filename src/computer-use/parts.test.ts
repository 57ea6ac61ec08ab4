import { describe, expect, it } from 'vitest';
import { isNear } from '../fingerprint/action.ts';
import { readAnthropic } from './brains/anthropic.ts';
import { readOpenAi } from './brains/openai.ts';
import { changedTiles, digestOf, type Picture, readFrame } from './frame.ts';
import { ValueHider } from './hide-values.ts';
import type { PlanValue, ScreenAction } from './index.ts';
import { matchField } from './match-field.ts';
import type { Field } from './page-report.ts';
import { chordOf } from './perform.ts';
import { isIrreversible, isSubmitReasoning } from './submit-words.ts';

const field = (given: Partial<Field>): Field => ({
  label: '',
  name: '',
  placeholder: '',
  id: '',
  type: 'text',
  purpose: '',
  value: '',
  empty: true,
  form: 0,
  x: 0,
  y: 0,
  ...given,
});

describe('the value for a field', () => {
  const values: PlanValue[] = ['First name', 'Last name', 'E-mail', 'Phone', 'Password', 'Zip code', 'Company'].map((label) => ({
    label,
    value: label,
  }));

  it.each([
    [{ label: 'Your first name *' }, 'First name'],
    [{ name: 'firstName' }, 'First name'],
    [{ purpose: 'family-name', label: 'Nachname' }, 'Last name'],
    [{ label: 'Email address' }, 'E-mail'],
    [{ type: 'email' }, 'E-mail'],
    [{ placeholder: 'Telephone number' }, 'Phone'],
    [{ type: 'tel', label: 'Rufnummer' }, 'Phone'],
    [{ label: 'Postal code' }, 'Zip code'],
    [{ id: 'organisation' }, 'Company'],
    [{ type: 'password', label: 'Choose a password' }, 'Password'],
    [{ type: 'password' }, 'Password'],
    [{ label: 'Name' }, null],
    [{ label: 'Password hint' }, null],
    [{ label: 'Comment' }, null],
    [{}, null],
  ] as [Partial<Field>, string | null][])('%j is %s', (given, label) => {
    expect(matchField(field(given), values)?.label ?? null).toBe(label);
  });
});

describe('pictures', () => {
  const blank = (): Picture => ({ width: 320, height: 200, channels: 3, data: new Uint8Array(320 * 200 * 3).fill(255) });
  const ink = (picture: Picture, left: number, top: number, width: number, height: number): Picture => {
    for (let y = top; y < top + height; y++) picture.data.fill(0, (y * 320 + left) * 3, (y * 320 + left + width) * 3);
    return picture;
  };

  it('a caret is near and not equal, another page is neither', () => {
    const page = readFrame(ink(blank(), 20, 20, 200, 60));
    const caret = readFrame(ink(ink(blank(), 20, 20, 200, 60), 100, 120, 1, 10));
    const other = readFrame(ink(blank(), 100, 90, 180, 90));
    expect([isNear(page.hash, caret.hash), changedTiles(page, caret, new Set())]).toEqual([true, 2]);
    expect(isNear(page.hash, other.hash)).toBe(false);
    expect(page.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('what is left out does not count', () => {
    const one = readFrame(ink(blank(), 0, 0, 4, 4));
    const other = readFrame(ink(blank(), 4, 4, 4, 4));
    expect(digestOf(one, new Set())).not.toBe(digestOf(other, new Set()));
    expect(digestOf(one, new Set([0]))).toBe(digestOf(other, new Set([0])));
  });

  it('of another size never show the same', () => {
    const small: Picture = { width: 16, height: 16, channels: 4, data: new Uint8Array(16 * 16 * 4).fill(255) };
    expect(changedTiles(readFrame(blank()), readFrame(small), new Set())).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('actions of other schemas', () => {
  it.each([
    ['left_click', { coordinate: [3, 4] }, { action: { type: 'click', x: 3, y: 4 } }],
    ['right_click', { coordinate: [3, 4] }, { action: { type: 'click', x: 3, y: 4, button: 'right' } }],
    ['computer', { action: 'double_click', coordinate: [3, 4] }, { action: { type: 'double_click', x: 3, y: 4 } }],
    ['left_click_drag', { start_coordinate: [1, 2], coordinate: [3, 4] }, { action: { type: 'drag', x: 1, y: 2, end_x: 3, end_y: 4 } }],
    ['type', { text: 'a' }, { action: { type: 'type_text', text: 'a' } }],
    ['computer', { action: 'key', text: 'ctrl+a' }, { action: { type: 'key_press', keys: 'ctrl+a' } }],
    [
      'scroll',
      { scroll_direction: 'up', scroll_amount: 2, coordinate: [3, 4] },
      { action: { type: 'scroll', direction: 'up', amount: 2, x: 3, y: 4 } },
    ],
    ['wait', { duration: 2 }, { action: { type: 'wait', seconds: 2 } }],
    ['screenshot', {}, { look: true }],
    ['left_click', {}, { refused: 'left_click needs a coordinate' }],
    ['computer', { action: 'hold_key' }, { refused: expect.stringContaining('hold_key is not available') }],
  ])('Anthropic: %s %j', (name, input, meaning) => expect(readAnthropic(name, input)).toEqual(meaning));

  it.each([
    [
      { type: 'click', x: 3, y: 4, button: 'left' },
      { type: 'click', x: 3, y: 4 },
    ],
    [
      { type: 'click', x: 3, y: 4, button: 'wheel' },
      { type: 'click', x: 3, y: 4, button: 'middle' },
    ],
    [
      { type: 'double_click', x: 3, y: 4 },
      { type: 'double_click', x: 3, y: 4 },
    ],
    [
      {
        type: 'drag',
        path: [
          { x: 1, y: 2 },
          { x: 9, y: 9 },
          { x: 3, y: 4 },
        ],
      },
      { type: 'drag', x: 1, y: 2, end_x: 3, end_y: 4 },
    ],
    [
      { type: 'keypress', keys: ['CTRL', 'A'] },
      { type: 'key_press', keys: 'CTRL+A' },
    ],
    [
      { type: 'type', text: 'a' },
      { type: 'type_text', text: 'a' },
    ],
    [
      { type: 'scroll', x: 3, y: 4, scroll_x: 0, scroll_y: -250 },
      { type: 'scroll', direction: 'up', amount: 3, x: 3, y: 4 },
    ],
    [{ type: 'wait' }, { type: 'wait', seconds: 2 }],
    [{ type: 'screenshot' }, null],
    [{ type: 'move', x: 1, y: 1 }, null],
  ] as [Record<string, unknown>, ScreenAction | null][])('OpenAI: %j', (given, action) => expect(readOpenAi(given)).toEqual(action));

  it.each([
    ['Return', 'Enter'],
    ['ctrl+a', 'Control+a'],
    ['CTRL+SHIFT+T', 'Control+Shift+T'],
    ['Page_Down', 'PageDown'],
    ['f5', 'F5'],
    ['+', '+'],
    ['cmd++', 'Meta++'],
  ])('the keys %s are %s', (keys, chord) => expect(chordOf(keys)).toBe(chord));
});

describe('words', () => {
  it.each([
    ['Click the submit button', true],
    ['I will sign in now', true],
    ['Logging in', true],
    ['The field next to it needs the focus', false],
    ['Go to the top', false],
  ])('%s: aims at sending off is %s', (said, aims) => expect(isSubmitReasoning(said)).toBe(aims));

  it.each([
    ['Pay now', true],
    ['Delete account', true],
    ['Send message', true],
    ['Place order', true],
    ['Save', false],
    ['Sign in', false],
  ])('%s: cannot be taken back is %s', (name, final) => expect(isIrreversible(name)).toBe(final));
});

it('values are hidden wherever they stand, the longest first', () => {
  const hider = new ValueHider();
  for (const value of ['Ada', 'Ada Lovelace', 'x']) hider.add(value);
  expect(hider.hide('Ada Lovelace, Ada; ?name=Ada+Lovelace&n=Ada%20Lovelace x')).toBe(
    '<value:12 chars>, <value:3 chars>; ?name=<value:12 chars>&n=<value:12 chars> x',
  );
});
