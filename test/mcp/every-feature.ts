import type { McpClient } from './client.ts';

/** Capabilities that server-everything can use. */
export const CAPABILITIES = {
  sampling: {},
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
};

interface Request {
  method: string;
}

const ANSWERS: Readonly<Record<string, object>> = {
  'roots/list': { roots: [{ uri: 'file:///home/dev/project', name: 'project' }] },
  'sampling/createMessage': {
    model: 'scripted',
    role: 'assistant',
    content: { type: 'text', text: 'A sampled “answer”\u2028with odd characters \u0000.' },
  },
  'elicitation/create': { action: 'accept', content: { name: 'Ada', check: true } },
};

/** Returns the client answers to the server's own requests. */
export function answerServer(client: McpClient): void {
  const handlers = client as unknown as {
    fallbackRequestHandler: (request: Request) => Promise<object>;
  };
  handlers.fallbackRequestHandler = async ({ method }) => ANSWERS[method] ?? {};
}

interface Notification {
  readonly method?: string;
  readonly params?: object;
}

type AnyClient = Record<string, (...args: unknown[]) => Promise<unknown>>;

/**
 * Uses every feature of server-everything once, including errors. Returns the result or error of
 * each step.
 */
export async function useEveryFeature(connected: McpClient): Promise<unknown[]> {
  const client = connected as unknown as AnyClient;
  const tool = (name: string, args: object = {}, ...options: unknown[]) =>
    client.callTool!({ name, arguments: args }, ...options);
  const progress = progressHeard(connected);
  const steps: (() => Promise<unknown>)[] = [
    () => client.ping!(),
    () => client.listTools!(),
    () => client.listResources!(),
    () => client.listResourceTemplates!(),
    () => client.readResource!({ uri: 'demo://resource/dynamic/text/7' }),
    () => client.readResource!({ uri: 'demo://resource/dynamic/blob/8' }),
    () => client.subscribeResource!({ uri: 'demo://resource/dynamic/text/7' }),
    () => client.unsubscribeResource!({ uri: 'demo://resource/dynamic/text/7' }),
    () => client.listPrompts!(),
    () => client.getPrompt!({ name: 'args-prompt', arguments: { city: 'Bern', state: 'BE' } }),
    () =>
      client.complete!({
        ref: { type: 'ref/prompt', name: 'completable-prompt' },
        argument: { name: 'department', value: 'E' },
      }),
    () => client.setLoggingLevel!('debug'),
    () => tool('echo', { message: 'line one\nline two\ttab “quotes” \u{1f600} 1e400' }),
    () => tool('get-sum', { a: 0.1, b: 1e21 }),
    () => tool('get-sum', { a: 'no number', b: 1 }),
    () => tool('no-such-tool'),
    () => tool('get-env'),
    () => tool('get-tiny-image'),
    () => tool('get-annotated-message', { messageType: 'error', includeImage: true }),
    () => tool('get-resource-links', { count: 4 }),
    () => tool('get-resource-reference', { resourceType: 'Text', resourceId: 3 }),
    () => tool('get-structured-content', { location: 'New York' }),
    () =>
      tool('gzip-file-as-resource', {
        name: 'a.txt.gz',
        data: 'data:text/plain;base64,aGVsbG8=',
        outputType: 'resource',
      }),
    () => tool('get-roots-list'),
    () => tool('trigger-sampling-request', { prompt: 'Say something.', maxTokens: 20 }),
    () => tool('trigger-elicitation-request'),
    () => tool('toggle-simulated-logging'),
    () => tool('toggle-subscriber-updates'),
    () =>
      tool(
        'trigger-long-running-operation',
        { duration: 0.2, steps: 4 },
        ...lastOption(client, { onprogress: () => {} }),
      ),
    () =>
      tool(
        'trigger-long-running-operation',
        { duration: 30, steps: 3 },
        ...lastOption(client, { signal: AbortSignal.timeout(300) }),
      ),
    async () => progress,
  ];
  const brought: unknown[] = [];
  for (const step of steps)
    brought.push(await step().catch((error: Error) => `${error.name}: ${error.message}`));
  return brought;
}

/**
 * Progress notifications. The clients' own listeners miss the last one if the result arrives in the
 * same chunk.
 */
function progressHeard(client: McpClient): unknown[] {
  const heard: unknown[] = [];
  const { transport } = client as unknown as {
    transport: { onmessage: (message: Notification, ...rest: unknown[]) => void };
  };
  const deliver = transport.onmessage;
  transport.onmessage = (message, ...rest) => {
    if (message.method === 'notifications/progress')
      heard.push({ ...message.params, progressToken: undefined });
    deliver(message, ...rest);
  };
  return heard;
}

/** The first generation takes a schema before the options. */
const lastOption = (client: AnyClient, options: object): unknown[] =>
  'getNegotiatedProtocolVersion' in client ? [options] : [undefined, options];
