import { UnrutError } from '../../errors.ts';
import type { Proposal, ScreenAction } from '../action.ts';
import type { Brain, View } from '../brain.ts';
import { apiKeyOf, type Endpoint, postJson, startSpent } from './post-json.ts';
import {
  CUT_OFF,
  ending,
  FUNCTIONS,
  functionNamed,
  IDLE,
  INSTRUCTIONS,
  MAX_IDLE,
  NOT_DONE,
  opening,
  pictureOf,
  scaleOf,
  unscaled,
} from './prompt.ts';

export interface OpenAiOptions {
  model: string;
  /** Which form of the computer tool. Default: `computer`. */
  tool?: 'computer' | 'computer_use_preview';
  /** How much it thinks, as the service takes it. Default: the model's own. */
  effort?: string;
  /** Default: `OPENAI_API_KEY`. */
  apiKey?: string;
  /** With its version, such as `https://…/v1`. Default: `OPENAI_BASE_URL`, else the public service. */
  baseUrl?: string;
  /** The service wants somebody to look at what it found: true to go on. Default: nobody agrees, and the run ends. */
  acknowledge?: (checks: readonly { code?: string; message?: string }[]) => Promise<boolean>;
}

type Item = { type?: string; [field: string]: unknown };
type Check = { id: string; code?: string; message?: string };
/** Larger pictures the service makes smaller. */
const LIMITS = { side: 2048, area: 1_572_864 };

/** A brain that asks a model of OpenAI by its computer tool. The service keeps the history. */
export function createOpenAiBrain(options: OpenAiOptions): Brain {
  const { model, tool = 'computer', acknowledge, effort } = options;
  if (tool !== 'computer' && tool !== 'computer_use_preview')
    throw new UnrutError('bad-option', `[computer-use] tool takes computer, computer_use_preview; got ${String(tool)}.`);
  const base = options.baseUrl ?? process.env.OPENAI_BASE_URL ?? 'https://api.openai.com/v1';
  const endpoint: Endpoint = {
    name: 'openai',
    spent: startSpent(),
    url: `${base.replace(/\/$/, '')}/responses`,
    headers: { authorization: `Bearer ${apiKeyOf(options.apiKey, 'OPENAI_API_KEY')}` },
  };
  let previous: string | undefined;
  /** Calls of the last answer that are not answered yet, the first of which is at work, and what is left of its actions. */
  let calls: Item[] = [];
  let waiting: ScreenAction[] = [];
  /** Answers to calls, and what the runner had to say since the last request. */
  let answers: Item[] = [];
  let notes: string[] = [];

  const functions = FUNCTIONS.map(({ name, description, parameters }) => ({ type: 'function', name, description, parameters }));
  function toolsFor({ width, height }: View['viewport'], scale: number): object[] {
    const size = { display_width: Math.floor(width * scale), display_height: Math.floor(height * scale), environment: 'browser' };
    return [tool === 'computer' ? { type: tool } : { type: tool, ...size }, ...functions];
  }

  /** Answers a call, once: one of the computer with the screen, one of a function with words. */
  function answer(call: Item, image_url: string, said: string): void {
    if (call.type === 'function_call') {
      answers.push({ type: 'function_call_output', call_id: call.call_id, output: said });
      return;
    }
    const checks = checksOf(call);
    const agreed = checks.length > 0 ? { acknowledged_safety_checks: checks } : {};
    answers.push({ type: 'computer_call_output', call_id: call.call_id, output: { type: 'computer_screenshot', image_url }, ...agreed });
    if (said === NOT_DONE) notes.push(NOT_DONE);
  }

  /** All calls that are still open, with what came of them: the first was made, the others were not. */
  function answerAll(image_url: string, said: string): void {
    for (const [i, call] of calls.entries()) answer(call, image_url, i === 0 ? said : NOT_DONE);
    calls = [];
    waiting = [];
  }

  async function next(view: View, scale: number, image_url: string): Promise<{ said: string; status: string }> {
    const said = previous === undefined ? opening(view) : notes.join(' ');
    const words = said || answers.length === 0 ? [{ type: 'input_text', text: said || 'Go on.' }] : [];
    const shown = answers.some(({ type }) => type === 'computer_call_output') ? [] : [{ type: 'input_image', image_url, detail: 'auto' }];
    const content = [...words, ...shown];
    const body = {
      model,
      instructions: INSTRUCTIONS,
      tools: toolsFor(view.viewport, scale),
      input: [...answers, ...(content.length > 0 ? [{ role: 'user', content }] : [])],
      truncation: 'auto',
      ...(effort ? { reasoning: { effort } } : {}),
      ...(previous ? { previous_response_id: previous } : {}),
    };
    answers = [];
    notes = [];
    const response = (await postJson(endpoint, body, view.signal)) as { id?: string; output?: Item[]; status?: string };
    previous = response.id;
    const output = Array.isArray(response.output) ? response.output : [];
    calls = output.filter(({ type }) => type === 'computer_call' || type === 'function_call');
    return { said: textIn(output), status: refusalIn(output) ? 'refused' : (response.status ?? 'completed') };
  }

  /** What the first open call asks for. */
  function actionsOf(call: Item, scale: number): ScreenAction[] {
    if (call.type === 'function_call')
      return [functionNamed(call.name)?.read(parsed(call.arguments), scale)].filter((each) => each !== undefined);
    const given = (call.actions as Item[] | undefined) ?? [call.action as Item];
    return given.flatMap((action) => unscaled(readOpenAi(action ?? {}), scale) ?? []);
  }

  return {
    spent: endpoint.spent,
    async propose(view): Promise<Proposal> {
      const scale = scaleOf(view.viewport, LIMITS);
      const image_url = `data:image/png;base64,${await pictureOf(view, scale)}`;
      if (view.feedback) {
        notes.push(view.feedback);
        // What was to follow was meant for another screen.
        answerAll(image_url, view.feedback);
      }
      let reasoning = '';
      for (let idle = 0; idle < MAX_IDLE; ) {
        const action = waiting.shift();
        if (action) return { action, reasoning };
        if (calls.length > 0) answer(calls.shift()!, image_url, 'Done.');
        if (calls.length === 0) {
          const { said, status } = await next(view, scale, image_url);
          reasoning = said;
          idle++;
          if (status === 'incomplete') {
            answerAll(image_url, NOT_DONE);
            notes.push(CUT_OFF);
            continue;
          }
          if (status === 'refused' || status === 'failed') return ending(`FAILED: the model stopped (${status}). ${said}`);
          if (calls.length === 0) return ending(said);
        }
        const checks = checksOf(calls[0]!);
        if (checks.length > 0 && !(await acknowledge?.(checks)))
          return ending(
            `FAILED: the service wants a person to look first: ${checks.map(({ code, message }) => message ?? code).join('; ')}`,
          );
        waiting = actionsOf(calls[0]!, scale);
      }
      return ending(IDLE);
    },
  };
}

const checksOf = (call: Item): Check[] => (call.pending_safety_checks as Check[] | undefined) ?? [];
const refusalIn = (output: readonly Item[]): boolean =>
  output.some(({ content }) => Array.isArray(content) && content.some((part) => (part as Item).type === 'refusal'));

function parsed(given: unknown): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(String(given)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** What the model says: its message, and the summary of its reasoning. */
function textIn(output: readonly Item[]): string {
  const parts = output.flatMap(({ type, content, summary }) => (type === 'message' ? content : type === 'reasoning' ? summary : []) ?? []);
  return (parts as { text?: string; refusal?: string }[]).map(({ text, refusal }) => text ?? refusal ?? '').join('\n');
}

type Given = Readonly<Record<string, unknown>>;

const numberOf = (given: unknown): number => (typeof given === 'number' && Number.isFinite(given) ? given : 0);
/** Pixels of one notch of a wheel. */
const NOTCH = 100;

/** What an action of OpenAI's computer tool means; null for a mere look. */
export function readOpenAi(given: Given): ScreenAction | null {
  const at = { x: numberOf(given.x), y: numberOf(given.y) };
  switch (given.type) {
    case 'click': {
      const button = given.button === 'right' ? 'right' : given.button === 'wheel' ? 'middle' : undefined;
      const keys = [given.keys ?? []].flat().map(String);
      return { type: 'click', ...at, ...(button ? { button } : {}), ...(keys.length > 0 ? { keys: keys.join('+') } : {}) };
    }
    case 'double_click':
      return { type: 'double_click', ...at };
    case 'move':
      return { type: 'move', ...at };
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
