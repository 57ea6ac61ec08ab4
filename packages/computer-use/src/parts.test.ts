import { isNear } from '@unrut/engine/fingerprint';
import { describe, expect, it } from 'vitest';
import { readAnthropic } from './brains/anthropic.ts';
import { readOpenAi } from './brains/openai.ts';
import { FormController } from './form-controller.ts';
import { changedTiles, digestOf, nextTo, type Picture, readFrame } from './frame.ts';
import { ValueHider } from './hide-values.ts';
import type { PlanValue, ScreenAction } from './index.ts';
import { guessValue, matchField } from './match-field.ts';
import type { Field } from './page-report.ts';
import { chordsOf } from './perform.ts';
import { isHarmless, isSubmitReasoning } from './says.ts';

const field = (given: Partial<Field>): Field => ({
  label: '',
  accessible: '',
  name: '',
  placeholder: '',
  id: '',
  type: 'text',
  value: '',
  empty: true,
  form: 0,
  x: 0,
  y: 0,
  ...given,
});

describe('the value for a field', () => {
  const values: PlanValue[] = [
    'First name',
    'Last name',
    'E-mail',
    'Order number',
    'Password',
    'Zip code',
    'Arrival',
  ].map((label) => ({
    label,
    value: { 'E-mail': 'ada@example.com', Arrival: '2026-12-24' }[label] ?? label,
  }));

  it.each([
    [{ label: 'Your first name *' }, 'First name'],
    [{ label: 'First name (required)' }, 'First name'],
    [{ label: 'Email address', type: 'email' }, 'E-mail'],
    [{ placeholder: 'E-Mail' }, 'E-mail'],
    [{ accessible: 'last name' }, 'Last name'],
    [{ type: 'password', label: 'Choose a password' }, 'Password'],
    [{ type: 'date', label: 'Arrival' }, 'Arrival'],
    // The visible label decides, not the markup.
    [{ label: 'Number of guests', name: 'order_number' }, null],
    [{ label: 'Nachname', name: 'family-name' }, null],
    [{ label: 'Number of guests', name: 'number' }, null],
    [{ label: 'Name of the first guest', placeholder: 'First name' }, null],
    [{ label: 'Name' }, null],
    [{ label: 'Password hint' }, null],
    [{ label: 'Password' }, null],
    [{ type: 'number', label: 'Zip code' }, null],
    [{ name: 'firstName' }, null],
    [{}, null],
  ] as [Partial<Field>, string | null][])('%j is %s', (given, label) => {
    expect(matchField(field(given), values)?.label ?? null).toBe(label);
  });

  it.each([
    [{ placeholder: 'Enter value' }, 'First name'],
    [{ label: 'Feld 2' }, 'First name'],
    [{ label: 'Field', name: 'lastName' }, 'Last name'],
    [{ type: 'password' }, 'Password'],
    [{ type: 'email' }, 'E-mail'],
    [{}, 'First name'],
    [{ label: 'Number of guests', name: 'orderNumber' }, null],
    [{ label: 'Ihr Zeichen' }, null],
    [{ placeholder: 'Vendég neve' }, null],
  ] as [Partial<Field>, string | null][])(
    'in a loop, where the label decides nothing: %j may be %s',
    (given, label) => {
      expect(guessValue(field(given), values)?.label ?? null).toBe(label);
    },
  );

  it('is given once, and a secret once more where it is asked for again', () => {
    const forms = new FormController(values);
    const password = field({ type: 'password', label: 'Password', id: 'one' });
    const entry = forms.match(password)!;
    forms.markConsumed(entry, password);
    expect(forms.match(field({ type: 'password', label: 'Password', id: 'two' }))).toBeNull();
    expect(forms.match(field({ type: 'password', label: 'Repeat password', id: 'two' }))).toBe(
      entry,
    );
    expect(forms.match(field({ label: 'Repeat password', id: 'three' }))).toBeNull();
  });

  it('that was typed into the field of another one is not done with', () => {
    const forms = new FormController(values);
    forms.noteTyped('First name', field({ label: 'Last name', id: 'last' }));
    expect(forms.pending.map(({ label }) => label)).toContain('First name');
    forms.noteTyped('First name', field({ label: 'Anything', id: 'other' }));
    expect(forms.pending.map(({ label }) => label)).not.toContain('First name');
  });
});

describe('pictures', () => {
  const blank = (): Picture => ({
    width: 320,
    height: 200,
    channels: 3,
    data: new Uint8Array(320 * 200 * 3).fill(255),
  });
  const ink = (
    picture: Picture,
    left: number,
    top: number,
    width: number,
    height: number,
  ): Picture => {
    for (let y = top; y < top + height; y++)
      picture.data.fill(0, (y * 320 + left) * 3, (y * 320 + left + width) * 3);
    return picture;
  };

  it('a caret is near and not equal, another page is neither', () => {
    const page = readFrame(ink(blank(), 20, 20, 200, 60));
    const caret = readFrame(ink(ink(blank(), 20, 20, 200, 60), 100, 120, 1, 10));
    const other = readFrame(ink(blank(), 100, 90, 180, 90));
    expect([isNear(page.hash, caret.hash), changedTiles(page, caret, new Set())]).toEqual([
      true,
      2,
    ]);
    expect(isNear(page.hash, other.hash)).toBe(false);
    expect(page.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('what is left out does not count', () => {
    const one = readFrame(ink(blank(), 0, 0, 4, 4));
    const other = readFrame(ink(blank(), 4, 4, 4, 4));
    expect(digestOf(one, new Set())).not.toBe(digestOf(other, new Set()));
    expect(digestOf(one, new Set([0]))).toBe(digestOf(other, new Set([0])));
  });

  it('what changes next to a clock belongs to it, and nothing further off does', () => {
    const page = readFrame(blank());
    expect([...nextTo(new Set([25]), page)].sort((one, other) => one - other)).toEqual([
      3, 4, 5, 6, 7, 23, 24, 25, 26, 27, 43, 44, 45, 46, 47,
    ]);
    expect(nextTo(new Set([20]), page).has(19)).toBe(false);
  });

  it('of another size never show the same', () => {
    const small: Picture = {
      width: 16,
      height: 16,
      channels: 4,
      data: new Uint8Array(16 * 16 * 4).fill(255),
    };
    expect(changedTiles(readFrame(blank()), readFrame(small), new Set())).toBe(
      Number.POSITIVE_INFINITY,
    );
  });
});

describe('actions of other schemas', () => {
  it.each([
    ['left_click', { coordinate: [3, 4] }, { action: { type: 'click', x: 3, y: 4 } }],
    [
      'right_click',
      { coordinate: [3, 4] },
      { action: { type: 'click', x: 3, y: 4, button: 'right' } },
    ],
    [
      'computer',
      { action: 'double_click', coordinate: [3, 4] },
      { action: { type: 'double_click', x: 3, y: 4 } },
    ],
    [
      'left_click_drag',
      { start_coordinate: [1, 2], coordinate: [3, 4] },
      { action: { type: 'drag', x: 1, y: 2, end_x: 3, end_y: 4 } },
    ],
    ['type', { text: 'a' }, { action: { type: 'type_text', text: 'a' } }],
    [
      'computer',
      { action: 'key', text: 'ctrl+a' },
      { action: { type: 'key_press', keys: 'ctrl+a' } },
    ],
    [
      'scroll',
      { scroll_direction: 'up', scroll_amount: 2, coordinate: [3, 4] },
      { action: { type: 'scroll', direction: 'up', amount: 2, x: 3, y: 4 } },
    ],
    ['wait', { duration: 2 }, { action: { type: 'wait', seconds: 2 } }],
    ['screenshot', {}, { look: [] }],
    ['zoom', { region: [0, 0, 9, 9] }, { look: [0, 0, 9, 9] }],
    ['mouse_move', { coordinate: [3, 4] }, { action: { type: 'move', x: 3, y: 4 } }],
    ['triple_click', { coordinate: [3, 4] }, { action: { type: 'triple_click', x: 3, y: 4 } }],
    [
      'left_click',
      { coordinate: [3, 4], text: 'ctrl' },
      { action: { type: 'click', x: 3, y: 4, keys: 'ctrl' } },
    ],
    ['key', { text: 'Tab', repeat: 3 }, { action: { type: 'key_press', keys: 'Tab', repeat: 3 } }],
    [
      'hold_key',
      { text: 'a', duration: 2 },
      { action: { type: 'key_press', keys: 'a', seconds: 2 } },
    ],
    ['left_click', {}, { action: { type: 'click', x: 0, y: 0 } }],
    [
      'left_click',
      { coordinate: ['a'] },
      { refused: expect.stringContaining('needs a coordinate') },
    ],
    [
      'left_mouse_down',
      {},
      { refused: expect.stringContaining('left_mouse_down is not available') },
    ],
  ])('Anthropic: %s %j', (name, input, meaning) =>
    expect(readAnthropic(name, input)).toEqual(meaning),
  );

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
    [
      { type: 'move', x: 1, y: 1 },
      { type: 'move', x: 1, y: 1 },
    ],
    [
      { type: 'click', x: 1, y: 1, keys: ['SHIFT'] },
      { type: 'click', x: 1, y: 1, keys: 'SHIFT' },
    ],
  ] as [Record<string, unknown>, ScreenAction | null][])('OpenAI: %j', (given, action) =>
    expect(readOpenAi(given)).toEqual(action),
  );

  it.each([
    ['Return', 'Enter'],
    ['ctrl+a', 'Control+a'],
    ['CTRL+SHIFT+T', 'Control+Shift+T'],
    ['Page_Down', 'PageDown'],
    ['f5', 'F5'],
    ['+', '+'],
    ['cmd++', 'Meta++'],
    ['Down Down', 'ArrowDown ArrowDown'],
    ['plus', '+'],
    ['minus', '-'],
    ['period', '.'],
    [' ', 'Space'],
  ])('the keys %s are %s', (keys, chord) => expect(chordsOf(keys)).toEqual(chord.split(' ')));
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
    ['Save', 'Almost there. Note', 'en', true],
    ['Sign in', 'Welcome. User name. Password', '', true],
    ['Save changes', 'Account settings. Display name', 'en-GB', true],
    ['Search', 'Library. Search the page', 'en', true],
    ['Speichern', 'Ihre Adresse. Straße. Ort', 'de', true],
    ['Enregistrer', 'Votre adresse. Ville', 'fr', true],
    ['保存', '名前 住所', 'ja', true],
    ['Delete account', 'Account settings', 'en', false],
    ['Confirm', 'Delete workspace. Type the workspace name', 'en', false],
    ['Continue', 'Checkout. Name', 'en', false],
    ['Continue', 'Your name. Total 12.00 €', 'en', false],
    ['Save', 'Account settings. Save. Delete account', 'en', false],
    ['Send message', 'Contact', 'en', false],
    ['Place order', 'Your name', 'en', false],
    ['I agree', 'Your name', 'en', false],
    ['Konto endgültig löschen', 'Konto', 'de', false],
    ['Weiter', 'Ihr Abo kündigen', 'de', false],
    ['Valider', 'Supprimer votre compte', 'fr', false],
    ['Confirmar', 'Eliminar su cuenta', 'es', false],
    ['OK', 'Удалить ваш профиль', 'ru', false],
    ['確定', '削除しますか', 'ja', false],
    // Languages and scripts outside the list count as dangerous, even if the page declares another
    // language.
    ['OK', 'Fiók törlése. E-mail', 'hu', false],
    ['OK', 'Fiók törlése. Írja be az e-mail címét', 'en', false],
    ['OK', 'حذف الحساب', 'en', false],
    ['Törlés', 'Your account', 'en', false],
    ['Save', '', 'en', false],
  ])('%s under "%s" (%s): harmless is %s', (name, around, language, harmless) => {
    expect(isHarmless(name, { says: `${around}`, language })).toBe(harmless);
  });
});

it('values are hidden wherever they stand, the longest first', () => {
  const hider = new ValueHider();
  for (const value of ['Ada', 'Ada Lovelace', 'x']) hider.add(value);
  expect(hider.hide('Ada Lovelace, Ada; ?name=Ada+Lovelace&n=Ada%20Lovelace x')).toBe(
    '<value:12 chars>, <value:3 chars>; ?name=<value:12 chars>&n=<value:12 chars> x',
  );
});
