import type { ScreenAction } from '@unrut/computer-use/action';
import { encode } from 'fast-png';
import { afterEach, describe, expect, it } from 'vitest';
import type { Brain, View } from '../../packages/computer-use/src/brain.ts';
import {
  type AnthropicOptions,
  createAnthropicBrain,
} from '../../packages/computer-use/src/brains/anthropic.ts';
import { createGeminiBrain, readGemini } from '../../packages/computer-use/src/brains/gemini.ts';
import { createOpenAiBrain } from '../../packages/computer-use/src/brains/openai.ts';
import { type Asked, startModelServer, type Turn } from './model-server.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const viewOf = (width: number, height: number, given: Partial<View> = {}): View => ({
  task: 'Save the form.',
  screenshot: encode({
    width,
    height,
    channels: 3,
    data: new Uint8Array(width * height * 3).fill(200),
  }),
  viewport: { width, height },
  url: 'https://example.com/',
  tabs: [{ id: 0, title: 'A form', url: 'https://example.com/', isShown: true }],
  text: 'Name, Save',
  step: 0,
  feedback: '',
  pending: [],
  ...given,
});

type Call = Record<string, unknown>;
interface Dialect {
  name: string;
  brain(url: string): Brain;
  /** A click at (10, 20) on a screen of 100 × 50, a look, and an impossible call. */
  click: Call;
  look: Call;
  /** How the service says that an answer was cut off, or refused. */
  cut: string;
  refused: string;
}

const anthropic = (
  tool: NonNullable<AnthropicOptions['tool']>,
  point: object = { coordinate: [10, 20] },
): Dialect => {
  const toolset = /^(\w+)_toolset/.exec(tool)?.[1];
  const call = (name: string, input: object): Call =>
    toolset
      ? { name, toolset_name: toolset, input }
      : { name: 'computer', input: { action: name, ...input } };
  return {
    name: `Anthropic, ${tool}`,
    brain: (baseUrl) => createAnthropicBrain({ model: 'claude', tool, apiKey: 'k', baseUrl }),
    click: call('left_click', point),
    look: call('screenshot', {}),
    cut: 'max_tokens',
    refused: 'refusal',
  };
};

const DIALECTS: readonly Dialect[] = [
  anthropic('computer_toolset_20260801'),
  anthropic('computer_20251124'),
  {
    name: 'OpenAI, computer',
    brain: (url) => createOpenAiBrain({ model: 'gpt', apiKey: 'k', baseUrl: `${url}/v1` }),
    click: { actions: [{ type: 'click', x: 10, y: 20, button: 'left' }] },
    look: { actions: [{ type: 'screenshot' }] },
    cut: 'incomplete',
    refused: 'failed',
  },
  {
    name: 'OpenAI, computer_use_preview',
    brain: (url) =>
      createOpenAiBrain({
        model: 'gpt',
        tool: 'computer_use_preview',
        apiKey: 'k',
        baseUrl: `${url}/v1`,
      }),
    click: { action: { type: 'click', x: 10, y: 20, button: 'left' } },
    look: { action: { type: 'screenshot' } },
    cut: 'incomplete',
    refused: 'failed',
  },
  {
    name: 'Gemini',
    brain: (baseUrl) => createGeminiBrain({ model: 'gemini', apiKey: 'k', baseUrl }),
    click: { name: 'click_at', args: { x: 100, y: 400 } },
    look: { name: 'open_web_browser', args: {} },
    cut: 'MAX_TOKENS',
    refused: 'SAFETY',
  },
  anthropic('browser_toolset_20260801', { target: { type: 'coordinate', x: 10, y: 20 } }),
];

/** Asks a brain again and again, each time with what the runner has to say. */
async function converse(
  dialect: Pick<Dialect, 'brain'>,
  turns: readonly Turn[],
  feedback: readonly string[],
  size: readonly [number, number] = [100, 50],
) {
  const server = await startModelServer((_, turn) => turns[Math.min(turn, turns.length - 1)]!);
  closing.push(() => server.close());
  const brain = dialect.brain(server.url);
  const actions: ScreenAction[] = [];
  for (const said of feedback)
    actions.push((await brain.propose(viewOf(...size, { feedback: said }))).action);
  return { actions, asked: server.asked as readonly Asked[] };
}

const CLICK = { type: 'click', x: 10, y: 20 };

describe.each(DIALECTS)('$name', (dialect) => {
  const { click, look, cut, refused } = dialect;

  it('reads why its claim of success is rejected, at once and after calls', async () => {
    const { actions, asked } = await converse(
      dialect,
      [
        { answer: 'All done.' },
        { calls: [look] },
        { calls: [click] },
        { answer: 'Done now.' },
        { answer: 'Really done.' },
      ],
      ['', 'Values are missing.', '', 'Still missing.'],
    );
    expect(actions).toMatchObject([
      { type: 'done', success: true },
      CLICK,
      { summary: 'Done now.' },
      { summary: 'Really done.' },
    ]);
    expect(asked[1]!.told).toContain('Values are missing.');
    expect(asked[4]!.told).toContain('Still missing.');
  });

  it('makes the calls of one answer one after the other, until something else was done', async () => {
    const { actions, asked } = await converse(
      dialect,
      [{ calls: [click, click, click] }, { answer: 'FAILED: enough.' }],
      ['', '', 'Tab was pressed instead.'],
    );
    expect(actions).toMatchObject([
      CLICK,
      CLICK,
      { type: 'done', success: false, summary: 'enough.' },
    ]);
    expect(asked[1]!.told).toContain('Tab was pressed instead.');
    expect(asked[1]!.told).toContain('Not done');
  });

  it('an answer that was cut off is no success', async () => {
    const { actions, asked } = await converse(
      dialect,
      [{ answer: 'I will now click on the', stop: cut }, { calls: [click] }],
      [''],
    );
    expect(actions).toMatchObject([CLICK]);
    expect(asked[1]!.told).toContain('cut off');
  });

  it('nor is one that always is, or a refusal', async () => {
    expect((await converse(dialect, [{ calls: [click], stop: cut }], [''])).actions).toMatchObject([
      { type: 'done', success: false },
    ]);
    expect(
      (await converse(dialect, [{ answer: 'I cannot.', stop: refused }], [''])).actions,
    ).toMatchObject([{ success: false }]);
  });

  it('that only looks comes to an end', async () => {
    expect((await converse(dialect, [{ calls: [look] }], [''])).actions).toMatchObject([
      { type: 'done', success: false },
    ]);
  });

  it('keeps few pictures over many steps', async () => {
    const { asked } = await converse(dialect, [{ calls: [click] }], Array<string>(14).fill(''));
    expect(Math.max(...asked.map(({ pictures }) => pictures))).toBeLessThanOrEqual(10);
  });
});

describe('Anthropic', () => {
  const [toolset, single] = DIALECTS as [Dialect, Dialect];

  it('after a call that cannot be made none of the later ones is', async () => {
    const never = { name: 'left_mouse_down', toolset_name: 'computer', input: {} };
    const { actions, asked } = await converse(
      toolset,
      [{ calls: [never, toolset.click] }, { answer: 'FAILED: no.' }],
      [''],
    );
    expect(actions).toMatchObject([{ type: 'done', success: false }]);
    expect(asked[1]!.told).toContain('left_mouse_down is not available');
  });

  it('a large screen is shown smaller, and points are mapped back', async () => {
    const { actions, asked } = await converse(
      single,
      [{ calls: [single.click] }],
      [''],
      [2560, 1440],
    );
    const [tool] = asked[0]!.body.tools as {
      display_width_px: number;
      display_height_px: number;
    }[];
    expect(tool!.display_width_px * tool!.display_height_px).toBeLessThanOrEqual(1_150_000);
    const scale = tool!.display_width_px / 2560;
    expect(actions[0]).toEqual({
      type: 'click',
      x: Math.round(10 / scale),
      y: Math.round(20 / scale),
    });
  });

  it('may look closer, hover, go to another page and have its thoughts kept', async () => {
    const calls = [
      { name: 'zoom', toolset_name: 'computer', input: { region: [0, 0, 20, 10] } },
      { name: 'mouse_move', toolset_name: 'computer', input: { coordinate: [3, 4] } },
      { name: 'left_click', toolset_name: 'computer', input: {} },
      { name: 'navigate', input: { to: 'back' } },
    ];
    const { actions } = await converse(toolset, [{ calls }, { answer: 'Done.' }], ['', '', '', '']);
    expect(actions).toMatchObject([
      { type: 'move', x: 3, y: 4 },
      { type: 'click', x: 3, y: 4 },
      { type: 'navigate', to: 'back' },
      { type: 'done' },
    ]);
  });

  it("by the browser's toolset goes to pages and tabs, reads the text, hovers, and learns of new tabs", async () => {
    const browser = DIALECTS[5]!;
    const tab = (id: number, isShown: boolean) => ({
      id,
      title: `Tab ${id}`,
      url: `https://example.com/${id}`,
      isShown,
    });
    const use = (name: string, input: object = {}) => ({ name, toolset_name: 'browser', input });
    const turns: Turn[] = [
      { calls: [use('get_page_text'), use('list_tabs'), use('navigate', { url: 'reload' })] },
      { calls: [use('hover', { target: { type: 'coordinate', x: 3, y: 4 }, tab_id: 'tab_0' })] },
      { calls: [use('switch_tab', { tab_id: 'tab_7' })] },
      { calls: [use('left_click', { target: { type: 'ref', ref: 'ref_1' } }), browser.click] },
      { calls: [use('key', { text: 'Tab', tab_id: 'tab_0' })] },
      { answer: 'Done.' },
    ];
    const server = await startModelServer((_, turn) => turns[turn]!);
    closing.push(() => server.close());
    const brain = browser.brain(server.url);
    const views: Partial<View>[] = [
      {},
      {},
      { tabs: [tab(0, true), tab(7, false)] },
      { tabs: [tab(0, false), tab(7, true)], feedback: 'A nudge.' },
    ];
    const actions: ScreenAction[] = [];
    for (const view of views) actions.push((await brain.propose(viewOf(100, 50, view))).action);
    expect(actions).toEqual([
      { type: 'navigate', to: 'reload' },
      { type: 'move', x: 3, y: 4 },
      { type: 'switch_tab', tab: 1 },
      { type: 'done', success: true, summary: 'Done.' },
    ]);
    const told = server.asked.map(({ told }) => told);
    expect(told[1]).toContain('Name, Save');
    expect(JSON.stringify(server.asked[2]!.body.messages)).toContain(
      '{"type":"tab_opened","tab_id":"tab_7"}',
    );
    expect(told[3]).toContain('A nudge.');
    expect(told[4]).toContain('give a coordinate');
    expect(told[5]).toContain('switch to it first');
    expect(brain.spent).toEqual({ requests: 6, tokens: 6 * 120 });
  });

  it('thinks as much as it is asked to', async () => {
    const thinking = { type: 'enabled', budget_tokens: 2000 };
    const brain = (baseUrl: string): Brain =>
      createAnthropicBrain({ model: 'claude', apiKey: 'k', baseUrl, thinking, effort: 'low' });
    const { asked } = await converse({ brain }, [{ answer: 'Done.' }], ['']);
    expect(asked[0]!.body).toMatchObject({ thinking, output_config: { effort: 'low' } });
  });

  it('the beginning of a request stays the same, so that it can be cached', async () => {
    const { asked } = await converse(
      toolset,
      [{ calls: [toolset.click] }],
      Array<string>(6).fill(''),
    );
    const plain = asked.map(({ body }) =>
      JSON.stringify(body.messages).replaceAll(',"cache_control":{"type":"ephemeral"}', ''),
    );
    for (const [i, each] of plain.slice(1).entries())
      expect(each.startsWith(plain[i]!.slice(0, -1))).toBe(true);
    expect(JSON.stringify(asked.at(-1)!.body.messages)).toContain('cache_control');
  });
});

it('OpenAI: a check that nobody agrees to ends the run, and a function is answered as one', async () => {
  const openai = DIALECTS[2]!;
  const checks = [{ id: 'c1', code: 'malicious_instructions', message: 'Look first.' }];
  const { actions } = await converse(
    openai,
    [{ calls: [{ ...openai.click, pending_safety_checks: checks }] }],
    [''],
  );
  expect(actions).toMatchObject([
    { success: false, summary: expect.stringContaining('Look first.') },
  ]);
  const navigate = { type: 'function_call', name: 'navigate', arguments: '{"to":"back"}' };
  const { actions: made } = await converse(
    openai,
    [{ calls: [navigate] }, { answer: 'Done.' }],
    ['', ''],
  );
  expect(made).toMatchObject([
    { type: 'navigate', to: 'back' },
    { type: 'done', success: true },
  ]);
});

it('Gemini: an action that nobody agrees to ends the run', async () => {
  const args = {
    x: 1,
    y: 1,
    safety_decision: { decision: 'require_confirmation', explanation: 'It pays.' },
  };
  const { actions } = await converse(DIALECTS[4]!, [{ calls: [{ name: 'click_at', args }] }], ['']);
  expect(actions).toMatchObject([{ success: false, summary: expect.stringContaining('It pays.') }]);
});

it.each([
  [
    'type_text_at',
    { x: 500, y: 500, text: 'Ada' },
    [
      { type: 'type_text', text: 'Ada', x: 400, y: 250, replace: true },
      { type: 'key_press', keys: 'Return' },
    ],
  ],
  [
    'type_text_at',
    { x: 0, y: 0, text: 'A', press_enter: false, clear_before_typing: false },
    [{ type: 'type_text', text: 'A', x: 0, y: 0 }],
  ],
  ['hover_at', { x: 500, y: 0 }, [{ type: 'move', x: 400, y: 0 }]],
  ['key_combination', { keys: 'Control+A' }, [{ type: 'key_press', keys: 'Control+A' }]],
  ['scroll_document', { direction: 'up' }, [{ type: 'scroll', direction: 'up', amount: 5 }]],
  ['go_back', {}, [{ type: 'navigate', to: 'back' }]],
  [
    'drag_and_drop',
    { x: 0, y: 0, destination_x: 500, destination_y: 500 },
    [{ type: 'drag', x: 0, y: 0, end_x: 400, end_y: 250 }],
  ],
  ['open_web_browser', {}, []],
] as [string, Record<string, unknown>, ScreenAction[]][])(
  'Gemini: %s %j',
  (name, args, actions) => {
    expect(readGemini({ name, args }, { width: 800, height: 500 })).toEqual(actions);
  },
);
