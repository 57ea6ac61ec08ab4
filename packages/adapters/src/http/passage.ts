import { once } from 'node:events';
import {
  Agent,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** One request of a client, and its destination. */
export interface Passage {
  request: IncomingMessage;
  response: ServerResponse;
  upstream: URL;
  /** There: the path and the query, as they came. */
  path: string;
  /** Sent in place of the client's own. */
  headers?: Readonly<Record<string, string>>;
  /** Is aborted when the client is gone. */
  signal: AbortSignal;
}

/** Aborts when the client is gone. */
export function whenGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

/** Meant for the next one on the way only, or set again here. */
const HOPS =
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade expect host';
const NOT_PASSED = new Set(HOPS.split(' '));
const AGENTS = {
  'http:': new Agent({ keepAlive: true }),
  'https:': new HttpsAgent({ keepAlive: true }),
};

/** Names and values as they came, without some. */
function headersOf({ rawHeaders }: IncomingMessage, without: readonly string[] = []): string[] {
  const kept: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    if (!NOT_PASSED.has(name) && !name.startsWith('x-unrut') && !without.includes(name))
      kept.push(rawHeaders[i]!, rawHeaders[i + 1]!);
  }
  return kept;
}

/**
 * Sends a client's request on, with this body and without some of its headers. Returns the answer's
 * beginning.
 */
export async function ask(
  passage: Passage,
  body: Buffer | Readable,
  without: readonly string[] = [],
): Promise<IncomingMessage> {
  const { request, upstream, path, headers: own = {}, signal } = passage;
  const isWhole = Buffer.isBuffer(body);
  const gone = [
    ...without,
    ...Object.keys(own).map((name) => name.toLowerCase()),
    ...(isWhole ? ['content-length'] : []),
  ];
  const headers = [
    'Host',
    upstream.host,
    ...headersOf(request, gone),
    ...Object.entries(own).flat(),
  ];
  if (isWhole && (body.length > 0 || request.method === 'POST'))
    headers.push('Content-Length', String(body.length));
  const [send, agent] =
    upstream.protocol === 'https:'
      ? [httpsRequest, AGENTS['https:']]
      : [httpRequest, AGENTS['http:']];
  for (let again = 0; ; again++) {
    const asked = send(upstream, { path, method: request.method, headers, agent, signal });
    try {
      const answer = once(asked, 'response') as Promise<[IncomingMessage]>;
      if (isWhole) asked.end(body);
      else pipeline(body, asked).catch((error: Error) => asked.destroy(error));
      const [answered] = await answer;
      asked.on('error', () => undefined);
      return answered;
    } catch (error) {
      // A connection that was kept may have been closed by the other end just now.
      if (
        !isWhole ||
        !asked.reusedSocket ||
        again > 0 ||
        (error as NodeJS.ErrnoException).code !== 'ECONNRESET'
      )
        throw error;
    }
  }
}

/** The beginning of an answer, as it came; what describes a body that was changed is left out. */
export function writeHead(
  { response }: Passage,
  answered: IncomingMessage,
  isChanged = false,
): void {
  const without = isChanged
    ? ['content-length', 'content-encoding', 'content-md5', 'digest', 'etag']
    : [];
  response.writeHead(
    answered.statusCode ?? 502,
    answered.statusMessage,
    headersOf(answered, without),
  );
}

/** Returns an answer to the client as it comes. */
export async function passOn(passage: Passage, answered: IncomingMessage): Promise<void> {
  writeHead(passage, answered);
  passage.response.flushHeaders();
  await pipeline(answered, passage.response);
}

/** Writes, and waits while the client takes no more. */
export async function write({ response, signal }: Passage, bytes: Buffer | string): Promise<void> {
  if (response.write(bytes) || signal.aborted) return;
  await Promise.race([once(response, 'drain'), once(response, 'close')]).catch(() => undefined);
}
