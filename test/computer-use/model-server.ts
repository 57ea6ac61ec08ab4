import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decode } from 'fast-png';

/** A model's turn: calls in its service's format or a final answer, and an unusual stop reason. */
export type Turn =
  | { calls: Record<string, unknown>[]; said?: string; stop?: string }
  | { answer: string; stop?: string };

export interface Asked {
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
  /** All text in the new part of this request. */
  told: string;
  /** Pictures in the whole request. */
  pictures: number;
}

type Block = Record<string, unknown>;
interface Message {
  role: string;
  content: Block[];
}

/** The rules of a service: why it would refuse a request, and its own form of an answer. */
interface Service {
  refuses(body: Record<string, unknown>): string | null;
  fresh(body: Record<string, unknown>): unknown;
  answer(turn: Turn, number: number): object;
}

/**
 * A model that follows a script and speaks the HTTP APIs of Anthropic, OpenAI and Google. A request
 * that those would refuse is refused.
 */
export async function startModelServer(
  script: (asked: Asked, turn: number) => Turn,
  busyFirst = 0,
): Promise<{ url: string; asked: Asked[]; close(): Promise<void> }> {
  const asked: Asked[] = [];
  let busy = busyFirst;
  const services = {
    anthropic: anthropicService(),
    openai: openAiService(),
    gemini: geminiService(),
  };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request.setEncoding('utf8')) text += piece;
    const reply = (status: number, body: object, headers = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    };
    if (busy-- > 0) return reply(429, { error: { message: 'slow down' } }, { 'retry-after': '0' });
    const body = JSON.parse(text) as Record<string, unknown>;
    const path = request.url ?? '';
    const service =
      services[
        path === '/v1/messages'
          ? 'anthropic'
          : path.includes('generateContent')
            ? 'gemini'
            : 'openai'
      ];
    const wrong = service.refuses(body);
    if (wrong) return reply(400, { error: { message: wrong } });
    const now: Asked = {
      path,
      headers: request.headers,
      body,
      told: textsIn(service.fresh(body)).join('\n'),
      pictures: text.split('iVBORw0KGgo').length - 1,
    };
    asked.push(now);
    reply(200, service.answer(script(now, asked.length - 1), asked.length));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const said = (turn: Turn): string =>
  'answer' in turn ? turn.answer : (turn.said ?? 'I look at the screen.');
const callsOf = (turn: Turn): Record<string, unknown>[] => ('calls' in turn ? turn.calls : []);

function anthropicService(): Service {
  const given: Block[][] = [];
  return {
    fresh: (body) => (body.messages as unknown[]).at(-1),
    refuses({ messages, system, tools }) {
      const all = messages as Message[];
      const isBrowser = JSON.stringify(tools).includes('"browser_toolset');
      if (
        isBrowser &&
        (tools as Block[]).some(({ name }) => name === 'navigate' || name === 'switch_tab')
      )
        return 'tool names must be unique';
      const marks = JSON.stringify([messages, system]).split('"cache_control"').length - 1;
      if (marks > 4) return `at most 4 blocks with cache_control, found ${marks}`;
      for (const [i, { role, content }] of all.entries()) {
        if (role !== (i % 2 === 0 ? 'user' : 'assistant'))
          return `messages.${i}: roles must alternate`;
        if (content.length === 0) return `messages.${i}: messages must have non-empty content`;
        if (content.some(({ type, text }) => type === 'text' && text === ''))
          return `messages.${i}: text content blocks must be non-empty`;
        if (role === 'assistant' && JSON.stringify(content) !== JSON.stringify(given[(i - 1) / 2]))
          return `messages.${i}: thinking blocks and calls must be sent back as they came`;
        const wrong = role === 'user' ? wrongResults(content, all[i - 1]?.content ?? []) : null;
        if (wrong) return `messages.${i}: ${wrong}`;
      }
      return all.at(-1)?.role === 'user' ? wrongImages(all) : 'the last message must be the user’s';
    },
    answer(turn, number) {
      const uses = callsOf(turn).map((call, i) => ({
        type: 'tool_use',
        id: `toolu_${number}_${i}`,
        ...call,
      }));
      const words = said(turn);
      const thinking = { type: 'thinking', thinking: 'Let me see.', signature: `signed-${number}` };
      const content: Block[] = [
        thinking,
        ...(words === '' ? [] : [{ type: 'text', text: words }]),
        ...uses,
      ];
      given.push(content);
      const usage = { input_tokens: 100, output_tokens: 20, cache_read_input_tokens: 1000 };
      return {
        type: 'message',
        role: 'assistant',
        content,
        usage,
        stop_reason: turn.stop ?? (uses.length > 0 ? 'tool_use' : 'end_turn'),
      };
    },
  };
}

/**
 * Every call is answered once, in the next message, before everything else, under its toolset; no
 * call after a blocked one is made.
 */
function wrongResults(content: readonly Block[], before: readonly Block[]): string | null {
  const calls = before.filter(({ type }) => type === 'tool_use');
  const results = content.filter(({ type }) => type === 'tool_result');
  for (const { tool_use_id: id, toolset_name, content: inside, is_error } of results) {
    const call = calls.find((each) => each.id === id);
    if (!call) return `unexpected tool_use_id ${String(id)}`;
    if (call.toolset_name !== toolset_name)
      return `result of ${String(id)} must have toolset_name ${String(call.toolset_name)}`;
    if (!Array.isArray(inside) || inside.length === 0) return `result of ${String(id)} is empty`;
    const wrong =
      toolset_name === 'browser'
        ? wrongState(inside as Block[], String(call.name), is_error === true)
        : null;
    if (wrong) return `result of ${String(id)}: ${wrong}`;
  }
  for (const { id } of calls)
    if (results.filter(({ tool_use_id }) => tool_use_id === id).length !== 1)
      return `tool_use ${String(id)} must have exactly one result`;
  if (content.slice(0, results.length).some(({ type }) => type !== 'tool_result'))
    return 'results must come first';
  const inOrder = calls.map(({ id }) => results.find(({ tool_use_id }) => tool_use_id === id)!);
  const refused = inOrder.findIndex(({ is_error }) => is_error === true);
  return refused >= 0 && inOrder.slice(refused).some(({ is_error }) => is_error !== true)
    ? 'a call after a refused one was made'
    : null;
}

/**
 * A successful call of the browser's toolset is answered with the state of its tabs; calls about
 * tabs with nothing else.
 */
function wrongState(inside: readonly Block[], name: string, failed: boolean): string | null {
  const states = inside.filter(({ type }) => type === 'browser_state');
  if (failed) return states.length > 0 ? 'an error must not contain browser_state' : null;
  if (states.length !== 1) return 'exactly one browser_state block is needed';
  const tabs = states[0]!.tabs as Block[];
  if (tabs.length > 0 && tabs.filter(({ active }) => active === true).length !== 1)
    return 'exactly one tab must be active';
  return name.endsWith('_tab') || name === 'list_tabs'
    ? inside.length === 1
      ? null
      : 'the state must be the whole result'
    : null;
}

function wrongImages(messages: readonly Message[]): string | null {
  for (const data of new Set(JSON.stringify(messages).match(/iVBORw0KGgo[A-Za-z0-9+/=]+/g) ?? [])) {
    const { width, height } = decode(Buffer.from(data, 'base64'));
    if (Math.max(width, height) > 1568 || width * height > 1_150_000)
      return `image of ${width} × ${height} is over the limits`;
  }
  return null;
}

function openAiService(): Service {
  let open: Block[] = [];
  let previous: string | undefined;
  return {
    fresh: (body) => body.input,
    refuses({ input, previous_response_id }) {
      const items = input as Block[];
      if (previous_response_id !== previous)
        return `expected previous_response_id ${String(previous)}`;
      if (items.length === 0) return 'input must not be empty';
      const outputs = items.filter(
        ({ type }) => type === 'computer_call_output' || type === 'function_call_output',
      );
      for (const { call_id, type } of outputs) {
        const call = open.find((each) => each.call_id === call_id);
        if (!call) return `no open call ${String(call_id)}`;
        if (type !== `${String(call.type)}_output`)
          return `${String(call_id)} is a ${String(call.type)}`;
      }
      for (const { call_id } of open)
        if (outputs.filter((each) => each.call_id === call_id).length !== 1)
          return `no tool output found for call ${String(call_id)}`;
      const empty = items.some(
        ({ role, content }) =>
          role !== undefined && (!Array.isArray(content) || content.length === 0),
      );
      return empty || textsIn(input).includes('') ? 'content must not be empty' : null;
    },
    answer(turn, number) {
      previous = `resp_${number}`;
      open = callsOf(turn).map((call, i) => ({
        type: 'computer_call',
        call_id: `call_${number}_${i}`,
        status: 'completed',
        pending_safety_checks: [],
        ...call,
      }));
      const words = { type: 'message', content: [{ type: 'output_text', text: said(turn) }] };
      return {
        id: previous,
        status: turn.stop ?? 'completed',
        output: [{ type: 'reasoning', summary: [] }, ...('answer' in turn ? [words] : []), ...open],
      };
    },
  };
}

function geminiService(): Service {
  const given: Block[][] = [];
  return {
    fresh: (body) => (body.contents as unknown[]).at(-1),
    refuses({ contents }) {
      const all = contents as { role: string; parts: Block[] }[];
      for (const [i, { role, parts }] of all.entries()) {
        if (role !== (i % 2 === 0 ? 'user' : 'model')) return 'roles must alternate';
        if (parts.length === 0 || parts.some((part) => Object.keys(part).length === 0))
          return 'parts must not be empty';
        if (role === 'model' && JSON.stringify(parts) !== JSON.stringify(given[(i - 1) / 2]))
          return 'thought signatures must be sent back as they came';
        const names = (list: Block[], kind: string): unknown[] =>
          list.flatMap((part) => (part[kind] ? [(part[kind] as Block).name] : []));
        if (role !== 'user') continue;
        const [asked, answered] = [
          names(all[i - 1]?.parts ?? [], 'functionCall'),
          names(parts, 'functionResponse'),
        ];
        if (asked.join() !== answered.join())
          return `expected a response to each of ${asked.join()}, got ${answered.join()}`;
      }
      return null;
    },
    answer(turn) {
      const calls = callsOf(turn).map((functionCall) => ({
        functionCall,
        thoughtSignature: 'signed',
      }));
      const parts = [{ text: said(turn) }, ...calls];
      given.push(parts);
      return {
        candidates: [{ content: { role: 'model', parts }, finishReason: turn.stop ?? 'STOP' }],
      };
    },
  };
}

function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { text } = value as Record<string, unknown>;
  const output = (value as Record<string, unknown>).output;
  return [
    ...[text, output].filter((each) => typeof each === 'string'),
    ...Object.values(value).flatMap(textsIn),
  ];
}
