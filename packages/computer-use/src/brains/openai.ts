import { UnrutError } from '@unrut/engine/errors';
import { objectOf, parsed } from '@unrut/engine/json';
import type { ScreenAction } from '../action.ts';
import type { Brain } from '../brain.ts';
import { createConversation, type Shown } from './conversation.ts';
import { endpointOf, type ModelChoice, postJson } from './post-json.ts';
import { FUNCTIONS, INSTRUCTIONS, type Input, numberOf, unscaled } from './prompt.ts';

/** `baseUrl` includes a version, such as `https://…/v1`. */
export interface OpenAiOptions extends ModelChoice {
  /** The version of the computer tool. Default: `computer`. */
  tool?: 'computer' | 'computer_use_preview';
  /** Passed to the service. Default: the model's own. */
  effort?: string;
  /**
   * Called if the service reports safety checks; return true to continue. Default: consent is
   * refused, and the run ends.
   */
  acknowledge?: (checks: readonly { code?: string; message?: string }[]) => Promise<boolean>;
}

type Item = { type?: string; [field: string]: unknown };
type Check = { id: string; code?: string; message?: string };
/** The service scales larger images down. */
const LIMITS = { side: 2048, area: 1_572_864 };

/** A brain that uses an OpenAI model through its computer tool. The service keeps the history. */
export function createOpenAiBrain(options: OpenAiOptions): Brain {
  const { model, tool = 'computer', acknowledge, effort } = options;
  if (tool !== 'computer' && tool !== 'computer_use_preview')
    throw new UnrutError(
      'bad-option',
      `[computer-use] tool takes computer, computer_use_preview; got ${String(tool)}.`,
    );
  const endpoint = endpointOf('openai', options, {
    usual: 'https://api.openai.com/v1',
    path: '/responses',
    headers: (key) => ({ authorization: `Bearer ${key}` }),
  });
  let previous: string | undefined;

  const functions = FUNCTIONS.map(({ name, description, parameters }) => ({
    type: 'function',
    name,
    description,
    parameters,
  }));
  function toolsFor({ view: { viewport }, scale }: Shown): object[] {
    const [display_width, display_height] = [
      Math.floor(viewport.width * scale),
      Math.floor(viewport.height * scale),
    ];
    return [
      {
        type: tool,
        ...(tool === 'computer' ? {} : { display_width, display_height, environment: 'browser' }),
      },
      ...functions,
    ];
  }
  const addressOf = async ({ picture }: Shown): Promise<string> =>
    `data:image/png;base64,${await picture()}`;

  return createConversation<Item, Item>({
    spent: endpoint.spent,
    limits: LIMITS,
    async ask(shown, results, words) {
      const isShown = results.some(({ type }) => type === 'computer_call_output');
      const content = [
        ...(words ? [{ type: 'input_text', text: words }] : []),
        ...(isShown
          ? []
          : [{ type: 'input_image', image_url: await addressOf(shown), detail: 'auto' }]),
      ];
      const body = {
        model,
        instructions: INSTRUCTIONS,
        tools: toolsFor(shown),
        input: [...results, ...(content.length > 0 ? [{ role: 'user', content }] : [])],
        truncation: 'auto',
        ...(effort ? { reasoning: { effort } } : {}),
        ...(previous ? { previous_response_id: previous } : {}),
      };
      const response = (await postJson(endpoint, body, shown.view.signal)) as {
        id?: string;
        output?: Item[];
        status?: string;
      };
      previous = response.id;
      const output = Array.isArray(response.output) ? response.output : [];
      const status = refusalIn(output) ? 'refused' : response.status;
      return {
        said: textIn(output),
        calls: output.filter(({ type }) => type === 'computer_call' || type === 'function_call'),
        stop:
          status === 'incomplete'
            ? 'cut-off'
            : status === 'refused' || status === 'failed'
              ? { reason: status }
              : undefined,
      };
    },
    read(call, { scale }) {
      const called = FUNCTIONS.find(
        ({ name }) => call.type === 'function_call' && name === call.name,
      );
      const given = (call.actions as Item[] | undefined) ?? [call.action as Item];
      const actions = called
        ? [called.read(objectOf(parsed(call.arguments)))]
        : given.map((action) => readOpenAi(action ?? {}));
      return { actions: actions.flatMap((action) => unscaled(action, scale) ?? []) };
    },
    /** A computer call is answered with the screen, a function call with text. */
    async result(call, { said, failed }, shown, say) {
      const isFunction = call.type === 'function_call';
      if (said && !(isFunction && failed)) say(said);
      if (isFunction)
        return { type: 'function_call_output', call_id: call.call_id, output: said ?? 'Done.' };
      const checks = checksOf(call);
      const agreed = checks.length > 0 ? { acknowledged_safety_checks: checks } : {};
      const output = { type: 'computer_screenshot', image_url: await addressOf(shown) };
      return { type: 'computer_call_output', call_id: call.call_id, output, ...agreed };
    },
    async objection(call) {
      const checks = checksOf(call);
      if (checks.length === 0 || (await acknowledge?.(checks))) return undefined;
      return `the service wants a person to look first: ${checks.map(({ code, message }) => message ?? code).join('; ')}`;
    },
  });
}

const checksOf = (call: Item): Check[] => (call.pending_safety_checks as Check[] | undefined) ?? [];
const refusalIn = (output: readonly Item[]): boolean =>
  output.some(
    ({ content }) =>
      Array.isArray(content) && content.some((part) => (part as Item).type === 'refusal'),
  );

/** The model's message and the summary of its reasoning. */
function textIn(output: readonly Item[]): string {
  const parts = output.flatMap(
    ({ type, content, summary }) =>
      (type === 'message' ? content : type === 'reasoning' ? summary : []) ?? [],
  );
  return (parts as { text?: string; refusal?: string }[])
    .map(({ text, refusal }) => text ?? refusal ?? '')
    .join('\n');
}

/** Pixels per notch of a mouse wheel. */
const NOTCH = 100;

/** The meaning of an action of OpenAI's computer tool; null for a mere look. */
export function readOpenAi(given: Input): ScreenAction | null {
  const at = { x: numberOf(given.x), y: numberOf(given.y) };
  switch (given.type) {
    case 'click': {
      const button =
        given.button === 'right' ? 'right' : given.button === 'wheel' ? 'middle' : undefined;
      const keys = [given.keys ?? []].flat().map(String);
      return {
        type: 'click',
        ...at,
        ...(button ? { button } : {}),
        ...(keys.length > 0 ? { keys: keys.join('+') } : {}),
      };
    }
    case 'double_click':
      return { type: 'double_click', ...at };
    case 'move':
      return { type: 'move', ...at };
    case 'drag': {
      const path = (Array.isArray(given.path) ? given.path : []) as { x?: unknown; y?: unknown }[];
      const [from, to] = [path[0], path.at(-1)];
      return from && to
        ? {
            type: 'drag',
            x: numberOf(from.x),
            y: numberOf(from.y),
            end_x: numberOf(to.x),
            end_y: numberOf(to.y),
          }
        : null;
    }
    case 'keypress':
      return { type: 'key_press', keys: [given.keys].flat().map(String).join('+') };
    case 'type':
      return { type: 'type_text', text: String(given.text ?? '') };
    case 'scroll': {
      const [sideways, down] = [numberOf(given.scroll_x), numberOf(given.scroll_y)];
      const direction =
        Math.abs(sideways) > Math.abs(down)
          ? sideways > 0
            ? 'right'
            : 'left'
          : down < 0
            ? 'up'
            : 'down';
      return {
        type: 'scroll',
        direction,
        amount: Math.max(1, Math.round(Math.max(Math.abs(sideways), Math.abs(down)) / NOTCH)),
        ...at,
      };
    }
    case 'wait':
      return { type: 'wait', seconds: 2 };
    default:
      return null;
  }
}
