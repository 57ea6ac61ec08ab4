import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { hostnameIn, isLoopback } from '@unrut/engine/text/loopback';
import { ask, type Passage, passOn, whenGone, writeHead } from '../http/passage.ts';
import { eventsOf, readEvent, withData } from '../http/server-sent-events.ts';
import type { McpConversation } from './conversation.ts';
import { Exchange } from './exchange.ts';
import type { HttpServer } from './http-bridge.ts';
import { type RpcMessage, readRpcMessages } from './json-rpc.ts';

export interface HttpProxyOptions extends HttpServer {
  host: string;
  /** 0: any that is free. */
  port: number;
  /** The conversation of a request. */
  conversationOf(headers: IncomingHttpHeaders, messages: readonly RpcMessage[]): McpConversation;
}

/** A proxy that is listening. */
export interface ListeningProxy {
  /** The address that clients should use instead of the server's. */
  url: URL;
  close(): Promise<void>;
}

/**
 * A stream of the oldest transport, HTTP with server-sent events: requests are posted to a path of
 * its own, and answered on the stream.
 */
interface EventStream {
  exchange: Exchange;
  response: ServerResponse;
}

/** The state shared by a proxy's requests. */
interface Proxying extends HttpProxyOptions {
  /** By the path that requests are posted to. */
  streams: Map<string, EventStream>;
}

/**
 * Stands in front of a server that speaks HTTP: every path goes to the same path there, and tool
 * calls are watched.
 */
export async function httpProxy(given: HttpProxyOptions): Promise<ListeningProxy> {
  const options: Proxying = { ...given, streams: new Map() };
  const server = createServer((request, response) => {
    pass(request, response, options).catch((error: NodeJS.ErrnoException) => {
      if (response.headersSent) response.destroy();
      else
        refuse(
          response,
          502,
          `The server at ${options.url.origin} could not be reached: ${error.code ?? error.message}.`,
        );
    });
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: new URL(options.url.pathname + options.url.search, `http://${host}:${port}`),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function pass(
  request: IncomingMessage,
  response: ServerResponse,
  options: Proxying,
): Promise<void> {
  if (!isFromHere(request, options.host))
    return refuse(response, 403, 'Only pages and programs of this machine may call here.');
  const { pathname, search } = new URL(request.url ?? '/', options.url);
  const { url: upstream, headers } = options;
  const passage: Passage = {
    request,
    response,
    upstream,
    path: pathname + search,
    headers,
    signal: whenGone(response),
  };
  const isMessage =
    request.method === 'POST' && (request.headers['content-type'] ?? '').includes('json');
  if (!isMessage) {
    const answered = await ask(passage, request, PACKED);
    return isUnpacked(answered, 'text/event-stream')
      ? relayStream(passage, answered, options)
      : passOn(passage, answered);
  }
  const body = Buffer.concat(await request.toArray());
  const stream = options.streams.get(request.url ?? '');
  if (stream) return post(passage, body, stream);
  const messages = readRpcMessages(body.toString());
  const exchange = new Exchange(options.conversationOf(request.headers, messages));
  const { forward, answers } = exchange.fromClient(body);
  if (forward) {
    const answered = await ask(passage, forward, PACKED);
    // A session that begins here is another conversation, with the same client.
    const session = answered.headers['mcp-session-id'];
    if (session !== undefined)
      new Exchange(options.conversationOf({ 'mcp-session-id': session }, [])).fromClient(body);
    return relay(passage, answered, exchange, answers);
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answers.length === 1 ? answers[0] : answers));
}

/** Requests uncompressed answers, since they must be read. */
const PACKED = ['accept-encoding'];

const isUnpacked = ({ headers }: IncomingMessage, type: string): boolean =>
  (headers['content-type'] ?? '').includes(type) && headers['content-encoding'] === undefined;

/**
 * Relays the server's response to the client; messages about tool calls pass through the exchange.
 */
async function relay(
  passage: Passage,
  answered: IncomingMessage,
  exchange: Exchange,
  answers: readonly RpcMessage[],
): Promise<void> {
  const { response } = passage;
  if (isUnpacked(answered, 'text/event-stream')) {
    beginStream(passage, answered);
    for (const answer of answers) response.write(withData(Buffer.alloc(0), JSON.stringify(answer)));
    await pipeline(
      answered,
      (source: AsyncIterable<Uint8Array>) => rewritten(source, exchange),
      response,
    );
  } else if (isUnpacked(answered, 'json')) {
    const given = Buffer.concat(await answered.toArray());
    const body = merged(exchange.fromServer(given), answers);
    response.setHeader('content-length', body.length);
    writeHead(passage, answered, body !== given);
    response.end(body);
  } else await passOn(passage, answered);
}

function beginStream(passage: Passage, answered: IncomingMessage): void {
  passage.response.setHeader('x-accel-buffering', 'no');
  writeHead(passage, answered, true);
  passage.response.flushHeaders();
}

/**
 * Hands a stream on that the client has asked for. If its first event names a path to post to,
 * calls are answered on it.
 */
async function relayStream(
  passage: Passage,
  answered: IncomingMessage,
  options: Proxying,
): Promise<void> {
  const { response } = passage;
  beginStream(passage, answered);
  let path: string | undefined;
  try {
    await pipeline(
      answered,
      async function* (source: AsyncIterable<Uint8Array>) {
        for await (const event of eventsOf(source)) {
          const { data, name } = readEvent(event);
          const exchange = path === undefined ? undefined : options.streams.get(path)?.exchange;
          if (name === 'endpoint') {
            const { pathname, search } = new URL(data, options.url);
            path = pathname + search;
            options.streams.set(path, {
              exchange: new Exchange(options.conversationOf({ 'mcp-session-id': path }, [])),
              response,
            });
            // A path, so that the client posts to us and not to the server.
            yield withData(event, path);
          } else if (exchange && data !== '') {
            yield changed(event, data, exchange);
          } else yield event;
        }
      },
      response,
    );
  } finally {
    if (path !== undefined) options.streams.delete(path);
  }
}

/** Forwards a request that is answered on a stream; blocked calls are answered there, too. */
async function post(
  passage: Passage,
  body: Buffer,
  { exchange, response }: EventStream,
): Promise<void> {
  const { forward, answers } = exchange.fromClient(body);
  for (const answer of answers)
    response.write(withData(Buffer.from('event: message'), JSON.stringify(answer)));
  if (forward) return passOn(passage, await ask(passage, forward, PACKED));
  passage.response.writeHead(202).end('Accepted');
}

async function* rewritten(
  source: AsyncIterable<Uint8Array>,
  exchange: Exchange,
): AsyncGenerator<Buffer> {
  for await (const event of eventsOf(source)) yield changed(event, readEvent(event).data, exchange);
}

/** An event with what the exchange makes of its data. */
function changed(event: Buffer, data: string, exchange: Exchange): Buffer {
  const given = Buffer.from(data);
  const written = exchange.fromServer(given);
  return written === given ? event : withData(event, written.toString().trimEnd());
}

/** Our answers, merged with the server's answers to the rest of a batch. */
function merged(body: Buffer, answers: readonly RpcMessage[]): Buffer {
  return answers.length === 0
    ? body
    : Buffer.from(JSON.stringify([...readRpcMessages(body.toString()), ...answers]));
}

/**
 * Pages of other sites must not reach a server on this machine, unless the user opens the proxy to
 * others.
 */
function isFromHere({ headers: { origin, host = '' } }: IncomingMessage, boundTo: string): boolean {
  if (!isLoopback(boundTo)) return true;
  return [host, ...(origin === undefined ? [] : [origin.replace(/^\w+:\/\//, '')])].every((each) =>
    isLoopback(hostnameIn(each)),
  );
}

function refuse(response: ServerResponse, status: number, why: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`[unrut] ${why}\n`);
}
