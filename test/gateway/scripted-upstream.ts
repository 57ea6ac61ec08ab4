import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { ModelReads, ScriptedAnswer } from '../suites/test-framework.ts';
import { anthropicApi } from './apis/anthropic-api.ts';
import { chatApi } from './apis/chat-api.ts';
import { geminiApi } from './apis/gemini-api.ts';
import { BrokenRule, type Json, type ProviderApi } from './apis/provider-api.ts';
import { responsesApi } from './apis/responses-api.ts';

export interface UpstreamOptions {
  /** The model thinks before it calls, and the provider signs the thoughts. */
  thinks?: boolean;
  /** Comes between the pieces of a stream. */
  pause?: () => Promise<void>;
}

/** One request, as it came. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  rawHeaders: string[];
  body: string;
}

export interface Upstream {
  url: string;
  received: Received[];
  /** Rules of the provider that requests broke. */
  broken: string[];
}

/**
 * The APIs of all providers on loopback. Invalid requests are refused as by the provider; a script
 * determines the answers.
 */
export async function startUpstream(
  model: (reads: ModelReads) => ScriptedAnswer,
  { thinks = false, pause }: UpstreamOptions = {},
): Promise<Upstream> {
  const apis: ProviderApi[] = [chatApi(), anthropicApi(), responsesApi(), geminiApi()];
  const received: Received[] = [];
  const broken: string[] = [];
  let count = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => '');
    const { method = '', url = '', headers, rawHeaders } = request;
    received.push({ method, path: url, headers, rawHeaders, body });
    const api = apis.find((each) => method === 'POST' && each.asks(url));
    if (!api)
      return void response
        .writeHead(404, 'Nowhere', { 'X-Strange': 'yes', 'Content-Type': 'text/plain' })
        .end(`nothing at ${method} ${url}`);
    try {
      const given = JSON.parse(body) as Json;
      const reads = { ...api.read(given), request: body };
      const { error, ...answer } = model(reads);
      if (error !== undefined) throw Object.assign(new Error(error), { status: 500 });
      const reply = {
        ...answer,
        id: String(++count),
        thought: thinks && answer.calls ? `Thought ${count}.` : undefined,
      };
      const { whole, events } = api.write(given, reply);
      if (!api.isStreamed(given, url))
        return void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify(whole));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of events) {
        response.write(event);
        await pause?.();
      }
      response.end();
    } catch (error) {
      if (error instanceof BrokenRule) broken.push(error.message);
      const status = (error as { status?: number }).status ?? 400;
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(api.failure((error as Error).message, status)));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, broken };
}
