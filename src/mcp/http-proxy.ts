import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { McpConversation } from './conversation.ts';
import { Exchange } from './exchange.ts';
import type { HttpServer } from './http-bridge.ts';
import { type RpcMessage, readRpcMessages } from './json-rpc.ts';
import { eventsOf, readEvent, withData } from './server-sent-events.ts';

export interface HttpProxyOptions extends HttpServer {
  host: string;
  /** 0: any that is free. */
  port: number;
  /** Whose calls a request brings. */
  conversationOf(headers: IncomingHttpHeaders, messages: readonly RpcMessage[]): McpConversation;
}

/** A proxy that is listening. */
export interface ListeningProxy {
  /** What clients are to be given instead of the server's address. */
  url: URL;
  close(): Promise<void>;
}

/** Meant for the next one on the way only, or set anew here. */
const NOT_PASSED = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade host content-length accept-encoding'.split(
    ' ',
  ),
);

/** A stream of the oldest transport, HTTP with server-sent events: requests are posted to a path of its own, and answered on the stream. */
interface EventStream {
  exchange: Exchange;
  response: ServerResponse;
}

/** What is open between clients and the server. */
interface Proxying extends HttpProxyOptions {
  /** By the path that requests are posted to. */
  streams: Map<string, EventStream>;
}

/** Stands in front of a server that speaks HTTP: every path goes to the same path there, and tool calls are watched. */
export async function httpProxy(given: HttpProxyOptions): Promise<ListeningProxy> {
  const options: Proxying = { ...given, streams: new Map() };
  const server = createServer((request, response) => {
    pass(request, response, options).catch((error: NodeJS.ErrnoException) => {
      if (response.headersSent) response.destroy();
      else refuse(response, 502, `The server at ${options.url.origin} could not be reached: ${error.code ?? error.message}.`);
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

async function pass(request: IncomingMessage, response: ServerResponse, options: Proxying): Promise<void> {
  if (!isFromHere(request, options.host)) return refuse(response, 403, 'Only pages and programs of this machine may call here.');
  const isMessage = request.method === 'POST' && (request.headers['content-type'] ?? '').includes('json');
  if (!isMessage) {
    const answered = await ask(request, request, options);
    return isEventStream(answered) ? relayStream(answered, response, options) : relay(answered, response, null, []);
  }
  const body = Buffer.concat(await request.toArray());
  const stream = options.streams.get(request.url ?? '');
  if (stream) return post(request, response, body, stream, options);
  const messages = readRpcMessages(body.toString());
  const exchange = new Exchange(options.conversationOf(request.headers, messages));
  const { forward, answers } = exchange.fromClient(body);
  if (forward) {
    const answered = await ask(request, forward, options);
    // A session that begins here is another conversation, with the same client.
    const session = answered.headers['mcp-session-id'];
    if (session !== undefined) new Exchange(options.conversationOf({ 'mcp-session-id': session }, [])).fromClient(body);
    return relay(answered, response, exchange, answers);
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answers.length === 1 ? answers[0] : answers));
}

/** Hands a request on to the server. When the client hangs up, so do we. */
async function ask(request: IncomingMessage, body: Buffer | IncomingMessage, { url, headers }: HttpProxyOptions): Promise<IncomingMessage> {
  const wanted = new URL(request.url ?? '/', url);
  const target = Object.assign(new URL(url), { pathname: wanted.pathname, search: wanted.search });
  const passed = Object.fromEntries(Object.entries(request.headersDistinct).filter(([name]) => !NOT_PASSED.has(name)));
  const length = Buffer.isBuffer(body) ? { 'content-length': body.length } : {};
  const asked = (target.protocol === 'https:' ? httpsRequest : httpRequest)(target, {
    method: request.method,
    headers: { ...passed, ...headers, ...length },
  });
  request.socket.once('close', () => asked.destroy());
  if (Buffer.isBuffer(body)) asked.end(body);
  else pipeline(body, asked).catch(() => asked.destroy());
  const [answered] = (await once(asked, 'response')) as [IncomingMessage];
  return answered;
}

/** Hands the server's response on to the client; what it says of tool calls goes through the exchange. */
async function relay(
  answered: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange | null,
  answers: readonly RpcMessage[],
): Promise<void> {
  const headers = Object.fromEntries(Object.entries(answered.headersDistinct).filter(([name]) => !NOT_PASSED.has(name)));
  const type = answered.headers['content-type'] ?? '';
  const isReadable = exchange !== null && answered.headers['content-encoding'] === undefined;
  if (isReadable && type.includes('text/event-stream')) {
    response.writeHead(answered.statusCode!, { ...headers, 'x-accel-buffering': 'no' });
    for (const answer of answers) response.write(withData(Buffer.alloc(0), JSON.stringify(answer)));
    await pipeline(answered, (source: AsyncIterable<Uint8Array>) => rewritten(source, exchange), response);
  } else if (isReadable && type.includes('json')) {
    const body = merged(exchange.fromServer(Buffer.concat(await answered.toArray())), answers);
    response.writeHead(answered.statusCode!, { ...headers, 'content-length': String(body.length) });
    response.end(body);
  } else {
    const length = answered.headers['content-length'];
    response.writeHead(answered.statusCode!, { ...headers, ...(length === undefined ? {} : { 'content-length': length }) });
    response.flushHeaders();
    await pipeline(answered, response);
  }
}

const isEventStream = ({ headers }: IncomingMessage): boolean =>
  (headers['content-type'] ?? '').includes('text/event-stream') && headers['content-encoding'] === undefined;

/** Hands a stream on that the client has asked for. If its first event names a path to post to, calls are answered on it. */
async function relayStream(answered: IncomingMessage, response: ServerResponse, options: Proxying): Promise<void> {
  const headers = Object.fromEntries(Object.entries(answered.headersDistinct).filter(([name]) => !NOT_PASSED.has(name)));
  response.writeHead(answered.statusCode!, { ...headers, 'x-accel-buffering': 'no' });
  response.flushHeaders();
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
            options.streams.set(path, { exchange: new Exchange(options.conversationOf({ 'mcp-session-id': path }, [])), response });
            // A path, so that the client posts to us and not to the server.
            yield withData(event, path);
          } else if (exchange && data !== '') {
            const given = Buffer.from(data);
            const written = exchange.fromServer(given);
            yield written === given ? event : withData(event, written.toString().trimEnd());
          } else yield event;
        }
      },
      response,
    );
  } finally {
    if (path !== undefined) options.streams.delete(path);
  }
}

/** Hands a request on whose answer comes on a stream; what is refused is answered there too. */
async function post(
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
  stream: EventStream,
  options: Proxying,
): Promise<void> {
  const { forward, answers } = stream.exchange.fromClient(body);
  for (const answer of answers) stream.response.write(withData(Buffer.from('event: message'), JSON.stringify(answer)));
  if (forward) return relay(await ask(request, forward, options), response, null, []);
  response.writeHead(202).end('Accepted');
}

async function* rewritten(source: AsyncIterable<Uint8Array>, exchange: Exchange): AsyncGenerator<Buffer> {
  for await (const event of eventsOf(source)) {
    const data = Buffer.from(readEvent(event).data);
    const written = exchange.fromServer(data);
    yield written === data ? event : withData(event, written.toString().trimEnd());
  }
}

/** Answers of ours among those of the server to the rest of a batch. */
function merged(body: Buffer, answers: readonly RpcMessage[]): Buffer {
  return answers.length === 0 ? body : Buffer.from(JSON.stringify([...readRpcMessages(body.toString()), ...answers]));
}

const HERE = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/;

/** A page of another site must not reach a server on this machine; only who opens the proxy to others gives that up. */
function isFromHere({ headers: { origin, host = '' } }: IncomingMessage, boundTo: string): boolean {
  if (!HERE.test(boundTo.includes(':') ? `[${boundTo}]` : boundTo)) return true;
  return HERE.test(host) && (origin === undefined || HERE.test(origin.replace(/^\w+:\/\//, '')));
}

function refuse(response: ServerResponse, status: number, why: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`[unrut] ${why}\n`);
}
