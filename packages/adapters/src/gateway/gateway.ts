import type { IncomingMessage, ServerResponse } from 'node:http';
import { hash64 } from '@unrut/engine/hash';
import { isObject, textOf } from '@unrut/engine/json';
import { createConversations } from '../frameworks/conversation.ts';
import type { Asked } from '../frameworks/known-conversations.ts';
import type { CheckedOptions } from '../frameworks/options.ts';
import { ask, type Passage, passOn, whenGone } from '../http/passage.ts';
import { anthropicApi } from './anthropic-api.ts';
import { chatCompletions } from './chat-completions.ts';
import type { GatewayDialect } from './gateway-dialect.ts';
import { geminiContent } from './gemini-content.ts';
import { ModelExchange } from './model-exchange.ts';
import { openaiResponses } from './openai-responses.ts';
import { bodyText, createBodyReader } from './read-body.ts';
import { createStoredResponses } from './stored-responses.ts';

export interface GatewayOptions extends Omit<CheckedOptions, 'session' | 'onStop'> {
  /** Providers' addresses, by the first path segment. */
  upstreams: ReadonlyMap<string, URL>;
  /** Called with settings that should be changed. */
  onWarning?(text: string): void;
}

/** Stands between programs and the APIs of models. */
export interface Gateway {
  /** Of its upstreams. */
  names: readonly string[];
  /** Whether the first part of a path names an upstream. */
  knows(path: string): boolean;
  /** Answers a request whose path is known, which may have been shortened since. Never rejects. */
  handle(request: IncomingMessage, response: ServerResponse, path?: string): Promise<void>;
}

const DIALECTS: readonly GatewayDialect[] = [
  chatCompletions,
  anthropicApi,
  openaiResponses,
  geminiContent,
];

/** The version of an API twice: in the upstream's address, and in what a program adds to it. */
const DOUBLED = /\/(v\d+(?:beta)?)\/\1\//;

const nameIn = (path: string): string => /^\/([^/?]+)/.exec(path)?.[1] ?? '';

const pathOnly = (path: string): string => path.split('?', 1)[0]!;

/** A gateway of these upstreams, under guard. */
export function createGateway({ upstreams, onWarning, ...options }: GatewayOptions): Gateway {
  // Short, as lists show the first letters of a session.
  const conversations = createConversations('gw', options);
  const stored = createStoredResponses();
  const readBody = createBodyReader();

  async function serve(passage: Passage): Promise<void> {
    const { request, path } = passage;
    const dialect =
      request.method === 'POST'
        ? DIALECTS.find(({ matches }) => matches(pathOnly(path)))
        : undefined;
    if (!dialect) return passOn(passage, await ask(passage, request));
    const { body: bytes, done } = await readBody(request);
    try {
      const exchange = Buffer.isBuffer(bytes) ? exchangeOf(passage, dialect, bytes) : undefined;
      if (!exchange || !(await exchange.perform()))
        await passOn(passage, await ask(passage, bytes));
    } finally {
      done();
    }
  }

  /** The exchange for an agent's turn; undefined for other requests. */
  function exchangeOf(
    passage: Passage,
    dialect: GatewayDialect,
    bytes: Buffer,
  ): ModelExchange | undefined {
    try {
      const text = bodyText(bytes, passage.request.headers['content-encoding']);
      const body: unknown = JSON.parse(text);
      if (!isObject(body) || (dialect.tools?.(body) ?? []).length === 0) return undefined;
      const asked = {
        ...scopeOf(dialect.scope?.(body)),
        ...namesIn(passage.request),
        model: textOf(body.model) || undefined,
      };
      const own = dialect === openaiResponses ? stored : undefined;
      return new ModelExchange({
        passage,
        conversations,
        dialect,
        bytes,
        text,
        body,
        asked,
        stored: own,
      });
    } catch {
      // It is no JSON, or packed in an unknown way.
      return undefined;
    }
  }

  return {
    names: [...upstreams.keys()],
    knows: (path) => upstreams.has(nameIn(path)),
    async handle(request, response, path = request.url ?? '/') {
      const signal = whenGone(response);
      const name = nameIn(path);
      const upstream = upstreams.get(name)!;
      const rest = `${upstream.pathname.replace(/\/$/, '')}${path.slice(name.length + 1)}`;
      if (DOUBLED.test(rest))
        onWarning?.(
          `${name}: the path of a request is ${pathOnly(rest)}, with its version twice. Leave the version out of --upstream ${name}=${upstream.origin}${upstream.pathname}.`,
        );
      try {
        await serve({
          request,
          response,
          upstream,
          path: rest.startsWith('/') ? rest : `/${rest}`,
          signal,
        });
      } catch (error) {
        fail(response, `${name} at ${upstream.origin}`, error, signal);
      }
    },
  };
}

/**
 * Words of the request that tell its conversation from others. Hashed, as they may name a person.
 */
const scopeOf = (scope = ''): Asked => (scope === '' ? {} : { scope: hash64(scope) });

const namesIn = ({ headers }: IncomingMessage): Asked => ({
  session: textOf(headers['x-unrut-session']) || undefined,
  agent: textOf(headers['x-unrut-agent']) || undefined,
});

/**
 * Breaks the connection, as the client would see without the gateway; if nothing was sent yet,
 * answers with the error.
 */
function fail(response: ServerResponse, upstream: string, error: unknown, gone: AbortSignal): void {
  if (gone.aborted || response.headersSent) return void response.destroy();
  const { code, message } = error as NodeJS.ErrnoException;
  const text = `Cannot reach ${upstream}: ${code ?? message}. Unrut's gateway passed the request on; check the address and the network.`;
  response.writeHead(502, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({
      error: { type: 'upstream-unreachable', code: 'upstream-unreachable', message: text },
    }),
  );
}
