import { describe, expect, it } from 'vitest';
import type { ScreenAction } from '../action.ts';
import { FormController } from '../form-controller.ts';
import type { Frame } from '../frame.ts';
import type { PlanValue } from '../match-field.ts';
import type { Field, PageReport, ReturnKey, Target } from '../page-report.ts';
import { PlanProgress, type PlanStep } from '../plan.ts';
import { StepGuard } from '../step-guard.ts';
import {
  PERMISSIONS,
  type Permission,
  readPermissions,
  readSwitches,
  SWITCHES,
  type Switch,
  variableOf,
} from '../switches.ts';
import { DONE_REASONS, type DoneReason, isUnverified } from './done-gate.ts';
import type { GateSituation, Sample } from './gate.ts';
import { GATES, passGates } from './index.ts';

const field = (given: Partial<Field> = {}): Field => ({
  label: 'Note',
  accessible: '',
  name: '',
  placeholder: '',
  id: 'note',
  type: 'text',
  value: 'Filled in',
  empty: false,
  form: 0,
  x: 50,
  y: 150,
  ...given,
});
const target = (given: Partial<Target> = {}): Target => ({
  role: 'button',
  name: 'Save',
  submits: false,
  interactive: true,
  opaque: false,
  focused: true,
  field: null,
  cover: '',
  ...given,
});
const onField = (of: Field, focused = true): Target =>
  target({ role: 'textbox', name: of.label, field: of, focused });
const about = { says: 'Save Almost there Note', language: 'en', blocked: '' };
const returns = (given: Partial<ReturnKey> = {}): ReturnKey => ({
  inField: false,
  name: 'Save',
  aimed: true,
  ...about,
  ...given,
});
const page = (given: Partial<PageReport> = {}): PageReport => ({
  url: 'https://example.com/',
  viewport: { width: 800, height: 600 },
  below: 0,
  scroll: '0 0',
  busy: false,
  focused: null,
  hiddenFocus: false,
  target: target(),
  returns: returns(),
  submit: null,
  wall: false,
  passwords: [],
  text: '',
  dom: 0,
  ...given,
});

const click: ScreenAction = { type: 'click', x: 50, y: 200 };
const frame: Frame = { hash: '0'.repeat(64), tiles: new Uint32Array(1), columns: 1 };
const sample = (given: Partial<Sample> = {}): Sample => ({
  action: click,
  url: 'https://example.com/',
  frame,
  dom: 0,
  detail: '',
  target: target(),
  changed: false,
  own: false,
  ...given,
});

interface Given extends Partial<Omit<GateSituation, 'forms' | 'allow' | 'off'>> {
  action?: ScreenAction;
  reasoning?: string;
  values?: readonly PlanValue[];
  consumed?: readonly Field[];
  allow?: readonly Permission[];
  off?: readonly Switch[];
}

/** A fourth click on Save after three without effect. */
function situation({
  action = click,
  reasoning = '',
  values = [],
  consumed = [],
  allow = [],
  off = [],
  ...rest
}: Given = {}): GateSituation {
  const forms = new FormController(values);
  for (const [i, each] of consumed.entries()) forms.markConsumed(values[i]!, each);
  return {
    task: 'Save the note.',
    proposal: { action, reasoning },
    page: page(),
    screenshot: new Uint8Array(),
    samples: [sample(), sample(), sample()],
    window: 3,
    loop: 'soft',
    frozen: true,
    forms,
    steps: new PlanProgress(),
    required: [],
    memory: { refused: 0, directed: false, submitForced: false },
    allow: new Set<Permission>(['loop-recovery', ...allow]),
    off: new Set(off),
    director: undefined,
    ...rest,
  };
}

/** The gate that substituted, and its reason code. */
async function decided(given: Given = {}): Promise<string> {
  const found = await passGates(situation(given));
  return found ? (found.reason === found.gate ? found.gate : `${found.gate}: ${found.reason}`) : '';
}

const RETURN = 'loop-recovery: press_return_for_submit';
const TYPE = 'loop-recovery: type_pending_value';
const TAB = 'loop-recovery: tab_to_next_field';

it('stand in this order', () => {
  expect(GATES.map(({ name }) => name)).toEqual([
    'done-gate',
    'force-fill',
    'force-submit',
    'director',
    'top-click-guard',
    'loop-recovery',
  ]);
});

describe('Return', () => {
  it('is pressed when it presses the very button that was clicked in vain', async () =>
    expect(await decided()).toBe(RETURN));

  it.each([
    ['there is no loop', { loop: 'none' }],
    ['something on the screen has moved', { frozen: false }],
    ['the page is working, or a request is open', { page: page({ busy: true }) }],
    [
      'it would press something else than was aimed at',
      { page: page({ returns: returns({ aimed: false, name: 'Delete account' }) }) },
    ],
    ['it would press nothing that is known', { page: page({ returns: null }) }],
    [
      'a required field is empty',
      { page: page({ returns: returns({ blocked: 'a required field is empty' }) }) },
    ],
    [
      'the name says what it destroys',
      { page: page({ returns: returns({ name: 'Delete account' }) }) },
    ],
    [
      'the heading does',
      { page: page({ returns: returns({ says: 'Save Close your account Name' }) }) },
    ],
    ['the language is not covered', { page: page({ returns: returns({ language: 'hu' }) }) }],
    ['a value is still to be typed', { values: [{ label: 'Town', value: 'Bremen' }] }],
    ['the page wants a person', { page: page({ wall: true }) }],
    [
      'neither the words nor the button aim at sending off',
      { page: page({ target: target({ name: 'Picture' }) }) },
    ],
    ['it is a right click', { action: { ...click, button: 'right' } }],
    ['a key is held', { action: { ...click, keys: 'Control' } }],
    [
      'the clicks before were right clicks',
      { samples: [1, 2, 3].map(() => sample({ action: { ...click, button: 'right' } })) },
    ],
    [
      'not all of the last actions were clicks',
      { samples: [sample(), sample({ action: { type: 'wait', seconds: 1 } }), sample()] },
    ],
    ['it is switched off', { off: ['press-return-for-submit'] }],
  ] as [string, Given][])('is not when %s', async (_, given) =>
    expect(await decided(given)).toBe(''),
  );

  it.each([
    ['is not pressed while a field has the focus', [], ''],
    ['unless that is allowed', ['returnInFocusedField'], RETURN],
  ] as [string, Permission[], string][])('%s', async (_, allow, expected) => {
    const held = page({
      focused: field(),
      target: target({ focused: false }),
      returns: returns({ inField: true }),
    });
    expect(await decided({ page: held, allow })).toBe(expected);
  });

  it.each([
    [[], ''],
    [['press_return_for_submit'], RETURN],
  ] as [Permission[], string][])(
    'what cannot be taken back needs to be allowed: %j',
    async (allow, expected) => {
      expect(
        await decided({
          page: page({ returns: returns({ name: 'Pay now', says: 'Pay now' }) }),
          allow,
        }),
      ).toBe(expected);
    },
  );
});

describe('a value of the plan', () => {
  const town: PlanValue = { label: 'Town', value: 'Bremen' };
  const nameless = field({ label: '', placeholder: 'Enter value', value: '', empty: true });
  const other = field({ label: 'Number of guests', value: '', empty: true });

  it.each([
    [
      'is typed at once into the field of its name',
      { loop: 'none', page: page({ target: onField(field({ label: 'Your town *' }), false) }) },
      'force-fill',
    ],
    [
      'is not typed into another field',
      { loop: 'none', page: page({ target: onField(other, false) }) },
      '',
    ],
    [
      'is not typed beside its field',
      { loop: 'none', page: page({ focused: field({ label: 'Town' }) }) },
      '',
    ],
    [
      'is typed in a loop where the label decides nothing',
      { page: page({ focused: nameless, target: onField(nameless) }) },
      TYPE,
    ],
    [
      'is typed where it was begun',
      {
        page: page({
          focused: field({ ...nameless, value: 'Bre', empty: false }),
          target: onField(field({ ...nameless, value: 'Bre', empty: false })),
        }),
      },
      TYPE,
    ],
    [
      'does not replace what somebody else typed: Tab leads on',
      {
        page: page({
          focused: field({ ...nameless, value: 'typed by the user', empty: false }),
          target: onField(field({ ...nameless, value: 'typed by the user', empty: false })),
        }),
      },
      TAB,
    ],
    [
      'does not replace a password, which is not read',
      {
        page: page({
          focused: field({ ...nameless, type: 'password', value: '', empty: false }),
          target: onField(field({ ...nameless, type: 'password', value: '', empty: false })),
        }),
        values: [{ label: 'Password', value: 'difference engine' }],
      },
      TAB,
    ],
    [
      'is not typed there without a loop',
      { loop: 'none', page: page({ focused: nameless, target: onField(nameless) }) },
      '',
    ],
    [
      'is not typed where something else is aimed at',
      { page: page({ focused: nameless, target: target({ focused: false }), returns: null }) },
      '',
    ],
    [
      'is not typed in a loop where the label names something else',
      { page: page({ focused: other, target: onField(other) }) },
      '',
    ],
  ] as [string, Given, string][])('%s', async (_, given, expected) =>
    expect(await decided({ values: [town], ...given })).toBe(expected),
  );

  it('that the field holds already is done with', async () => {
    const given = situation({
      values: [town],
      page: page({ target: onField(field({ label: 'Town', value: 'Bremen' })) }),
      loop: 'none',
    });
    expect(await passGates(given)).toBeNull();
    expect(given.forms.pending).toEqual([]);
  });
});

describe('Tab', () => {
  it('is pressed when the field that is clicked has the focus and there is nothing to type into it', async () => {
    expect(await decided({ page: page({ focused: field(), target: onField(field()) }) })).toBe(TAB);
  });

  it('is not when something else was clicked', async () => {
    expect(
      await decided({
        page: page({ focused: field(), target: target({ focused: false }), returns: null }),
      }),
    ).toBe('');
  });
});

describe('force-submit', () => {
  const values: PlanValue[] = [{ label: 'Town', value: 'Bremen' }];
  const town = field({ label: 'Town' });
  const submit = { x: 9, y: 9, name: 'Save', form: 0, ...about };
  const filled: Given = {
    values,
    consumed: [town],
    allow: ['force-submit'],
    page: page({
      target: target({ name: '', role: '', interactive: false }),
      returns: null,
      submit,
    }),
    samples: [sample({ target: target({ submits: true }) }), sample(), sample(), sample()],
  };

  it('presses the button that was aimed at before, where it is allowed', async () =>
    expect(await decided(filled)).toBe('force-submit'));

  it.each([
    ['not allowed', { allow: [] }],
    ['there is no loop', { loop: 'none' }],
    ['nobody has aimed at the button', { samples: [sample(), sample(), sample()] }],
    [
      'the click goes into a frame',
      { page: page({ target: target({ opaque: true }), returns: null, submit }) },
    ],
    [
      'a required field is empty',
      {
        page: page({ returns: null, submit: { ...submit, blocked: 'a required field is empty' } }),
      },
    ],
    [
      'the form says what it destroys',
      { page: page({ returns: null, submit: { ...submit, says: 'Save Delete workspace' } }) },
    ],
    ['it is another form', { page: page({ returns: null, submit: { ...submit, form: 1 } }) }],
  ] as [string, Given][])('does nothing when %s', async (_, given) =>
    expect(await decided({ ...filled, ...given })).toBe(''),
  );
});

describe('top-click-guard', () => {
  const top: ScreenAction = { type: 'click', x: 50, y: 20 };
  const samples = [1, 2, 3].map(() => sample({ action: top }));
  const bare = page({
    below: 900,
    target: target({ role: '', name: '', interactive: false }),
    returns: null,
  });
  const given: Given = { action: top, samples, page: bare, allow: ['top-click-guard'] };

  it('scrolls in a loop of clicks at the top that aim at nothing', async () =>
    expect(await decided(given)).toBe('top-click-guard'));

  it.each([
    [
      'a button at the top is clicked, whose effect may lie further down',
      { page: { ...bare, target: target() } },
    ],
    ['it is not allowed', { allow: [] }],
    ['there is no loop', { loop: 'none' }],
    ['nobody said what the task is', { task: '' }],
    ['the task is about the top', { task: 'Open the menu.' }],
    [
      'a click has changed something',
      { samples: [sample({ action: top, changed: true }), ...samples.slice(1)] },
    ],
  ] as [string, Given][])('does nothing when %s', async (_, more) =>
    expect(await decided({ ...given, ...more })).toBe(''),
  );
});

describe('where several gates apply', () => {
  const values: PlanValue[] = [{ label: 'Town', value: 'Bremen' }];
  const town = field({ label: 'Town' });
  const director = async (): Promise<ScreenAction> => ({ type: 'key_press', keys: 'Escape' });
  const top: ScreenAction = { type: 'click', x: 50, y: 20 };

  it.each([
    ['force-fill', 'director', { values, director, page: page({ target: onField(town, false) }) }],
    ['force-fill', TAB, { values, page: page({ focused: town, target: onField(town) }) }],
    ['director', RETURN, { director }],
    [
      'director',
      'top-click-guard',
      {
        director,
        allow: ['top-click-guard'],
        action: top,
        samples: [1, 2, 3].map(() => sample({ action: top })),
        page: page({
          below: 900,
          target: target({ role: '', name: '', interactive: false }),
          returns: null,
        }),
      },
    ],
  ] as [Switch, string, Given][])('%s acts before %s', async (winner, next, given) => {
    expect(await decided(given)).toBe(winner);
    expect(await decided({ ...given, off: [winner] })).toBe(next);
  });

  it('a claim of success is for the done gate alone', async () => {
    const claim: ScreenAction = { type: 'done', success: true, summary: '' };
    expect(await decided({ action: claim, director })).toBe('done-gate: empty_summary');
    expect(await decided({ action: claim, director, off: ['done-gate'] })).toBe('');
  });

  it.each([
    ['may not type', async (): Promise<ScreenAction> => ({ type: 'type_text', text: 'anything' })],
    ['may have no idea', async (): Promise<null> => null],
    ['may fail', async (): Promise<never> => Promise.reject(new Error('overloaded'))],
    [
      'may throw',
      (): never => {
        throw new Error('no key');
      },
    ],
    ['may answer at once that it has no idea', (): undefined => undefined],
  ])('the director %s: the next gate has its turn', async (_, ask) =>
    expect(await decided({ director: ask })).toBe(RETURN),
  );

  it.each([
    ['at once', () => ({ type: 'key_press', keys: 'Escape' }) as const],
    [
      'as a brain proposes it',
      async () => ({ action: { type: 'key_press', keys: 'Escape' } }) as const,
    ],
  ])('the director may give its action %s', async (_, ask) =>
    expect(await decided({ director: ask })).toBe('director'),
  );

  it.each([[{ propose: async () => null }], ['claude'], [[]]])(
    'a director that is no function, such as %j, is one clear error at once',
    (wrong) =>
      expect(() => new StepGuard({ director: wrong as never })).toThrow(
        /^\[unrut\] \[computer-use\] Expected `director` to be a function .* returns one action, or null, got /,
      ),
  );

  it('twin: without a director, or with a function, there is none', () => {
    expect(() => [new StepGuard(), new StepGuard({ director })]).not.toThrow();
  });

  it('the director is asked once in a loop, and sees labels, never values', async () => {
    const views: unknown[] = [];
    const ask = async (view: object): Promise<null> => {
      views.push(view);
      return null;
    };
    const given = situation({
      values,
      director: ask,
      page: page({ url: 'https://example.com/?town=Bremen', returns: null }),
    });
    await passGates(given);
    await passGates(given);
    expect(views).toMatchObject([
      { pending: ['Town'], proposed: 'click at (50, 200)', url: 'https://example.com/' },
    ]);
    expect(JSON.stringify(views)).not.toContain('Bremen');
  });
});

describe('a claim of success', () => {
  const wait = sample({ action: { type: 'wait', seconds: 1 } });
  const values: PlanValue[] = [{ label: 'Town', value: 'Bremen' }];
  const steps: PlanStep[] = [
    { name: 'open the list' },
    { name: 'read it', text: 'the last entry' },
  ];
  const submit = { x: 9, y: 9, name: 'Save', form: 0, ...about };
  const CASES: Record<DoneReason, { given: Given; mended: Given; summary?: string }> = {
    empty_summary: { given: {}, mended: {}, summary: '  ' },
    plan_steps_incomplete: {
      given: { steps: new PlanProgress(steps) },
      mended: { steps: new PlanProgress() },
    },
    pending_form_values: { given: { values }, mended: { values, consumed: [field()] } },
    summary_missing_required_fields: {
      given: { required: ['list', 'order number'] },
      mended: { required: ['list'] },
    },
    no_observed_delta_after_waits: {
      given: { samples: [wait] },
      mended: { samples: [wait, { ...wait, changed: true }] },
    },
    no_progress_in_window: {
      given: { samples: [sample(), sample(), sample()] },
      mended: { samples: [sample(), sample(), sample({ changed: true })] },
    },
    form_not_submitted: {
      given: { values, consumed: [field()], page: page({ submit }) },
      mended: { values, consumed: [field()], page: page({ submit: { ...submit, form: 1 } }) },
    },
  };
  const claim = (summary: string): ScreenAction => ({ type: 'done', success: true, summary });
  const quiet: Given = { samples: [], loop: 'none' };

  it('has a case for every reason', () => expect(Object.keys(CASES)).toEqual([...DONE_REASONS]));

  it.each(Object.entries(CASES))(
    'is refused twice for %s, then accepted as unverified',
    async (reason, { given, mended, summary }) => {
      const action = claim(summary ?? 'The list is complete.');
      const refused = situation({ ...quiet, ...given, action });
      expect([
        await passGates(refused),
        await passGates(refused),
        await passGates(refused),
      ]).toMatchObject([
        { gate: 'done-gate', reason, action: { type: 'wait', seconds: 1 } },
        { gate: 'done-gate', reason },
        null,
      ]);
      expect(isUnverified(refused, summary ?? 'The list is complete.')).toBe(true);
      expect(await decided({ ...quiet, ...mended, action: claim('The list is complete.') })).toBe(
        '',
      );
    },
  );

  it('is not refused for the waits of the gate itself', async () => {
    const own = { ...wait, own: true };
    expect(
      await decided({ ...quiet, samples: [own, own, own], action: claim('The list is complete.') }),
    ).toBe('');
  });

  it('of failure is believed', async () => {
    expect(
      await decided({ ...quiet, values, action: { type: 'done', success: false, summary: '' } }),
    ).toBe('');
  });
});

describe('switches and permissions', () => {
  it('each switch has a variable of its own', () => {
    expect(variableOf('loop-recovery')).toBe('UNRUT_LOOP_RECOVERY');
    expect(new Set(SWITCHES.map(variableOf)).size).toBe(SWITCHES.length);
    for (const name of SWITCHES)
      expect([...readSwitches([], { [variableOf(name)]: 'disabled' })]).toEqual([name]);
    expect([...readSwitches(['nudge'], { UNRUT_DIRECTOR: 'off', UNRUT_DONE_GATE: 'on' })]).toEqual([
      'nudge',
      'director',
    ]);
  });

  it('no other kind of action is forced as long as nobody allows it', async () => {
    expect(await passGates({ ...situation(), allow: new Set() })).toBeNull();
    expect([
      ...readPermissions([], { UNRUT_LOOP_RECOVERY: 'enabled', UNRUT_DIRECTOR: 'enabled' }),
    ]).toEqual(['loop-recovery']);
    expect([...readPermissions(['force-submit'], {})]).toEqual(['force-submit']);
  });

  it('an unknown name is one clear line', () => {
    expect(() => readSwitches(['gates' as Switch], {})).toThrow(
      /Cannot turn off `gates`: unknown name/,
    );
    expect(() => readPermissions(['everything'])).toThrow(
      /Cannot allow `everything`: unknown name\. Known: loop-recovery, /,
    );
    expect([...readPermissions(PERMISSIONS)]).toEqual([...PERMISSIONS]);
  });

  const begun = field({ label: '', value: 'Bre' });

  it.each([
    [
      [],
      {
        page: page({ focused: begun, target: onField(begun) }),
        values: [{ label: 'Town', value: 'Bremen' }],
      },
      TYPE,
    ],
    [
      ['type-pending-value'],
      {
        page: page({ focused: begun, target: onField(begun) }),
        values: [{ label: 'Town', value: 'Bremen' }],
      },
      TAB,
    ],
    [['loop-recovery'], {}, ''],
    [
      ['tab-to-next-field'],
      { page: page({ focused: field(), target: onField(field()), returns: null }) },
      '',
    ],
  ] as [Switch[], Given, string][])('without %j', async (off, given, expected) =>
    expect(await decided({ ...given, off })).toBe(expected),
  );
});
