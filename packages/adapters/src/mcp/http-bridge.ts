import { pipeline } from 'node:stream/promises';
import { isObject, type JsonObject, objectOf } from '@unrut/engine/json';
import { eventsOf, readEvent } from '../http/server-sent-events.ts';
import type { McpConversation } from './conversation.ts';
import { Exchange } from './exchange.ts';
import { isMessageId, type MessageId, type RpcMessage, readRpcMessages } from './json-rpc.ts';
import { LineRelay } from './line-relay.ts';
import type { ProxyClient } from './stdio-proxy.ts';

/** A server that is reached over HTTP. */
export interface HttpServer {
  url: URL;
  /** Sent with every request. */
  headers: Readonly<Record<string, string>>;
  /** Writes a line to the client's log. */
  log(line: string): void;
}

/** A server's error that is ours to tell: the code that the protocol leaves to implementations. */
const SERVER_ERROR = -32000;
const RECONNECT = 1000;
const MAX_RECONNECTS = 5;

/**
 * Serves a client on a pipe from a server that speaks HTTP, of any era, until the client has gone.
 */
export async function httpBridge(
  server: HttpServer,
  conversation: McpConversation,
  client: ProxyClient,
): Promise<void> {
  const bridge = new HttpBridge(server, new Exchange(conversation), client);
  await pipeline(client.input, new LineRelay((line) => bridge.send(line)).resume()).catch(
    () => undefined,
  );
  await bridge.close();
}

class HttpBridge {
  readonly #server: HttpServer;
  readonly #exchange: Exchange;
  readonly #client: ProxyClient;
  readonly #closing = new AbortController();
  /** Requests under way, for the era in which to cancel is to hang up. */
  readonly #underWay = new Map<MessageId, AbortController>();
  readonly #sending = new Set<Promise<void>>();
  /** Schemas of tools that want arguments in headers. */
  readonly #schemas = new Map<string, unknown>();
  /**
   * The address for requests: the server's, or the path that the oldest transport sends on its
   * stream.
   */
  #postTo: URL;
  #isOldest = false;
  /** Headers that the older protocols require with every request, once known. */
  #session: Record<string, string> = {};

  constructor(server: HttpServer, exchange: Exchange, client: ProxyClient) {
    this.#server = server;
    this.#exchange = exchange;
    this.#client = client;
    this.#postTo = server.url;
  }

  /** Receives a line from the client. Nothing is forwarded on the pipe itself. */
  send(line: Buffer): null {
    const { forward, answers } = this.#exchange.fromClient(line);
    for (const answer of answers) this.#write(JSON.stringify(answer));
    if (forward) {
      const sending: Promise<void> = this.#post(forward).finally(() =>
        this.#sending.delete(sending),
      );
      this.#sending.add(sending);
    }
    return null;
  }

  /** The client has disconnected, so running requests are aborted. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#sending);
    if (!this.#session['mcp-session-id']) return;
    const headers = { ...this.#server.headers, ...this.#session };
    await fetch(this.#server.url, {
      method: 'DELETE',
      headers,
      signal: AbortSignal.timeout(RECONNECT),
    }).catch(() => undefined);
  }

  async #post(body: Buffer): Promise<void> {
    const messages = readRpcMessages(body.toString());
    const ids = messages.flatMap(({ id, method }) =>
      method !== undefined && isMessageId(id) ? [id] : [],
    );
    if (this.#hangUp(messages[0])) return;
    const hanging = new AbortController();
    for (const id of ids) this.#underWay.set(id, hanging);
    try {
      const signal = AbortSignal.any([this.#closing.signal, hanging.signal]);
      const request = {
        method: 'POST',
        headers: this.#headersFor(messages),
        body: new Uint8Array(body),
        signal,
      };
      let response = await fetch(this.#postTo, request);
      if (
        messages[0]?.method === 'initialize' &&
        [400, 404, 405].includes(response.status) &&
        (await this.#openOldest())
      ) {
        await response.body?.cancel();
        response = await fetch(this.#postTo, request);
      }
      const open = new Set(ids);
      await this.#take(response, open, signal);
      // The answers come on the stream.
      if (this.#isOldest && response.ok) return;
      if (!response.ok && open.size === 0 && ids.length === 0)
        this.#server.log(`The server answered a notification with HTTP ${response.status}.`);
      for (const id of open)
        this.#fail(
          id,
          response.ok
            ? 'ended its answer early'
            : `answered with HTTP ${response.status} ${response.statusText}`.trim(),
        );
      if (messages[0]?.method === 'notifications/initialized' && response.ok) void this.#listen();
    } catch (error) {
      if (this.#closing.signal.aborted || hanging.signal.aborted) return;
      for (const id of ids) this.#fail(id, `could not be reached: ${reasonOf(error)}`);
      if (ids.length === 0)
        this.#server.log(`The server could not be reached: ${reasonOf(error)}.`);
    } finally {
      for (const id of ids) this.#underWay.delete(id);
    }
  }

  #askForStream(
    signal: AbortSignal,
    more: Record<string, string> = {},
  ): Promise<Response | undefined> {
    const headers = {
      ...this.#server.headers,
      ...this.#session,
      accept: 'text/event-stream',
      ...more,
    };
    return fetch(this.#server.url, { headers, signal }).catch(() => undefined);
  }

  /**
   * Opens the stream of the oldest transport, HTTP with server-sent events. Whether the server
   * speaks it.
   */
  async #openOldest(): Promise<boolean> {
    if (this.#isOldest) return false;
    const { signal } = this.#closing;
    const response = await this.#askForStream(signal);
    if (
      !response?.ok ||
      !response.body ||
      !response.headers.get('content-type')?.includes('text/event-stream')
    ) {
      await response?.body?.cancel();
      return false;
    }
    const events = eventsOf(response.body);
    const first = await events.next();
    const { name, data } = first.done ? { name: '', data: '' } : readEvent(first.value);
    if (name !== 'endpoint') return false;
    this.#postTo = new URL(data, this.#server.url);
    this.#isOldest = true;
    void this.#followOldest(events);
    return true;
  }

  async #followOldest(events: AsyncIterable<Buffer>): Promise<void> {
    try {
      for await (const event of events) {
        const { data } = readEvent(event);
        if (data !== '') this.#pass(Buffer.from(data), new Set());
      }
    } catch {
      // The stream broke off: each later request reports its own error.
    }
    if (!this.#closing.signal.aborted)
      this.#server.log(`The stream of the server at ${this.#server.url.origin} has ended.`);
  }

  /** Since there are no sessions, a request is cancelled by hanging up. */
  #hangUp(message: RpcMessage | undefined): boolean {
    if (
      message?.method !== 'notifications/cancelled' ||
      this.#isOldest ||
      this.#session['mcp-protocol-version'] !== undefined
    )
      return false;
    const id = objectOf(message.params).requestId;
    if (isMessageId(id)) this.#underWay.get(id)?.abort();
    return true;
  }

  #headersFor(messages: readonly RpcMessage[]): Record<string, string> {
    const [message = {}] = messages;
    const tool = isObject(message.params) ? String(message.params.name) : '';
    return {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...this.#server.headers,
      ...this.#session,
      ...messageHeaders(message, this.#schemas.get(tool)),
    };
  }

  /**
   * Forwards a response, and removes the answered requests from `open`. Resumes a broken stream if
   * possible.
   */
  async #take(response: Response, open: Set<MessageId>, signal: AbortSignal): Promise<void> {
    const session = response.headers.get('mcp-session-id');
    if (session) this.#session = { ...this.#session, 'mcp-session-id': session };
    const type = response.headers.get('content-type') ?? '';
    if (type.includes('text/event-stream') && response.body)
      await this.#follow(response, open, signal);
    else if (type.includes('json')) this.#pass(Buffer.from(await response.arrayBuffer()), open);
    else await response.body?.cancel();
  }

  async #follow(first: Response, open: Set<MessageId>, signal: AbortSignal): Promise<void> {
    let last: string | undefined;
    let wait = RECONNECT;
    let response: Response | undefined = first;
    const isWanted = open.size === 0 ? () => true : () => open.size > 0;
    for (let tries = 0; tries < MAX_RECONNECTS && !signal.aborted; tries++) {
      try {
        if (response?.body && response.headers.get('content-type')?.includes('text/event-stream')) {
          for await (const event of eventsOf(response.body)) {
            const { data, id, retry } = readEvent(event);
            last = id ?? last;
            wait = retry ?? wait;
            tries = 0;
            if (data !== '') this.#pass(Buffer.from(data), open);
          }
        }
      } catch {
        // It broke off: below it is taken up again.
      }
      if (!isWanted() || last === undefined || !this.#session['mcp-session-id']) return;
      await new Promise((resolve) => setTimeout(resolve, wait).unref());
      response = await this.#askForStream(signal, { 'last-event-id': last });
      if (response && !response.ok) return;
    }
  }

  /** The older protocols have one stream for messages that the server initiates. */
  async #listen(): Promise<void> {
    const { signal } = this.#closing;
    const response = await this.#askForStream(signal);
    if (!response?.ok) return void response?.body?.cancel();
    await this.#follow(response, new Set(), signal);
  }

  #pass(received: Buffer, open: Set<MessageId>): void {
    if (received.length === 0) return;
    for (const message of readRpcMessages(received.toString())) {
      if (message.method === undefined && isMessageId(message.id)) open.delete(message.id);
      this.#learn(message);
    }
    this.#write(this.#exchange.fromServer(received).toString());
  }

  #learn({ result }: RpcMessage): void {
    if (!isObject(result)) return;
    const { protocolVersion, tools } = result;
    if (typeof protocolVersion === 'string' && result.serverInfo !== undefined)
      this.#session = { ...this.#session, 'mcp-protocol-version': protocolVersion };
    if (!Array.isArray(tools)) return;
    for (const tool of tools)
      if (isObject(tool) && JSON.stringify(tool).includes('x-mcp-header'))
        this.#schemas.set(String(tool.name), tool.inputSchema);
  }

  #fail(id: MessageId, what: string): void {
    const error = {
      code: SERVER_ERROR,
      message: `The server at ${this.#server.url.origin} ${what}.`,
    };
    this.#pass(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error })), new Set());
  }

  /** On a pipe a message is one line. */
  #write(message: string): void {
    this.#client.output.write(`${message.trim().replace(/[\r\n]+/g, ' ')}\n`);
  }
}

const reasonOf = (error: unknown): string => {
  const { cause, message } = error as { cause?: { code?: unknown }; message: string };
  return typeof cause?.code === 'string' ? cause.code : message;
};

const VERSION = 'io.modelcontextprotocol/protocolVersion';

/** Which parameter names what a request is about, for `Mcp-Name`. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/**
 * The headers that repeat what a message says, as the protocol without sessions wants them over
 * HTTP; none for the older ones.
 */
export function messageHeaders(
  { id, method, params }: RpcMessage,
  inputSchema: unknown,
): Record<string, string> {
  if (
    id === undefined ||
    typeof method !== 'string' ||
    !isObject(params) ||
    !isObject(params._meta)
  )
    return {};
  const version = params._meta[VERSION];
  if (typeof version !== 'string') return {};
  const named = params[NAMED_BY[method] ?? ''];
  return {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(typeof named === 'string' ? { 'mcp-name': encoded(named) } : {}),
    ...(method === 'tools/call' ? argumentHeaders(inputSchema, params.arguments) : {}),
  };
}

/**
 * Arguments that a tool wants repeated in a header: its schema says so, at any depth of properties.
 */
function argumentHeaders(schema: unknown, args: unknown): Record<string, string> {
  const properties = objectOf(objectOf(schema).properties);
  const given: JsonObject = objectOf(args);
  return Object.assign(
    {},
    ...Object.entries(properties).map(([name, property]) => {
      const value = given[name];
      const header = isObject(property) ? property['x-mcp-header'] : undefined;
      if (typeof header !== 'string') return argumentHeaders(property, value);
      const isPlain =
        typeof value === 'string' ||
        typeof value === 'boolean' ||
        (typeof value === 'number' && Number.isFinite(value));
      return isPlain ? { [`mcp-param-${header}`.toLowerCase()]: encoded(String(value)) } : {};
    }),
  );
}

/** Values that HTTP headers cannot contain are sent as marked Base64. */
const encoded = (value: string): string =>
  /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value)
    ? value
    : `=?base64?${Buffer.from(value).toString('base64')}?=`;
