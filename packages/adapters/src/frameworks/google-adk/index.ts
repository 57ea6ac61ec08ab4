import { isObject, type JsonObject, listOf, objectOf, textOf } from '@unrut/engine/json';
import type { Plan } from '@unrut/engine/policy/plan';
import { keepIn } from '@unrut/engine/recent';
import { geminiContentParts } from '@unrut/reading/chat/gemini-content-parts';
import { type Conversations, createConversations, type Turn } from '../conversation.ts';
import type { Item } from '../dialect.ts';
import type { Asked } from '../known-conversations.ts';
import { answeredBy, itemsIn, withNotes } from '../messages/dialect.ts';
import type { FrameworkOptions } from '../options.ts';

export { type EventJudge, type FrameworkOptions, LoopError, type SessionName } from '../options.ts';

// biome-ignore lint/suspicious/noExplicitAny: the ADK's own types would have to be imported.
type Callback = (params: any) => Promise<any>;

/** The context of a callback. */
interface AdkContext {
  sessionId?: unknown;
  agentName?: unknown;
  invocationContext?: { agent?: { rootAgent?: { name?: unknown } } };
}

/** A sent request, and the calls of its response that must not run. */
interface AskedModel {
  turn: Turn;
  /** By tool and arguments: ids are given after the response was read. */
  refused: { call: string; text: string }[];
  /** The response that ends the run. */
  last(plan: Plan): JsonObject;
}

const MAX_ASKED = 200;
/** How the ADK writes what other agents have said. */
const CONTEXT = 'For context:';
const HANDOVER = 'transfer_to_agent';

const callKey = (tool: unknown, args: unknown): string => JSON.stringify([tool, args]);

/** A plugin of the Google ADK for `plugins` of a runner. */
export class UnrutPlugin {
  readonly name = 'unrut';
  readonly #conversations: Conversations;
  readonly #asked = new Map<string, AskedModel>();
  declare readonly onUserMessageCallback: Callback;
  declare readonly beforeRunCallback: Callback;
  declare readonly onEventCallback: Callback;
  declare readonly afterRunCallback: Callback;
  declare readonly beforeAgentCallback: Callback;
  declare readonly afterAgentCallback: Callback;
  declare readonly beforeNodeCallback: Callback;
  declare readonly afterNodeCallback: Callback;
  declare readonly beforeToolSelection: Callback;
  declare readonly beforeContextCompaction: Callback;
  declare readonly afterContextCompaction: Callback;
  declare readonly afterToolCallback: Callback;
  declare readonly onToolErrorCallback: Callback;
  readonly beforeModelCallback: Callback;
  readonly afterModelCallback: Callback;
  readonly onModelErrorCallback: Callback;
  readonly beforeToolCallback: Callback;

  constructor(options: FrameworkOptions = {}) {
    this.#conversations = createConversations('google-adk', options, { refusesEach: true });
    this.beforeModelCallback = (params) => this.#before(params);
    this.afterModelCallback = (params) => this.#after(params);
    this.onModelErrorCallback = async ({ callbackContext }) => this.#failed(callbackContext);
    this.beforeToolCallback = async ({ tool, toolArgs, toolContext }) =>
      this.#refusal(toolContext, callKey(tool?.name, toolArgs));
    // Callbacks that nothing is to be done at, also those of later versions.
    // biome-ignore lint/correctness/noConstructorReturn: the ADK calls every callback of a plugin.
    return new Proxy(this, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        return value === undefined &&
          typeof name === 'string' &&
          /Callback$|^(?:before|after)[A-Z]/.test(name)
          ? idle
          : value;
      },
    });
  }

  async #before({
    callbackContext,
    llmRequest,
  }: {
    callbackContext: AdkContext;
    llmRequest: JsonObject;
  }): Promise<JsonObject | undefined> {
    const conversations = this.#conversations;
    const contents = listOf(llmRequest.contents);
    const tools = isObject(llmRequest.toolsDict)
      ? Object.keys(llmRequest.toolsDict).filter((name) => name !== HANDOVER)
      : undefined;
    const asked = {
      ...runOf(callbackContext),
      tools,
      model: textOf(llmRequest.model) || undefined,
    };
    const turn = await conversations.before(contents.flatMap(itemsOf).filter(isOwn), asked);
    const key = keyOf(callbackContext);
    this.#asked.delete(key);
    if (!turn) return undefined;
    const last = (plan: Plan): JsonObject => {
      try {
        const { session } = turn.conversation;
        conversations.end(plan, { session, messages: contents }, hasSchema(llmRequest));
        return answerOf(plan);
      } catch {
        return errorOf(plan);
      }
    };
    if (turn.stop) return last(turn.stop);
    keepIn(this.#asked, key, { turn, refused: [], last }, MAX_ASKED);
    if (turn.notes.length > 0) llmRequest.contents = withNotes(contents, turn.notes);
    return undefined;
  }

  async #after({
    callbackContext,
    llmResponse,
  }: {
    callbackContext: AdkContext;
    llmResponse: JsonObject;
  }): Promise<JsonObject | undefined> {
    const asked = this.#asked.get(keyOf(callbackContext));
    if (!asked || llmResponse.partial === true) return undefined;
    const { refused, stop } = await this.#conversations.after(
      asked.turn,
      answeredBy(itemsOf(llmResponse.content, 0)),
    );
    if (stop) {
      const { content: _, ...rest } = llmResponse;
      return { ...rest, ...asked.last(stop) };
    }
    asked.refused = refused.map(({ call, text }) => ({
      call: callKey(call.tool, call.args),
      text,
    }));
    return undefined;
  }

  #failed(context: AdkContext): undefined {
    const asked = this.#asked.get(keyOf(context));
    if (asked) this.#conversations.failed(asked.turn);
  }

  #refusal(context: AdkContext, call: string): JsonObject | undefined {
    const refused = this.#asked.get(keyOf(context))?.refused ?? [];
    const at = refused.findIndex((each) => each.call === call);
    return at < 0 ? undefined : { error: refused.splice(at, 1)[0]!.text };
  }
}

const idle: Callback = async () => undefined;

/** Which run it is. An agent that is not the root is a nested one. */
function runOf({ sessionId, agentName, invocationContext }: AdkContext): Asked {
  const isRoot = agentName === invocationContext?.agent?.rootAgent?.name;
  return {
    session: textOf(sessionId) || undefined,
    agent: isRoot ? undefined : textOf(agentName) || undefined,
  };
}

const keyOf = ({ sessionId, agentName }: AdkContext): string =>
  JSON.stringify([sessionId, agentName]);

/** The items of a content. */
const itemsOf = (content: unknown, i: number): Item[] =>
  itemsIn(geminiContentParts(objectOf(content)), i);

const isOwn = (item: Item): boolean => item.kind !== 'user' || !item.text.startsWith(CONTEXT);

const metadataOf = ({ reason, toHuman }: Plan): JsonObject => ({
  unrut: { stopped: { reason, text: toHuman } },
});

const answerOf = (plan: Plan): JsonObject => ({
  content: { role: 'model', parts: [{ text: plan.toHuman }] },
  finishReason: 'STOP',
  turnComplete: true,
  customMetadata: metadataOf(plan),
});

/**
 * The ADK keeps nothing of an error that a plugin throws, so a stop is an error event of its own.
 */
const errorOf = (plan: Plan): JsonObject => ({
  errorCode: 'UNRUT_LOOP',
  errorMessage: plan.toHuman,
  turnComplete: true,
  customMetadata: metadataOf(plan),
});

/** With tools, the ADK asks for an answer that matches a schema by this tool. */
const SET_RESPONSE = 'set_model_response';

const hasSchema = ({ config, toolsDict }: JsonObject): boolean =>
  objectOf(config).responseSchema !== undefined || SET_RESPONSE in objectOf(toolsDict);
