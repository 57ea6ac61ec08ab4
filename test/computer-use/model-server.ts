import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a model does in a turn: calls in the words of its service, or a last answer. */
export type Turn = { calls: Record<string, unknown>[]; said?: string } | { answer: string };

export interface Asked {
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
  /** Everything that stands as text in what is new in this request. */
  told: string;
  /** Pictures in the whole request. */
  pictures: number;
}

/** A model that follows a script, and speaks the HTTP APIs of Anthropic and OpenAI. A request that those would refuse is refused. */
export async function startModelServer(
  script: (asked: Asked, turn: number) => Turn,
  busyFirst = 0,
): Promise<{ url: string; asked: Asked[]; close(): Promise<void> }> {
  const asked: Asked[] = [];
  let busy = busyFirst;
  let open: string[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request.setEncoding('utf8')) text += piece;
    const reply = (status: number, body: object, headers = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    };
    if (busy-- > 0) return reply(429, { error: { message: 'slow down' } }, { 'retry-after': '0' });
    const body = JSON.parse(text) as Record<string, unknown>;
    const anthropic = request.url === '/v1/messages';
    const fresh = anthropic ? (body.messages as unknown[]).at(-1) : body.input;
    const answered = idsIn(fresh);
    if (open.some((id) => !answered.includes(id))) return reply(400, { error: { message: `no result for ${open}` } });
    const now: Asked = {
      path: request.url ?? '',
      headers: request.headers,
      body,
      told: textsIn(fresh).join('\n'),
      pictures: text.split('iVBORw0KGgo').length - 1,
    };
    asked.push(now);
    const turn = script(now, asked.length - 1);
    const calls = 'calls' in turn ? turn.calls : [];
    if (anthropic) {
      const uses = calls.map((call, i) => ({ type: 'tool_use', id: `toolu_${asked.length}_${i}`, ...call }));
      open = uses.map(({ id }) => id);
      const said = 'answer' in turn ? turn.answer : (turn.said ?? 'I look at the screen.');
      reply(200, { type: 'message', role: 'assistant', content: [{ type: 'text', text: said }, ...uses] });
    } else {
      const [call] = calls;
      open = call ? [`call_${asked.length}`] : [];
      const output = call
        ? [{ type: 'computer_call', call_id: open[0], status: 'completed', pending_safety_checks: [], ...call }]
        : [{ type: 'message', content: [{ type: 'output_text', text: 'answer' in turn ? turn.answer : '' }] }];
      reply(200, { id: `resp_${asked.length}`, output });
    }
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

function idsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { tool_use_id, call_id } = value as Record<string, unknown>;
  const own = [tool_use_id, call_id].filter((id) => typeof id === 'string') as string[];
  return [...own, ...Object.values(value).flatMap(idsIn)];
}

function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { text } = value as Record<string, unknown>;
  return [...(typeof text === 'string' ? [text] : []), ...Object.values(value).flatMap(textsIn)];
}
