import { UnrutError } from '../../errors.ts';
import type { Proposal, ScreenAction } from '../action.ts';
import type { Brain, View } from '../brain.ts';
import { browserState, NOT_OFFERED, readBrowserCall, STATE_ONLY } from './browser-toolset.ts';
import { apiKeyOf, type Endpoint, postJson, startSpent } from './post-json.ts';
import { CUT_OFF, ending, FUNCTIONS, IDLE, INSTRUCTIONS, MAX_IDLE, NOT_DONE, opening, pictureOf, scaleOf, unscaled } from './prompt.ts';

/** The forms of the computer tool, the newest first, and the beta that each needs. */
const TOOLS = {
  computer_toolset_20260801: undefined,
  browser_toolset_20260801: undefined,
  computer_20251124: 'computer-use-2025-11-24',
  computer_20250124: 'computer-use-2025-01-24',
  computer_20241022: 'computer-use-2024-10-22',
} as const;

export interface AnthropicOptions {
  model: string;
  /** Which form of the computer tool, or the browser's toolset. Default: `computer_toolset_20260801`. */
  tool?: keyof typeof TOOLS;
  /** Default: `ANTHROPIC_API_KEY`. */
  apiKey?: string;
  /** Default: `ANTHROPIC_BASE_URL`, else the public service. */
  baseUrl?: string;
  /** Further values of the header `anthropic-beta`. */
  betas?: readonly string[];
  /** Default: 4096. */
  maxTokens?: number;
  /** As the service takes it, such as `{ type: 'adaptive' }`. Default: the model's own. */
  thinking?: object;
  /** How much it thinks, as the service takes it, such as `low`. Default: the model's own. */
  effort?: string;
}

type Block = { type: string; [field: string]: unknown };
interface Message {
  role: 'user' | 'assistant';
  content: Block[];
}

/** Members of the toolset that the runner cannot do. */
const UNAVAILABLE = ['left_mouse_down', 'left_mouse_up'];
/** Larger pictures the service makes smaller, and then the points are no longer ours. */
const LIMITS = { side: 1568, area: 1_150_000 };
/** Older pictures cost much and tell little. They are dropped many at a time, so that the service can keep the rest in its cache. */
const MAX_PICTURES = 10;
const KEPT_PICTURES = 3;
const CACHED = { cache_control: { type: 'ephemeral' } } as const;

/** A brain that asks a model of Anthropic by its computer tools. */
export function createAnthropicBrain(options: AnthropicOptions): Brain {
  const { model, tool = 'computer_toolset_20260801', betas = [], maxTokens = 4096, thinking, effort } = options;
  const isBrowser = tool === 'browser_toolset_20260801';
  if (!Object.hasOwn(TOOLS, tool))
    throw new UnrutError('bad-option', `[computer-use] tool takes ${Object.keys(TOOLS).join(', ')}; got ${String(tool)}.`);
  const used = [...(TOOLS[tool] ? [TOOLS[tool]] : []), ...betas];
  const base = options.baseUrl ?? process.env.ANTHROPIC_BASE_URL ?? 'https://api.anthropic.com';
  const endpoint: Endpoint = {
    name: 'anthropic',
    spent: startSpent(),
    url: `${base.replace(/\/$/, '')}/v1/messages`,
    headers: {
      'x-api-key': apiKeyOf(options.apiKey, 'ANTHROPIC_API_KEY'),
      'anthropic-version': '2023-06-01',
      ...(used.length > 0 ? { 'anthropic-beta': used.join(',') } : {}),
    },
  };
  const messages: Message[] = [];
  /** Calls of the last answer that have not been made, and what the next message says: results first, then text. */
  let waiting: Block[] = [];
  let results: Block[] = [];
  let notes: string[] = [];
  let made: Block | null = null;
  let cursor = { x: 0, y: 0 };
  /** Of the browser's toolset: its tabs now, and those that the model knows. */
  let state: Block | null = null;
  const known = new Set<number>();
  const functions = isBrowser ? FUNCTIONS.filter(({ name }) => name === 'upload') : FUNCTIONS;

  function toolsFor({ width, height }: View['viewport'], scale: number): object[] {
    const size = { display_width_px: Math.floor(width * scale), display_height_px: Math.floor(height * scale) };
    const computer =
      isBrowser || tool === 'computer_toolset_20260801'
        ? { type: tool, configs: Object.fromEntries((isBrowser ? NOT_OFFERED : UNAVAILABLE).map((name) => [name, { enabled: false }])) }
        : { type: tool, name: 'computer', ...size, ...(tool === 'computer_20251124' ? { enable_zoom: true } : {}) };
    return [computer, ...functions.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters }))];
  }

  /** Every call is answered exactly once. */
  const answer = ({ id, name, toolset_name }: Block, content: Block[], failed = false): void => {
    const of = toolset_name === undefined ? {} : { toolset_name };
    const isStateOnly = isBrowser && !failed && STATE_ONLY.has(name);
    // What such a result cannot hold is said after it.
    if (isStateOnly) for (const { type, text } of content) if (type === 'text' && text && text !== DONE) notes.push(String(text));
    const shown = isBrowser && !failed && toolset_name !== undefined && state ? [...(isStateOnly ? [] : content), state] : content;
    results.push({ type: 'tool_result', tool_use_id: id, ...of, content: shown, ...(failed ? { is_error: true } : {}) });
    if (!failed && state) state = { type: state.type, tabs: state.tabs };
  };

  /** What was to follow is void. */
  function dropWaiting(): void {
    for (const call of waiting) answer(call, [text(NOT_DONE)], true);
    waiting = [];
  }

  /** Answers the call that was made with what came of it. */
  async function report(view: View, scale: number): Promise<void> {
    if (!made) {
      if (view.feedback) notes.push(view.feedback);
      return;
    }
    const shows = waiting.length === 0 || view.feedback;
    answer(made, [...(view.feedback ? [text(view.feedback)] : []), shows ? await picture(view, scale) : text(DONE)]);
    made = null;
    if (view.feedback) dropWaiting();
  }

  function meaningOf(name: string, input: Input, view: View): Meaning {
    const read = isBrowser ? readBrowserCall(name, input, view) : { name, input };
    return 'name' in read ? readAnthropic(read.name, read.input, cursor) : read;
  }

  async function next(view: View, scale: number): Promise<{ said: string; stop: unknown }> {
    const said = messages.length === 0 ? opening(view) : notes.join(' ');
    const plain = said || results.length === 0 ? [text(said || 'Go on.')] : [];
    // Who was not answered by a picture yet is shown one.
    const shown = results.length === 0 ? [await picture(view, scale)] : [];
    const content = [...results, ...plain, ...shown];
    const last = messages.at(-1);
    if (last?.role === 'user') last.content.push(...content);
    else messages.push({ role: 'user', content });
    results = [];
    notes = [];
    forgetPictures(messages);
    const body = {
      model,
      max_tokens: maxTokens,
      system: [{ ...text(INSTRUCTIONS), ...CACHED }],
      tools: toolsFor(view.viewport, scale),
      messages: messages.map((message, i) => (i === messages.length - 1 ? cachedToItsEnd(message) : message)),
      ...(thinking ? { thinking } : {}),
      ...(effort ? { output_config: { effort } } : {}),
    };
    const { content: given, stop_reason: stop } = (await postJson(endpoint, body, view.signal)) as {
      content?: Block[];
      stop_reason?: unknown;
    };
    const blocks = Array.isArray(given) ? given : [];
    if (blocks.length > 0) messages.push({ role: 'assistant', content: blocks });
    waiting = blocks.filter(({ type }) => type === 'tool_use');
    const texts = blocks.filter(({ type }) => type === 'text').map((block) => String(block.text));
    return { said: texts.join('\n'), stop };
  }

  return {
    spent: endpoint.spent,
    async propose(view): Promise<Proposal> {
      const scale = scaleOf(view.viewport, LIMITS);
      if (isBrowser) state = browserState(view.tabs ?? [], known);
      await report(view, scale);
      let reasoning = '';
      for (let idle = 0; idle < MAX_IDLE; ) {
        if (waiting.length === 0) {
          const { said, stop } = await next(view, scale);
          reasoning = said;
          idle++;
          if (stop === 'max_tokens' || stop === 'pause_turn') {
            dropWaiting();
            if (stop === 'max_tokens') notes.push(CUT_OFF);
            continue;
          }
          if (stop === 'refusal' || stop === 'model_context_window_exceeded') {
            dropWaiting();
            return ending(`FAILED: the model stopped (${stop}). ${said}`);
          }
          if (waiting.length === 0) return ending(reasoning);
        }
        const call = waiting.shift()!;
        const input = (call.input ?? {}) as Input;
        const ours = functions.find(({ name }) => name === call.name);
        const meaning = ours ? { action: ours.read(input, scale) } : meaningOf(String(call.name), input, view);
        if ('look' in meaning) answer(call, [await picture(view, scale, meaning.look)]);
        else if ('said' in meaning) answer(call, [text(meaning.said)]);
        else if ('refused' in meaning) {
          answer(call, [text(meaning.refused)], true);
          dropWaiting();
        } else {
          made = call;
          if ('x' in meaning.action && meaning.action.x !== undefined) cursor = { x: meaning.action.x, y: meaning.action.y! };
          return { action: ours ? meaning.action : unscaled(meaning.action, scale), reasoning };
        }
      }
      return ending(IDLE);
    },
  };
}

const DONE = 'Done.';
const text = (said: string): Block => ({ type: 'text', text: said });
const picture = async (view: View, scale: number, region?: readonly number[]): Promise<Block> => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: await pictureOf(view, scale, region) },
});

/** The service keeps all up to here, so that the next request need not be read anew. */
const cachedToItsEnd = ({ role, content }: Message): Message => ({
  role,
  content: content.map((block, i) => (i === content.length - 1 ? { ...block, ...CACHED } : block)),
});

/** Leaves the newest pictures, and says where the others were. */
function forgetPictures(messages: readonly Message[]): void {
  const lists = messages
    .toReversed()
    .flatMap(({ content }) => [content, ...content.map((block) => block.content)].filter((each) => Array.isArray(each)) as Block[][]);
  const all = lists.flatMap((blocks) => blocks.filter(({ type }) => type === 'image')).length;
  let left = all > MAX_PICTURES ? KEPT_PICTURES : all;
  for (const blocks of lists) {
    for (const [i, block] of blocks.entries()) if (block.type === 'image' && left-- <= 0) blocks[i] = text('(an earlier screenshot)');
  }
}

type Input = Readonly<Record<string, unknown>>;

/** What a call of Anthropic's computer tools means: an action, a look at the screen, or something that is not to be had here. */
type Meaning = { action: ScreenAction } | { look: readonly number[] } | { said: string } | { refused: string };

const point = (given: unknown): { x: number; y: number } | null =>
  Array.isArray(given) && typeof given[0] === 'number' && typeof given[1] === 'number' ? { x: given[0], y: given[1] } : null;

const textOf = (given: unknown): string => (typeof given === 'string' ? given : '');
const numberOf = (given: unknown, otherwise: number): number => (typeof given === 'number' && Number.isFinite(given) ? given : otherwise);
const DIRECTIONS = ['up', 'down', 'left', 'right'] as const;

/** Reads a call of the toolset's members, or of the single tool with its `action`. */
export function readAnthropic(name: string, input: Input, cursor: { x: number; y: number } = { x: 0, y: 0 }): Meaning {
  const kind = name === 'computer' ? textOf(input.action) : name;
  // Without a point the mouse stays where it is.
  const at = point(input.coordinate) ?? (input.coordinate === undefined || input.coordinate === null ? cursor : null);
  const held = typeof input.text === 'string' && input.text !== '' ? { keys: input.text } : {};
  switch (kind) {
    case 'screenshot':
      return { look: [] };
    case 'zoom':
      return Array.isArray(input.region) && input.region.length === 4
        ? { look: input.region.map(Number) }
        : { refused: 'zoom needs a region' };
    case 'cursor_position':
      return { said: `X=${cursor.x},Y=${cursor.y}` };
    case 'mouse_move':
      return at ? { action: { type: 'move', ...at } } : { refused: 'mouse_move needs a coordinate' };
    case 'left_click':
    case 'right_click':
    case 'middle_click': {
      if (!at) return { refused: `${kind} needs a coordinate of two numbers` };
      const button = kind === 'left_click' ? {} : { button: kind === 'right_click' ? ('right' as const) : ('middle' as const) };
      return { action: { type: 'click', ...at, ...button, ...held } };
    }
    case 'double_click':
    case 'triple_click':
      return at ? { action: { type: kind, ...at } } : { refused: `${kind} needs a coordinate of two numbers` };
    case 'left_click_drag': {
      const from = point(input.start_coordinate) ?? cursor;
      if (!at) return { refused: 'left_click_drag needs a coordinate of two numbers' };
      return { action: { type: 'drag', ...from, end_x: at.x, end_y: at.y } };
    }
    case 'type':
      return { action: { type: 'type_text', text: textOf(input.text) } };
    case 'key':
      return {
        action: {
          type: 'key_press',
          keys: textOf(input.text),
          ...(numberOf(input.repeat, 1) > 1 ? { repeat: numberOf(input.repeat, 1) } : {}),
        },
      };
    case 'hold_key':
      return { action: { type: 'key_press', keys: textOf(input.text), seconds: numberOf(input.duration, 1) } };
    case 'scroll': {
      const direction = DIRECTIONS.find((each) => each === input.scroll_direction) ?? 'down';
      return { action: { type: 'scroll', direction, amount: numberOf(input.scroll_amount, 3), ...at } };
    }
    case 'wait':
      return { action: { type: 'wait', seconds: numberOf(input.duration, 1) } };
    default:
      return { refused: `${kind || 'this'} is not available here; use clicks, keys, typing, scrolling, dragging and waiting` };
  }
}
