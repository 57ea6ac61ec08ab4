import { isObject, objectOf, textOf } from '@unrut/engine/json';
import { keepIn } from '@unrut/engine/recent';
import type { McpConversation, OpenCall } from './conversation.ts';
import { JsonPlace } from './json-place.ts';
import { isMessageId, type MessageId, type RpcMessage, readRpcMessages } from './json-rpc.ts';
import {
  type CallReturned,
  callOf,
  declaredIn,
  failedBy,
  isComplete,
  isContinued,
  isStateless,
  taskOf,
  toolResult,
} from './tool-call.ts';
import { countResult, noteError, noteResult, refusalNote } from './write-note.ts';

/** The result of processing a client's message. */
export interface FromClient {
  /** For the server: the original bytes, or the rest of a batch. Null: nothing. */
  forward: Buffer | null;
  /** For the client: answers to the calls that were refused. */
  answers: RpcMessage[];
}

/** A request whose answer concerns the guard. */
type Awaited =
  | { what: 'tools' }
  | { what: 'call'; open: OpenCall }
  | { what: 'task'; task: string };

/** A change to a received answer that adds a note. */
type Change = (message: JsonPlace) => void;

const MAX_AWAITED = 10_000;

/**
 * Messages of a client and their answers: all of them on a pipe, those of one request over HTTP.
 * Messages unrelated to tool calls are never parsed, and those without a note stay byte for byte.
 * Never throws: after an internal fault everything passes unchanged.
 */
export class Exchange {
  readonly #conversation: McpConversation;
  readonly #awaited = new Map<MessageId, Awaited>();
  #unread: Buffer[] = [];

  constructor(conversation: McpConversation) {
    this.#conversation = conversation;
  }

  /**
   * While the guard has had nothing to say, no call can be due for a refusal: then it is sent on
   * first, and read while the server works.
   */
  fromClient(line: Buffer): FromClient {
    if (!CONCERNS.some((word) => line.includes(word))) return { forward: line, answers: [] };
    if (this.#conversation.isCalm) {
      if (this.#unread.push(line) === 1) setImmediate(() => this.#readOn());
      return { forward: line, answers: [] };
    }
    this.#readOn();
    return this.#read(line);
  }

  fromServer(line: Buffer): Buffer {
    this.#readOn();
    if (this.#awaited.size === 0) return line;
    try {
      const changes = readRpcMessages(line.toString()).map((message) => this.#received(message));
      if (changes.every((change) => change === undefined)) return line;
      const exact = new JsonPlace(line);
      for (const [i, message] of exact.items().entries()) changes[i]?.(message);
      return exact.write();
    } catch (error) {
      this.#conversation.fault(error);
      return line;
    }
  }

  /** How many answers are still to come. */
  get waiting(): number {
    return this.#awaited.size;
  }

  /** Parses messages that were forwarded unparsed. */
  #readOn(): void {
    for (const line of this.#unread.splice(0)) this.#read(line);
  }

  #read(line: Buffer): FromClient {
    try {
      const answers: RpcMessage[] = [];
      const kept = readRpcMessages(line.toString()).filter((message) => {
        const answer = this.#sent(message);
        if (answer) answers.push(answer);
        return !answer;
      });
      if (answers.length === 0) return { forward: line, answers };
      return { forward: kept.length > 0 ? encode(kept) : null, answers };
    } catch (error) {
      this.#conversation.fault(error);
      return { forward: line, answers: [] };
    }
  }

  /**
   * Takes note of what the client sent. Returns an answer instead of the server's, when it is a
   * call to be refused.
   */
  #sent({ id, method, params }: RpcMessage): RpcMessage | undefined {
    if (method === 'notifications/cancelled' && isObject(params) && isMessageId(params.requestId)) {
      this.#awaited.delete(params.requestId);
    }
    if (!isMessageId(id)) return undefined;
    if (isObject(params) && isObject(params._meta))
      this.#meet(params._meta['io.modelcontextprotocol/clientInfo']);
    if (method === 'initialize') this.#meet(objectOf(params).clientInfo);
    else if (method === 'tools/list') this.#await(id, { what: 'tools' });
    else if (method === 'tasks/get' || method === 'tasks/result') {
      this.#await(id, { what: 'task', task: isObject(params) ? textOf(params.taskId) : '' });
    } else if (method === 'tools/call') return this.#called(id, params);
    return undefined;
  }

  #meet(client: unknown): void {
    if (isObject(client) && typeof client.name === 'string') this.#conversation.meet(client.name);
  }

  #called(id: MessageId, params: unknown): RpcMessage | undefined {
    const call = callOf(params, this.#conversation.nextCallId());
    if (!call) return undefined;
    const open = this.#conversation.open(call, declaredIn((params as RpcMessage)._meta));
    if (!isContinued(params)) {
      const verdict = this.#conversation.propose(open);
      const { plan } = verdict;
      if (plan?.rung === 'block') {
        const answer = refusalNote(id, verdict, plan, isStateless(params));
        this.#conversation.performed(plan);
        this.#conversation.finish(open, { result: plan.toModel, refusedBy: 'unrut' });
        return answer;
      }
    }
    this.#await(id, { what: 'call', open });
    return undefined;
  }

  #await(id: MessageId, awaited: Awaited): void {
    keepIn(this.#awaited, id, awaited, MAX_AWAITED);
  }

  /** Reads a message of the server. Returns the change to make, if any. */
  #received({ id, method, result, error }: RpcMessage): Change | undefined {
    // The server's own requests are numbered by itself.
    if (method !== undefined || !isMessageId(id)) return undefined;
    const awaited = this.#awaited.get(id);
    if (!awaited) return undefined;
    this.#awaited.delete(id);
    if (awaited.what === 'tools') {
      this.#conversation.learnTools(result);
      return this.#conversation.notes === 'strip-structured'
        ? withoutOutputSchemas(result)
        : undefined;
    }
    if (awaited.what === 'task') return this.#task(awaited.task, result);
    return this.#returned(awaited.open, result, error, (message) => message);
  }

  /** The answer to a task poll: the call ends only when this contains its result. */
  #task(task: string, answer: unknown): Change | undefined {
    const open = this.#conversation.taskCalled(task);
    if (!open || !isObject(answer)) return undefined;
    const inside = isObject(answer.result) || isObject(answer.error);
    const { result, error } = inside ? answer : { result: answer };
    if (!isComplete(result) && !isObject(error)) return undefined;
    this.#conversation.endTask(task);
    return this.#returned(open, result, error, (message) =>
      inside ? message.get('result') : message,
    );
  }

  #returned(
    open: OpenCall,
    result: unknown,
    error: unknown,
    find: (message: JsonPlace) => JsonPlace | undefined,
  ): Change | undefined {
    const task = taskOf(result);
    if (task !== undefined && !isComplete(result)) this.#conversation.keepTask(task, open);
    const returned: CallReturned | undefined = isComplete(result)
      ? toolResult(result)
      : isObject(error)
        ? failedBy(error)
        : undefined;
    if (!returned) return undefined;
    const verdict = this.#conversation.finish(open, returned);
    const { plan, figures } = verdict;
    if (!plan) return figures && ((message) => countResult(find(message)?.get('result'), figures));
    // A call that has run cannot be blocked any more.
    const isLate = plan.rung === 'block';
    this.#conversation.performed(plan, isLate);
    if (isLate) return undefined;
    return (message) => {
      const holder = find(message);
      if (isObject(result))
        noteResult(holder?.get('result'), result, verdict, plan, this.#conversation.notes);
      else if (isObject(error)) noteError(holder?.get('error'), error, plan);
    };
  }
}

/** Words without which a message of the client's does not concern the guard. */
const CONCERNS = ['tools', 'tasks', 'cancelled', 'clientInfo'];

/**
 * If structured content may be removed, tools must not declare an output schema: clients reject
 * results that violate it.
 */
function withoutOutputSchemas(result: unknown): Change | undefined {
  const promises =
    isObject(result) &&
    Array.isArray(result.tools) &&
    result.tools.some((tool) => isObject(tool) && 'outputSchema' in tool);
  if (!promises) return undefined;
  return (message) => {
    for (const tool of message.get('result')?.get('tools')?.items() ?? [])
      tool.delete('outputSchema');
  };
}

const encode = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);
