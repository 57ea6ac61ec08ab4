import { UnrutError } from '@unrut/engine/errors';
import { objectOf, textOf } from '@unrut/engine/json';
import { actionPoint, type ScreenAction } from '../action.ts';
import type { Brain } from '../brain.ts';
import { browserState, NOT_OFFERED, readBrowserCall, STATE_ONLY } from './browser-toolset.ts';
import { createConversation, type ModelAnswer, type Shown } from './conversation.ts';
import { endpointOf, type ModelChoice, postJson } from './post-json.ts';
import { DIRECTIONS, FUNCTIONS, INSTRUCTIONS, type Input, numberOf, unscaled } from './prompt.ts';

/** The versions of the computer tool, newest first, with the beta that each needs. */
const TOOLS = {
  computer_toolset_20260801: undefined,
  browser_toolset_20260801: undefined,
  computer_20251124: 'computer-use-2025-11-24',
  computer_20250124: 'computer-use-2025-01-24',
  computer_20241022: 'computer-use-2024-10-22',
} as const;

export interface AnthropicOptions extends ModelChoice {
  /**
   * The version of the computer tool, or the browser toolset. Default: `computer_toolset_20260801`.
   */
  tool?: keyof typeof TOOLS;
  /** Additional values of the `anthropic-beta` header. */
  betas?: readonly string[];
  /** Default: 4096. */
  maxTokens?: number;
  /** Passed to the service, such as `{ type: 'adaptive' }`. Default: the model's own. */
  thinking?: object;
  /** Passed to the service, such as `low`. Default: the model's own. */
  effort?: string;
}

type Block = { type: string; [field: string]: unknown };
interface Message {
  role: 'user' | 'assistant';
  content: Block[];
}

/** Members of the toolset that the runner does not support. */
const UNAVAILABLE = ['left_mouse_down', 'left_mouse_up'];
/** The service scales larger images down, which would shift the points. */
const LIMITS = { side: 1568, area: 1_150_000 };
/**
 * Older images cost much and add little. They are dropped in batches, so that the service can cache
 * the rest.
 */
const MAX_PICTURES = 10;
const KEPT_PICTURES = 3;
const CACHED = { cache_control: { type: 'ephemeral' } } as const;

/** Stop reasons of incomplete answers. */
const STOPS: Readonly<Record<string, ModelAnswer<Block>['stop']>> = {
  max_tokens: 'cut-off',
  pause_turn: 'paused',
  refusal: { reason: 'refusal' },
  model_context_window_exceeded: { reason: 'model_context_window_exceeded' },
};

/** A brain that uses an Anthropic model through its computer tools. */
export function createAnthropicBrain(options: AnthropicOptions): Brain {
  const {
    model,
    tool = 'computer_toolset_20260801',
    betas = [],
    maxTokens = 4096,
    thinking,
    effort,
  } = options;
  const isBrowser = tool === 'browser_toolset_20260801';
  if (!Object.hasOwn(TOOLS, tool))
    throw new UnrutError(
      'bad-option',
      `[computer-use] tool takes ${Object.keys(TOOLS).join(', ')}; got ${String(tool)}.`,
    );
  const used = [...(TOOLS[tool] ? [TOOLS[tool]] : []), ...betas];
  const endpoint = endpointOf('anthropic', options, {
    usual: 'https://api.anthropic.com',
    path: '/v1/messages',
    headers: (key) => ({
      'x-api-key': key,
      'anthropic-version': '2023-06-01',
      ...(used.length > 0 ? { 'anthropic-beta': used.join(',') } : {}),
    }),
  });
  const messages: Message[] = [];
  let cursor = { x: 0, y: 0 };
  /** Browser toolset only: the tabs that the model knows. */
  const known = new Set<number>();
  const functions = isBrowser ? FUNCTIONS.filter(({ name }) => name === 'upload') : FUNCTIONS;

  function toolsFor({ view: { viewport }, scale }: Shown): object[] {
    const size = {
      display_width_px: Math.floor(viewport.width * scale),
      display_height_px: Math.floor(viewport.height * scale),
    };
    const computer =
      isBrowser || tool === 'computer_toolset_20260801'
        ? {
            type: tool,
            configs: Object.fromEntries(
              (isBrowser ? NOT_OFFERED : UNAVAILABLE).map((name) => [name, { enabled: false }]),
            ),
          }
        : {
            type: tool,
            name: 'computer',
            ...size,
            ...(tool === 'computer_20251124' ? { enable_zoom: true } : {}),
          };
    return [
      computer,
      ...functions.map(({ name, description, parameters }) => ({
        name,
        description,
        input_schema: parameters,
      })),
    ];
  }

  return createConversation<Block, Block>({
    spent: endpoint.spent,
    limits: LIMITS,
    async ask(shown, results, words) {
      if (messages.length === 0) for (const { id } of shown.view.tabs ?? []) known.add(id);
      // A request without a screenshot so far gets one.
      const content = [
        ...results,
        ...(words ? [text(words)] : []),
        ...(results.length === 0 ? [await picture(shown)] : []),
      ];
      const last = messages.at(-1);
      if (last?.role === 'user') last.content.push(...content);
      else messages.push({ role: 'user', content });
      forgetPictures(messages);
      const body = {
        model,
        max_tokens: maxTokens,
        system: [{ ...text(INSTRUCTIONS), ...CACHED }],
        tools: toolsFor(shown),
        messages: messages.map((message, i) =>
          i === messages.length - 1 ? cachedToItsEnd(message) : message,
        ),
        ...(thinking ? { thinking } : {}),
        ...(effort ? { output_config: { effort } } : {}),
      };
      const { content: given, stop_reason: reason } = (await postJson(
        endpoint,
        body,
        shown.view.signal,
      )) as {
        content?: Block[];
        stop_reason?: string;
      };
      const blocks = Array.isArray(given) ? given : [];
      if (blocks.length > 0) messages.push({ role: 'assistant', content: blocks });
      const texts = blocks.filter(({ type }) => type === 'text').map((block) => String(block.text));
      return {
        said: texts.join('\n'),
        calls: blocks.filter(({ type }) => type === 'tool_use'),
        stop: reason === undefined ? undefined : STOPS[reason],
      };
    },
    read(call, { view, scale }) {
      const [name, input] = [String(call.name), objectOf(call.input)];
      const ours = functions.find((each) => each.name === name);
      const read = ours
        ? { action: ours.read(input) }
        : isBrowser
          ? readBrowserCall(name, input, view)
          : { name, input };
      const meaning = 'name' in read ? readAnthropic(read.name, read.input, cursor) : read;
      if ('refused' in meaning) return { said: meaning.refused, failed: true };
      if (!('action' in meaning)) return meaning;
      cursor = actionPoint(meaning.action) ?? cursor;
      return { actions: [unscaled(meaning.action, scale)] };
    },
    async result({ id, name, toolset_name }, { said, look, failed }, shown, say) {
      const of = toolset_name === undefined ? {} : { toolset_name };
      const state =
        isBrowser && !failed && toolset_name !== undefined
          ? [browserState(shown.view.tabs ?? [], known)]
          : [];
      const isStateOnly = state.length > 0 && STATE_ONLY.has(name);
      // Text that does not fit into such a result follows it.
      if (isStateOnly && said) say(said);
      const told = [
        ...(said === undefined ? [] : [text(said)]),
        ...(look ? [await picture(shown, look)] : []),
      ];
      const content = isStateOnly ? [] : told.length > 0 ? told : [text(DONE)];
      return {
        type: 'tool_result',
        tool_use_id: id,
        ...of,
        content: [...content, ...state],
        ...(failed ? { is_error: true } : {}),
      };
    },
  });
}

const DONE = 'Done.';
const text = (said: string): Block => ({ type: 'text', text: said });
const picture = async (shown: Shown, region?: readonly number[]): Promise<Block> => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: await shown.picture(region) },
});

/** Marks the message as a cache point, so that the next request reuses everything before it. */
const cachedToItsEnd = ({ role, content }: Message): Message => ({
  role,
  content: content.map((block, i) => (i === content.length - 1 ? { ...block, ...CACHED } : block)),
});

/** Keeps the newest images and leaves a note in place of the others. */
function forgetPictures(messages: readonly Message[]): void {
  const lists = messages
    .toReversed()
    .flatMap(
      ({ content }) =>
        [content, ...content.map((block) => block.content)].filter((each) =>
          Array.isArray(each),
        ) as Block[][],
    );
  const all = lists.flatMap((blocks) => blocks.filter(({ type }) => type === 'image')).length;
  let left = all > MAX_PICTURES ? KEPT_PICTURES : all;
  for (const blocks of lists) {
    for (const [i, block] of blocks.entries())
      if (block.type === 'image' && left-- <= 0) blocks[i] = text('(an earlier screenshot)');
  }
}

/**
 * The meaning of a call of Anthropic's computer tools: an action, a look at the screen, or an
 * unsupported request.
 */
type Meaning =
  | { action: ScreenAction }
  | { look: readonly number[] }
  | { said: string }
  | { refused: string };

const point = (given: unknown): { x: number; y: number } | null =>
  Array.isArray(given) && typeof given[0] === 'number' && typeof given[1] === 'number'
    ? { x: given[0], y: given[1] }
    : null;

/** Reads a call of the toolset's members, or of the single tool with its `action`. */
export function readAnthropic(
  name: string,
  input: Input,
  cursor: { x: number; y: number } = { x: 0, y: 0 },
): Meaning {
  const kind = name === 'computer' ? textOf(input.action) : name;
  // Without a point, the mouse stays where it is.
  const at =
    point(input.coordinate) ??
    (input.coordinate === undefined || input.coordinate === null ? cursor : null);
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
      return at
        ? { action: { type: 'move', ...at } }
        : { refused: 'mouse_move needs a coordinate' };
    case 'left_click':
    case 'right_click':
    case 'middle_click': {
      if (!at) return { refused: `${kind} needs a coordinate of two numbers` };
      const button =
        kind === 'left_click'
          ? {}
          : { button: kind === 'right_click' ? ('right' as const) : ('middle' as const) };
      return { action: { type: 'click', ...at, ...button, ...held } };
    }
    case 'double_click':
    case 'triple_click':
      return at
        ? { action: { type: kind, ...at } }
        : { refused: `${kind} needs a coordinate of two numbers` };
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
      return {
        action: {
          type: 'key_press',
          keys: textOf(input.text),
          seconds: numberOf(input.duration, 1),
        },
      };
    case 'scroll': {
      const direction = DIRECTIONS.find((each) => each === input.scroll_direction) ?? 'down';
      return {
        action: { type: 'scroll', direction, amount: numberOf(input.scroll_amount, 3), ...at },
      };
    }
    case 'wait':
      return { action: { type: 'wait', seconds: numberOf(input.duration, 1) } };
    default:
      return {
        refused: `${kind || 'this'} is not available here; use clicks, keys, typing, scrolling, dragging and waiting`,
      };
  }
}
