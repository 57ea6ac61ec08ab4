import type { Proposal, ScreenAction } from '../action.ts';
import type { Brain, View } from '../brain.ts';
import { apiKeyOf, type Endpoint, postJson, startSpent } from './post-json.ts';
import { CUT_OFF, ending, IDLE, INSTRUCTIONS, MAX_IDLE, NOT_DONE, opening, pictureOf } from './prompt.ts';

export interface GeminiOptions {
  model: string;
  /** Default: `GEMINI_API_KEY`. */
  apiKey?: string;
  /** Default: `GEMINI_BASE_URL`, else the public service. */
  baseUrl?: string;
  /** The service wants somebody to agree to an action: true to go on. Default: nobody agrees, and the run ends. */
  acknowledge?: (explanation: string) => Promise<boolean>;
}

type Part = Record<string, unknown>;
interface Content {
  role: 'user' | 'model';
  parts: Part[];
}
interface Call {
  id?: string;
  name: string;
  args: Readonly<Record<string, unknown>>;
}

const KEPT_PICTURES = 3;

/** A brain that asks a model of Google by its computer tool. */
export function createGeminiBrain({ model, apiKey, baseUrl, acknowledge }: GeminiOptions): Brain {
  const base = baseUrl ?? process.env.GEMINI_BASE_URL ?? 'https://generativelanguage.googleapis.com';
  const endpoint: Endpoint = {
    name: 'gemini',
    spent: startSpent(),
    url: `${base.replace(/\/$/, '')}/v1beta/models/${encodeURIComponent(model)}:generateContent`,
    headers: { 'x-goog-api-key': apiKeyOf(apiKey, 'GEMINI_API_KEY') },
  };
  const contents: Content[] = [];
  let calls: Call[] = [];
  let waiting: ScreenAction[] = [];
  let answers: Part[] = [];
  let notes: string[] = [];

  const answer = ({ id, name, args }: Call, view: View, data: string, said: string): void => {
    const agreed = args.safety_decision ? { safety_acknowledgement: 'true' } : {};
    const response = { url: view.url, ...(said ? { output: said } : {}), ...agreed };
    const parts = [{ inlineData: { mimeType: 'image/png', data } }];
    answers.push({ functionResponse: { ...(id === undefined ? {} : { id }), name, response, parts } });
  };

  function answerAll(view: View, data: string, said: string): void {
    for (const [i, call] of calls.entries()) answer(call, view, data, i === 0 ? said : NOT_DONE);
    calls = [];
    waiting = [];
  }

  async function next(view: View, data: string): Promise<{ said: string; finish: string }> {
    const said = contents.length === 0 ? opening(view) : notes.join(' ');
    const shown =
      answers.length === 0 ? [{ text: said || 'Go on.' }, { inlineData: { mimeType: 'image/png', data } }] : said ? [{ text: said }] : [];
    contents.push({ role: 'user', parts: [...answers, ...shown] });
    answers = [];
    notes = [];
    forgetPictures(contents);
    const body = {
      systemInstruction: { parts: [{ text: INSTRUCTIONS }] },
      contents,
      tools: [{ computerUse: { environment: 'ENVIRONMENT_BROWSER' } }],
    };
    const { candidates } = (await postJson(endpoint, body, view.signal)) as {
      candidates?: { content?: Content; finishReason?: string }[];
    };
    const { content, finishReason = '' } = candidates?.[0] ?? {};
    const parts = content?.parts ?? [];
    if (parts.length > 0) contents.push({ role: 'model', parts });
    calls = parts.flatMap(({ functionCall }) =>
      functionCall ? [{ ...(functionCall as Call), args: (functionCall as Call).args ?? {} }] : [],
    );
    const words = parts.filter(({ text, thought }) => typeof text === 'string' && !thought).map(({ text }) => String(text));
    return { said: words.join('\n'), finish: finishReason };
  }

  return {
    spent: endpoint.spent,
    async propose(view): Promise<Proposal> {
      const data = await pictureOf(view, 1);
      if (view.feedback) {
        notes.push(view.feedback);
        answerAll(view, data, view.feedback);
      }
      let reasoning = '';
      for (let idle = 0; idle < MAX_IDLE; ) {
        const action = waiting.shift();
        if (action) return { action, reasoning };
        if (calls.length > 0) answer(calls.shift()!, view, data, '');
        if (calls.length === 0) {
          const { said, finish } = await next(view, data);
          reasoning = said;
          idle++;
          if (finish === 'MAX_TOKENS') {
            answerAll(view, data, NOT_DONE);
            notes.push(CUT_OFF);
            continue;
          }
          if (!['', 'STOP', 'FINISH_REASON_UNSPECIFIED'].includes(finish)) return ending(`FAILED: the model stopped (${finish}). ${said}`);
          if (calls.length === 0) return ending(said);
        }
        const { safety_decision: decision } = calls[0]!.args as { safety_decision?: { decision?: string; explanation?: string } };
        if (decision?.decision === 'require_confirmation' && !(await acknowledge?.(decision.explanation ?? '')))
          return ending(`FAILED: the service wants a person to agree first: ${decision.explanation ?? calls[0]!.name}`);
        waiting = readGemini(calls[0]!, view.viewport);
      }
      return ending(IDLE);
    },
  };
}

/** Leaves the newest pictures. */
function forgetPictures(contents: readonly Content[]): void {
  let left = KEPT_PICTURES;
  for (const { parts } of contents.toReversed()) {
    for (const part of parts.toReversed()) {
      const answer = part.functionResponse as { parts?: Part[] } | undefined;
      if (part.inlineData && left-- <= 0) {
        delete part.inlineData;
        part.text = '(an earlier screenshot)';
      } else if (answer?.parts && left-- <= 0) delete answer.parts;
    }
  }
}

const DIRECTIONS = ['up', 'down', 'left', 'right'] as const;
/** Points are thousandths of the screen. */
const GRID = 1000;
const NOTCH = 100;

/** What a call of Gemini's computer tool means, in the order in which it is done; nothing for a mere look. */
export function readGemini({ name, args }: Call, { width, height }: View['viewport']): ScreenAction[] {
  const number = (given: unknown, otherwise = 0): number => (typeof given === 'number' && Number.isFinite(given) ? given : otherwise);
  const at = { x: Math.round((number(args.x) * width) / GRID), y: Math.round((number(args.y) * height) / GRID) };
  const direction = DIRECTIONS.find((each) => each === args.direction) ?? 'down';
  switch (name) {
    case 'click_at':
      return [{ type: 'click', ...at }];
    case 'hover_at':
      return [{ type: 'move', ...at }];
    case 'type_text_at': {
      const typed: ScreenAction = {
        type: 'type_text',
        text: String(args.text ?? ''),
        ...at,
        ...(args.clear_before_typing === false ? {} : { replace: true }),
      };
      return args.press_enter === false ? [typed] : [typed, { type: 'key_press', keys: 'Return' }];
    }
    case 'key_combination':
      return [{ type: 'key_press', keys: String(args.keys ?? '') }];
    case 'scroll_document':
      return [{ type: 'scroll', direction, amount: 5 }];
    case 'scroll_at':
      return [{ type: 'scroll', direction, amount: Math.max(1, Math.round((number(args.magnitude, 800) * height) / GRID / NOTCH)), ...at }];
    case 'drag_and_drop':
      return [
        {
          type: 'drag',
          ...at,
          end_x: Math.round((number(args.destination_x) * width) / GRID),
          end_y: Math.round((number(args.destination_y) * height) / GRID),
        },
      ];
    case 'navigate':
      return [{ type: 'navigate', to: String(args.url ?? '') }];
    case 'go_back':
    case 'go_forward':
      return [{ type: 'navigate', to: name === 'go_back' ? 'back' : 'forward' }];
    case 'wait_5_seconds':
      return [{ type: 'wait', seconds: 5 }];
    default:
      return [];
  }
}
