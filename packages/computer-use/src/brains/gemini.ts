import { present } from '@unrut/engine/json';
import type { ScreenAction } from '../action.ts';
import type { Brain, View } from '../brain.ts';
import { createConversation } from './conversation.ts';
import { endpointOf, type ModelChoice, postJson } from './post-json.ts';
import { DIRECTIONS, INSTRUCTIONS, type Input, numberOf } from './prompt.ts';

export interface GeminiOptions extends ModelChoice {
  /**
   * Called if the service asks for consent to an action; return true to continue. Default: consent
   * is refused, and the run ends.
   */
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
  args: Input;
}

const KEPT_PICTURES = 3;

/** Finish reasons of complete answers. */
const USUAL_ENDS = ['', 'STOP', 'FINISH_REASON_UNSPECIFIED'];

/** A brain that uses a Google model through its computer tool. */
export function createGeminiBrain({ model, acknowledge, ...options }: GeminiOptions): Brain {
  const endpoint = endpointOf('gemini', options, {
    usual: 'https://generativelanguage.googleapis.com',
    path: `/v1beta/models/${encodeURIComponent(model)}:generateContent`,
    headers: (key) => ({ 'x-goog-api-key': key }),
  });
  const contents: Content[] = [];

  return createConversation<Call, Part>({
    spent: endpoint.spent,
    async ask({ view, picture }, results, words) {
      const shown = results.length === 0 ? [pictureIn(await picture())] : [];
      contents.push({
        role: 'user',
        parts: [...results, ...(words ? [{ text: words }] : []), ...shown],
      });
      forgetPictures(contents);
      const body = {
        systemInstruction: { parts: [{ text: INSTRUCTIONS }] },
        contents,
        tools: [{ computerUse: { environment: 'ENVIRONMENT_BROWSER' } }],
      };
      const { candidates } = (await postJson(endpoint, body, view.signal)) as {
        candidates?: { content?: Content; finishReason?: string }[];
      };
      const { content, finishReason: reason = '' } = candidates?.[0] ?? {};
      const parts = content?.parts ?? [];
      if (parts.length > 0) contents.push({ role: 'model', parts });
      const said = parts
        .filter(({ text, thought }) => typeof text === 'string' && !thought)
        .map(({ text }) => String(text));
      return {
        said: said.join('\n'),
        calls: parts.flatMap(({ functionCall }) =>
          functionCall
            ? [{ ...(functionCall as Call), args: (functionCall as Call).args ?? {} }]
            : [],
        ),
        stop:
          reason === 'MAX_TOKENS'
            ? 'cut-off'
            : USUAL_ENDS.includes(reason)
              ? undefined
              : { reason },
      };
    },
    read: (call, { view }) => ({ actions: readGemini(call, view.viewport) }),
    async result({ id, name, args }, { said, failed }, { view, picture }, say) {
      if (said && !failed) say(said);
      const agreed = args.safety_decision ? { safety_acknowledgement: 'true' } : {};
      const response = { url: view.url, ...(said ? { output: said } : {}), ...agreed };
      const parts = [pictureIn(await picture())];
      return { functionResponse: { ...present({ id }), name, response, parts } };
    },
    async objection({ name, args }) {
      const { decision, explanation } = (args.safety_decision ?? {}) as {
        decision?: string;
        explanation?: string;
      };
      if (decision !== 'require_confirmation' || (await acknowledge?.(explanation ?? '')))
        return undefined;
      return `the service wants a person to agree first: ${explanation ?? name}`;
    },
  });
}

const pictureIn = (data: string): Part => ({ inlineData: { mimeType: 'image/png', data } });

/** Keeps only the newest images. */
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

/** Points are in thousandths of the screen. */
const GRID = 1000;
const NOTCH = 100;

/** The actions of a call of Gemini's computer tool, in order; empty for a mere look. */
export function readGemini(
  { name, args }: Call,
  { width, height }: View['viewport'],
): ScreenAction[] {
  const at = {
    x: Math.round((numberOf(args.x) * width) / GRID),
    y: Math.round((numberOf(args.y) * height) / GRID),
  };
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
      return [
        {
          type: 'scroll',
          direction,
          amount: Math.max(1, Math.round((numberOf(args.magnitude, 800) * height) / GRID / NOTCH)),
          ...at,
        },
      ];
    case 'drag_and_drop':
      return [
        {
          type: 'drag',
          ...at,
          end_x: Math.round((numberOf(args.destination_x) * width) / GRID),
          end_y: Math.round((numberOf(args.destination_y) * height) / GRID),
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
