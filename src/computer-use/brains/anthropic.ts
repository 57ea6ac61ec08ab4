import { UnrutError } from '../../errors.ts';
import type { Proposal, ScreenAction } from '../action.ts';
import type { Brain, View } from '../brain.ts';
import { apiKeyOf, type Endpoint, postJson } from './post-json.ts';
import { base64, ending, INSTRUCTIONS, opening } from './prompt.ts';

/** The forms of the computer tool, the newest first, and the beta that each needs. */
const TOOLS = {
  computer_toolset_20260801: undefined,
  computer_20251124: 'computer-use-2025-11-24',
  computer_20250124: 'computer-use-2025-01-24',
  computer_20241022: 'computer-use-2024-10-22',
} as const;

export interface AnthropicOptions {
  model: string;
  /** Which form of the computer tool. Default: `computer_toolset_20260801`. */
  tool?: keyof typeof TOOLS;
  /** Default: `ANTHROPIC_API_KEY`. */
  apiKey?: string;
  /** Default: `ANTHROPIC_BASE_URL`, else the public service. */
  baseUrl?: string;
  /** Further values of the header `anthropic-beta`. */
  betas?: readonly string[];
  /** Default: 4096. */
  maxTokens?: number;
}

type Block = { type: string; [field: string]: unknown };
interface Message {
  role: 'user' | 'assistant';
  content: Block[];
}

/** Members of the toolset that the runner cannot do. */
const UNAVAILABLE = ['zoom', 'mouse_move', 'left_mouse_down', 'left_mouse_up', 'cursor_position', 'hold_key', 'triple_click'];
/** Older pictures are left out of the history: they cost much and tell little. */
const MAX_PICTURES = 3;
/** Answers in a row without anything to do. */
const MAX_IDLE = 6;

/** A brain that asks a model of Anthropic by its computer tools. */
export function createAnthropicBrain(options: AnthropicOptions): Brain {
  const { model, tool = 'computer_toolset_20260801', betas = [], maxTokens = 4096 } = options;
  if (!Object.hasOwn(TOOLS, tool))
    throw new UnrutError('bad-option', `[computer-use] tool takes ${Object.keys(TOOLS).join(', ')}; got ${String(tool)}.`);
  const used = [...(TOOLS[tool] ? [TOOLS[tool]] : []), ...betas];
  const base = options.baseUrl ?? process.env.ANTHROPIC_BASE_URL ?? 'https://api.anthropic.com';
  const endpoint: Endpoint = {
    name: 'anthropic',
    url: `${base.replace(/\/$/, '')}/v1/messages`,
    headers: {
      'x-api-key': apiKeyOf(options.apiKey, 'ANTHROPIC_API_KEY'),
      'anthropic-version': '2023-06-01',
      ...(used.length > 0 ? { 'anthropic-beta': used.join(',') } : {}),
    },
  };
  const messages: Message[] = [];
  /** Calls of the last answer that have not been made, and the answers to those that have. */
  let waiting: Block[] = [];
  let results: Block[] = [];
  let made: string | null = null;

  const toolFor = ({ width, height }: View['viewport']): object =>
    tool === 'computer_toolset_20260801'
      ? { type: tool, configs: Object.fromEntries(UNAVAILABLE.map((name) => [name, { enabled: false }])) }
      : { type: tool, name: 'computer', display_width_px: width, display_height_px: height };

  const answer = (id: unknown, content: Block[], failed = false): void => {
    results.push({ type: 'tool_result', tool_use_id: id, content, ...(failed ? { is_error: true } : {}) });
  };

  /** Answers the call that was made with what came of it. What was to follow is void when something else was done. */
  function report(view: View): void {
    if (made === null) return;
    answer(made, [
      ...(view.feedback ? [text(view.feedback)] : []),
      ...(waiting.length === 0 || view.feedback ? [picture(view)] : [text('Done.')]),
    ]);
    made = null;
    if (!view.feedback) return;
    for (const { id } of waiting) answer(id, [text('Not done: what was done before it turned out differently.')], true);
    waiting = [];
  }

  async function next(view: View): Promise<string> {
    messages.push({ role: 'user', content: messages.length === 0 ? [text(opening(view)), picture(view)] : results });
    results = [];
    forgetPictures(messages);
    const body = { model, max_tokens: maxTokens, system: INSTRUCTIONS, tools: [toolFor(view.viewport)], messages };
    const { content } = (await postJson(endpoint, body, view.signal)) as { content?: Block[] };
    const blocks = Array.isArray(content) ? content : [];
    messages.push({ role: 'assistant', content: blocks });
    waiting = blocks.filter(({ type }) => type === 'tool_use');
    return blocks
      .filter(({ type }) => type === 'text')
      .map((block) => String(block.text))
      .join('\n');
  }

  return {
    async propose(view): Promise<Proposal> {
      report(view);
      let reasoning = '';
      for (let idle = 0; idle < MAX_IDLE; ) {
        if (waiting.length === 0) {
          reasoning = await next(view);
          idle++;
          if (waiting.length === 0) return ending(reasoning);
        }
        const call = waiting.shift()!;
        const meaning = readAnthropic(String(call.name), (call.input ?? {}) as Record<string, unknown>);
        if ('look' in meaning) answer(call.id, [picture(view)]);
        else if ('refused' in meaning) answer(call.id, [text(meaning.refused)], true);
        else {
          made = String(call.id);
          return { action: meaning.action, reasoning };
        }
      }
      return { action: { type: 'done', success: false, summary: 'The model only looked at the screen and did nothing.' } };
    },
  };
}

const text = (said: string): Block => ({ type: 'text', text: said });
const picture = ({ screenshot }: View): Block => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: base64(screenshot) },
});

/** Leaves the newest pictures, and says where the others were. */
function forgetPictures(messages: readonly Message[]): void {
  let left = MAX_PICTURES;
  for (const { content } of messages.toReversed()) {
    for (const blocks of [content, ...content.map((block) => block.content)].filter((each) => Array.isArray(each)) as Block[][]) {
      for (const [i, block] of blocks.entries()) if (block.type === 'image' && left-- <= 0) blocks[i] = text('(an earlier screenshot)');
    }
  }
}

type Input = Readonly<Record<string, unknown>>;

/** What a call of Anthropic's computer tools means: an action, a look at the screen, or something that is not to be had here. */
type Meaning = { action: ScreenAction } | { look: true } | { refused: string };

const point = (given: unknown): { x: number; y: number } | null =>
  Array.isArray(given) && typeof given[0] === 'number' && typeof given[1] === 'number' ? { x: given[0], y: given[1] } : null;

const textOf = (given: unknown): string => (typeof given === 'string' ? given : '');
const numberOf = (given: unknown, otherwise: number): number => (typeof given === 'number' && Number.isFinite(given) ? given : otherwise);
const DIRECTIONS = ['up', 'down', 'left', 'right'] as const;

/** Reads a call of the toolset's members, or of the single tool with its `action`. */
export function readAnthropic(name: string, input: Input): Meaning {
  const kind = name === 'computer' ? textOf(input.action) : name;
  const at = point(input.coordinate);
  switch (kind) {
    case 'screenshot':
      return { look: true };
    case 'left_click':
    case 'right_click':
    case 'middle_click': {
      if (!at) return { refused: `${kind} needs a coordinate` };
      const button = kind === 'left_click' ? {} : { button: kind === 'right_click' ? ('right' as const) : ('middle' as const) };
      return { action: { type: 'click', ...at, ...button } };
    }
    case 'double_click':
    case 'triple_click':
      return at ? { action: { type: 'double_click', ...at } } : { refused: `${kind} needs a coordinate` };
    case 'left_click_drag': {
      const from = point(input.start_coordinate);
      if (!from || !at) return { refused: 'left_click_drag needs start_coordinate and coordinate' };
      return { action: { type: 'drag', ...from, end_x: at.x, end_y: at.y } };
    }
    case 'type':
      return { action: { type: 'type_text', text: textOf(input.text) } };
    case 'key':
      return { action: { type: 'key_press', keys: textOf(input.text) } };
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
