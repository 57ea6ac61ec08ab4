import { UnrutError } from '../../errors.ts';
import type { Proposal, ScreenAction } from '../action.ts';
import type { Brain, View } from '../brain.ts';
import { apiKeyOf, type Endpoint, postJson } from './post-json.ts';
import { base64, ending, INSTRUCTIONS, opening } from './prompt.ts';

export interface OpenAiOptions {
  model: string;
  /** Which form of the computer tool. Default: `computer`. */
  tool?: 'computer' | 'computer_use_preview';
  /** Default: `OPENAI_API_KEY`. */
  apiKey?: string;
  /** With its version, such as `https://…/v1`. Default: `OPENAI_BASE_URL`, else the public service. */
  baseUrl?: string;
  /** The service wants somebody to look at what it found: true to go on. Default: nobody agrees, and the run ends. */
  acknowledge?: (checks: readonly { code?: string; message?: string }[]) => Promise<boolean>;
}

type Item = { type?: string; [field: string]: unknown };
type Check = { id: string; code?: string; message?: string };
const MAX_IDLE = 6;

/** A brain that asks a model of OpenAI by its computer tool. The service keeps the history. */
export function createOpenAiBrain(options: OpenAiOptions): Brain {
  const { model, tool = 'computer', acknowledge } = options;
  if (tool !== 'computer' && tool !== 'computer_use_preview')
    throw new UnrutError('bad-option', `[computer-use] tool takes computer, computer_use_preview; got ${String(tool)}.`);
  const base = options.baseUrl ?? process.env.OPENAI_BASE_URL ?? 'https://api.openai.com/v1';
  const endpoint: Endpoint = {
    name: 'openai',
    url: `${base.replace(/\/$/, '')}/responses`,
    headers: { authorization: `Bearer ${apiKeyOf(options.apiKey, 'OPENAI_API_KEY')}` },
  };
  let previous: string | undefined;
  let call: { id: string; checks: Check[] } | null = null;
  let waiting: ScreenAction[] = [];
  /** What the runner had to say since the last request. */
  let notes: string[] = [];

  const toolFor = ({ width, height }: View['viewport']): object =>
    tool === 'computer' ? { type: tool } : { type: tool, display_width: width, display_height: height, environment: 'browser' };

  function inputFor(view: View): Item[] {
    const image_url = `data:image/png;base64,${base64(view.screenshot)}`;
    const said = notes.length > 0 ? [{ role: 'user', content: [{ type: 'input_text', text: notes.join(' ') }] }] : [];
    notes = [];
    if (!call) {
      const content = [
        { type: 'input_text', text: opening(view) },
        { type: 'input_image', image_url, detail: 'auto' },
      ];
      return [{ role: 'user', content }];
    }
    const agreed = call.checks.length > 0 ? { acknowledged_safety_checks: call.checks } : {};
    return [{ type: 'computer_call_output', call_id: call.id, output: { type: 'computer_screenshot', image_url }, ...agreed }, ...said];
  }

  async function next(view: View): Promise<{ said: string; end: boolean }> {
    const body = {
      model,
      instructions: INSTRUCTIONS,
      tools: [toolFor(view.viewport)],
      input: inputFor(view),
      truncation: 'auto',
      ...(previous ? { previous_response_id: previous } : {}),
    };
    const response = (await postJson(endpoint, body, view.signal)) as { id?: string; output?: Item[] };
    previous = response.id;
    const output = Array.isArray(response.output) ? response.output : [];
    const said = textIn(output);
    const asked = output.find(({ type }) => type === 'computer_call');
    if (!asked) return { said, end: true };
    call = { id: String(asked.call_id), checks: (asked.pending_safety_checks as Check[] | undefined) ?? [] };
    waiting = ((asked.actions as Item[] | undefined) ?? [asked.action as Item]).flatMap((action) => readOpenAi(action ?? {}) ?? []);
    return { said, end: false };
  }

  return {
    async propose(view): Promise<Proposal> {
      if (view.feedback) {
        // What was to follow was meant for another screen.
        waiting = [];
        notes.push(view.feedback);
      }
      let reasoning = '';
      for (let idle = 0; idle < MAX_IDLE; idle++) {
        const action = waiting.shift();
        if (action) return { action, reasoning };
        const { said, end } = await next(view);
        if (end) return ending(said);
        reasoning = said;
        if (call!.checks.length > 0 && !(await acknowledge?.(call!.checks)))
          return ending(
            `FAILED: the service wants a person to look first: ${call!.checks.map(({ code, message }) => message ?? code).join('; ')}`,
          );
      }
      return ending('FAILED: the model only looked at the screen and did nothing.');
    },
  };
}

/** What the model says: its message, and the summary of its reasoning. */
function textIn(output: readonly Item[]): string {
  const parts = output.flatMap(({ type, content, summary }) => (type === 'message' ? content : type === 'reasoning' ? summary : []) ?? []);
  return (parts as { text?: string }[]).map(({ text }) => text ?? '').join('\n');
}

type Given = Readonly<Record<string, unknown>>;

const numberOf = (given: unknown): number => (typeof given === 'number' && Number.isFinite(given) ? given : 0);
/** Pixels of one notch of a wheel. */
const NOTCH = 100;

/** What an action of OpenAI's computer tool means; null for a mere look or a mere move of the mouse. */
export function readOpenAi(given: Given): ScreenAction | null {
  const at = { x: numberOf(given.x), y: numberOf(given.y) };
  switch (given.type) {
    case 'click': {
      const button = given.button === 'right' ? 'right' : given.button === 'wheel' ? 'middle' : undefined;
      return { type: 'click', ...at, ...(button ? { button } : {}) };
    }
    case 'double_click':
      return { type: 'double_click', ...at };
    case 'drag': {
      const path = (Array.isArray(given.path) ? given.path : []) as { x?: unknown; y?: unknown }[];
      const [from, to] = [path[0], path.at(-1)];
      return from && to ? { type: 'drag', x: numberOf(from.x), y: numberOf(from.y), end_x: numberOf(to.x), end_y: numberOf(to.y) } : null;
    }
    case 'keypress':
      return { type: 'key_press', keys: [given.keys].flat().map(String).join('+') };
    case 'type':
      return { type: 'type_text', text: String(given.text ?? '') };
    case 'scroll': {
      const [sideways, down] = [numberOf(given.scroll_x), numberOf(given.scroll_y)];
      const direction = Math.abs(sideways) > Math.abs(down) ? (sideways > 0 ? 'right' : 'left') : down < 0 ? 'up' : 'down';
      return { type: 'scroll', direction, amount: Math.max(1, Math.round(Math.max(Math.abs(sideways), Math.abs(down)) / NOTCH)), ...at };
    }
    case 'wait':
      return { type: 'wait', seconds: 2 };
    default:
      return null;
  }
}
