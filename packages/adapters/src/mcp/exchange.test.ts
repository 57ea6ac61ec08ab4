import type { AgentEvent } from '@unrut/engine/event';
import { createGuard, type GuardOptions } from '@unrut/engine/guard';
import { describe, expect, test } from 'vitest';
import { McpConversation } from './conversation.ts';
import { Exchange } from './exchange.ts';
import type { Notes } from './write-note.ts';

const CAN = ['note', 'hint', 'block', 'escalate'] as const;

type Setup = GuardOptions & {
  notes?: Notes | 'auto';
  readLinked?: (path: string) => string | undefined;
};

/** An exchange with a real guard; time advances by a second with every look at the clock. */
function start({ notes = 'append', readLinked, ...options }: Setup = {}) {
  const guard = createGuard({ can: CAN, ...options });
  const events: AgentEvent[] = [];
  const faults: unknown[] = [];
  let now = 0;
  const conversation = new McpConversation({
    session: 's',
    tools: new Map(),
    notes,
    ...(readLinked ? { readLinked } : {}),
    now: () => (now += 1000),
    fault: (_, error) => faults.push(error),
    observe(event) {
      events.push(event);
      return guard.observe(event);
    },
  });
  const exchange = new Exchange(conversation);
  const client = (message: unknown) => exchange.fromClient(line(message));
  const server = (message: unknown) => exchange.fromServer(line(message)).toString();
  return { exchange, events, faults, client, server, types: () => events.map(({ type }) => type) };
}

const line = (message: unknown): Buffer =>
  Buffer.from(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`);
const call = (id: number | string, name = 'find', params: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: { what: 'the same' }, ...params },
});
const answer = (id: number | string, text = 'always the same long answer', more: object = {}) => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text }], ...more },
});

/** Makes the same call so often; gives what the client gets. */
function loop(
  { client, server }: ReturnType<typeof start>,
  count: number,
  reply: (id: number) => unknown = answer,
): string[] {
  return Array.from({ length: count }, (_, id) => {
    const { forward, answers } = client(call(id));
    return forward ? server(reply(id)) : `${JSON.stringify(answers[0])}\n`;
  });
}

describe('what gets no note', () => {
  test.each([
    [
      'a notification',
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1}}\n',
    ],
    ['an answer that nobody waits for', '{"jsonrpc":"2.0","id":77,"result":{"content":[]}}\n'],
    [
      'a request of the server with an id that the client uses too',
      '{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}\n',
    ],
    [
      'odd spacing, escapes and numbers',
      '{ "jsonrpc":"2.0", "id" : 1,\t"result":{"content":[{"type":"text","text":"caf\\u00e9 \\/ 1"}],"n":1.0e2} }\r\n',
    ],
    ['no JSON', 'listening on stdio…\n'],
    ['half a message', '{"jsonrpc":"2.0","id":1,"result":\n'],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x22, 0x0a]).toString('latin1')],
  ])('passes byte for byte: %s', (_, text) => {
    const { exchange, client, faults } = start();
    client(call(1));
    const bytes = Buffer.from(text, 'latin1');
    expect(exchange.fromServer(bytes)).toBe(bytes);
    expect(faults).toEqual([]);
  });

  test('what the client sends passes as the very same bytes', () => {
    const { exchange } = start();
    for (const message of [
      call(1),
      { method: 'ping' },
      'tools, but no JSON\n',
      [call(2), call(3)],
    ]) {
      const bytes = line(message);
      expect(exchange.fromClient(bytes)).toEqual({ forward: bytes, answers: [] });
    }
  });
});

describe('what gets one', () => {
  test('keeps everything else: fields, order, and numbers that JavaScript cannot hold', () => {
    const got = loop(
      start(),
      3,
      (id) =>
        `{"id":${id},"jsonrpc":"2.0","result":{"big":12345678901234567890,"one":1.0,"content":[{"type":"text","text":"the same"}],"_meta":{"of":"theirs"}}}\n`,
    );
    expect(got[2]).toMatch(
      /^\{"id":2,"jsonrpc":"2\.0","result":\{"big":12345678901234567890,"one":1\.0,"content":\[\{"type":"text","text":"the same"\},\{"type":"text","text":"Unrut [^"]+"\}\],"_meta":\{"of":"theirs","unrut\/signal":\{.*\}\}\}\}\n$/,
    );
  });

  test('keeps every other byte: names that are there twice, escapes, blanks, the end of the line', () => {
    const got = loop(
      start(),
      3,
      (id) =>
        `{"id": ${id}, "result": {"a":1,"a":2, "content":[ {"type":"text","text":"a\\/b \\u00e9"} ] }}\r\n`,
    );
    expect(got[2]).toMatch(
      /^\{"id": 2, "result": \{"a":1,"a":2, "content":\[ \{"type":"text","text":"a\\\/b \\u00e9"\} ,\{"type":"text","text":"Unrut [^"]+"\}\] ,"_meta":\{.*\}\}\}\r\n$/,
    );
  });

  test('a widget that is patched gets the count from the first patch on, and nothing else', () => {
    const { client, server } = start();
    const patch = (id: number) => {
      client(
        call(id, 'patchWidget', { arguments: { spaceId: 'main', widgetId: 'X', patch: `v${id}` } }),
      );
      return JSON.parse(server(answer(id, `Widget "X" patched to v${id}.`))).result;
    };
    const results = [patch(1), patch(2), patch(3)];
    expect(results.map(({ _meta: meta }) => meta['unrut/consecutivePatchCount'])).toEqual([
      1, 2, 3,
    ]);
    expect(results.map(({ content }) => content.length)).toEqual([1, 1, 2]);
    expect(Object.keys(results[0]._meta)).toEqual(['unrut/consecutivePatchCount']);
  });

  test('twin: a file that is edited does not', () => {
    const { client, server } = start();
    client(
      call(1, 'edit_file', {
        arguments: { path: '/a.ts', edits: [{ oldText: 'a', newText: 'b' }] },
      }),
    );
    expect(JSON.parse(server(answer(1, 'Done.'))).result).not.toHaveProperty('_meta');
  });

  test('an error of the protocol gets it in its message', () => {
    const got = loop(start(), 3, (id) => ({
      jsonrpc: '2.0',
      id,
      error: { code: -32603, message: 'The index is broken.', data: 1 },
    }));
    expect(JSON.parse(got[2]!)).toEqual({
      jsonrpc: '2.0',
      id: 2,
      error: {
        code: -32603,
        message: expect.stringMatching(/^The index is broken\. Unrut /),
        data: 1,
      },
    });
  });

  test('structured content alone is shown as text before it, when it is to be left out', () => {
    const got = loop(start({ notes: 'strip-structured' }), 3, (id) => ({
      id,
      result: { structuredContent: { degrees: 21 } },
    }));
    expect(JSON.parse(got[2]!).result).toMatchObject({
      content: [{ text: '{"degrees":21}' }, { text: expect.stringMatching(/^Unrut /) }],
    });
    expect(JSON.parse(got[2]!).result).not.toHaveProperty('structuredContent');
  });

  test('what was said and done is reported to the guard', () => {
    const exchange = start();
    const got = loop(exchange, 5);
    expect(JSON.parse(got[4]!)).toMatchObject({
      id: 4,
      result: {
        isError: true,
        content: [{ text: expect.stringMatching(/^Unrut \(loop guard\) did not run /) }],
      },
    });
    expect(exchange.events.filter(({ type }) => type === 'plan-performed')).toMatchObject([
      { rung: 'note' },
      { rung: 'hint' },
      { rung: 'block' },
    ]);
    expect(exchange.events.at(-1)).toMatchObject({ type: 'call-finished', refusedBy: 'unrut' });
  });

  test('a refusal says that it is complete, where results have types', () => {
    const exchange = start();
    loop(exchange, 4);
    const { forward, answers } = exchange.client(
      call(9, 'find', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }),
    );
    expect(forward).toBeNull();
    expect(answers).toMatchObject([{ id: 9, result: { resultType: 'complete', isError: true } }]);
  });

  test('in a batch only the call that is refused is taken out', () => {
    const exchange = start();
    loop(exchange, 4);
    const { forward, answers } = exchange.client([call(10), call(11, 'other')]);
    expect(JSON.parse(forward!.toString())).toEqual([call(11, 'other')]);
    expect(answers.map(({ id }) => id)).toEqual([10]);
  });

  test('in a batch of answers only the one that concerns a loop is changed', () => {
    const exchange = start();
    loop(exchange, 2);
    exchange.client([call(10), call(11, 'other')]);
    const [first, second] = JSON.parse(
      exchange.server([answer(10), answer(11, 'something quite different')]),
    ) as ReturnType<typeof answer>[];
    expect(first!.result.content).toHaveLength(2);
    expect(second).toEqual(answer(11, 'something quite different'));
  });
});

describe('what does not count', () => {
  test('a question to the client, and the same call with the answer', () => {
    const { client, server, types } = start();
    client(call(1));
    server({ id: 1, result: { resultType: 'input_required', inputRequests: {} } });
    client(call(2, 'find', { inputResponses: { sure: {} } }));
    server(answer(2, 'done', { resultType: 'complete' }));
    expect(types()).toEqual(['call-proposed', 'call-finished']);
  });

  test.each([
    ['tasks/result', { task: { taskId: 't', status: 'working' } }, answer(9).result],
    [
      'tasks/get',
      { resultType: 'task', taskId: 't', status: 'working' },
      { resultType: 'complete', taskId: 't', status: 'completed', result: answer(9).result },
    ],
  ])('asking after a task: the call ends with its result (%s)', (method, created, ended) => {
    const { client, server, types } = start();
    const ask = (id: number, result: object) => {
      client({ id, method, params: { taskId: 't' } });
      return server({ id, result });
    };
    client(call(1));
    server({ id: 1, result: created });
    for (let id = 2; id < 9; id++) ask(id, { taskId: 't', status: 'working' });
    expect(types()).toEqual(['call-proposed']);
    expect(JSON.parse(ask(9, ended)).result).toEqual(ended);
    expect(types()).toEqual(['call-proposed', 'call-finished']);
  });

  test('the note on a task that loops stands in the result of the call', () => {
    const exchange = start();
    const got = Array.from({ length: 3 }, (_, i) => {
      exchange.client(call(i));
      exchange.server({ id: i, result: { resultType: 'task', taskId: `t${i}` } });
      exchange.client({ id: `get ${i}`, method: 'tasks/get', params: { taskId: `t${i}` } });
      return JSON.parse(
        exchange.server({
          id: `get ${i}`,
          result: { taskId: `t${i}`, status: 'completed', result: answer(i).result },
        }),
      );
    });
    expect(got[2].result).toMatchObject({
      status: 'completed',
      result: { content: [{}, { text: expect.stringMatching(/^Unrut /) }] },
    });
  });

  test('a cancelled call', () => {
    const { exchange, client, types } = start();
    client(call(1));
    client({ method: 'notifications/cancelled', params: { requestId: 1 } });
    const late = line(answer(1));
    expect(exchange.fromServer(late)).toBe(late);
    expect(types()).toEqual(['call-proposed']);
    expect(exchange.waiting).toBe(0);
  });
});

describe('what the guard receives', () => {
  test('tools and what they say of themselves, before the first call', () => {
    const { client, server, events } = start();
    client({ id: 1, method: 'tools/list' });
    const tools = [
      {
        name: 'find',
        annotations: { readOnlyHint: true, title: 'Find', destructiveHint: 'no' },
        _meta: { 'unrut/poll': true },
      },
      { name: 'remove', annotations: { destructiveHint: true } },
    ];
    server({ id: 1, result: { tools } });
    client(call(2, 'find', { _meta: { 'unrut/identity': ['what'] } }));
    server(answer(2));
    expect(events[0]).toMatchObject({
      type: 'tools-listed',
      tools: [
        { name: 'find', annotations: { readOnlyHint: true, 'unrut/poll': true } },
        { name: 'remove', annotations: { destructiveHint: true } },
      ],
    });
    expect(events[1]).toMatchObject({
      annotations: { readOnlyHint: true, 'unrut/poll': true, 'unrut/identity': ['what'] },
    });
    expect(events[1]).not.toHaveProperty('annotations.destructiveHint');
  });

  test('calls made before anything came back are one batch, later ones another', () => {
    const { client, server, events } = start();
    for (const id of [1, 2]) client(call(id));
    for (const id of [1, 2]) server(answer(id));
    client(call(3));
    server(answer(3));
    const batches = events.flatMap((event) => (event.type === 'call-proposed' ? event.batch : []));
    expect(batches[0]).toBe(batches[1]);
    expect(batches[2]).not.toBe(batches[0]);
  });

  test.each([
    [{ result: { content: [{ type: 'text', text: 'no' }], isError: true } }, { error: true }],
    [
      { error: { code: -32602, message: 'Unknown tool: find' } },
      { error: 'Unknown tool: find', refusedBy: 'unknown-tool' },
    ],
    [{ error: { code: -32602, message: 'what: expected a number' } }, { refusedBy: 'schema' }],
    [{ error: { code: -32000, message: 'gone' } }, { error: 'gone' }],
    [{ result: { content: [], structuredContent: { a: 1 } } }, { result: { a: 1 } }],
  ])('%j', (reply, expected) => {
    const { client, server, events } = start();
    client(call(1));
    server({ id: 1, ...reply });
    expect(events.at(-1)).toMatchObject(expected);
  });

  test('a fault of ours lets everything pass', () => {
    const broken = new McpConversation({
      session: 's',
      tools: new Map(),
      notes: 'append',
      now: Date.now,
      fault: () => undefined,
      observe: () => {
        throw new Error('broken');
      },
    });
    const exchange = new Exchange(broken);
    const [asked, answered] = [line(call(1)), line(answer(1))];
    expect(exchange.fromClient(asked)).toEqual({ forward: asked, answers: [] });
    expect(exchange.fromServer(answered)).toBe(answered);
  });
});

describe('where a note goes', () => {
  const structured = (id: number | string) =>
    answer(id, '{"degrees":21}', { structuredContent: { degrees: 21 } });
  const introduced = (name: string) => {
    const started = start({ notes: 'auto' });
    started.client({
      jsonrpc: '2.0',
      id: 'i',
      method: 'initialize',
      params: { clientInfo: { name, version: '1' }, capabilities: {} },
    });
    return started;
  };

  test.each([
    ['claude-code', false],
    ['Visual Studio Code', true],
    ['cursor-vscode', true],
  ])(
    'is chosen by what the client calls itself: for %s structured content is kept: %s',
    (name, isKept) => {
      const { result } = JSON.parse(loop(introduced(name), 3, structured)[2]!);
      expect('structuredContent' in result).toBe(isKept);
      expect(result.content.at(-1).text).toMatch(/^Unrut /);
    },
  );

  test('is also chosen if each request names its client; tool lists then declare no output schemas', () => {
    const started = start({ notes: 'auto' });
    const params = {
      _meta: { 'io.modelcontextprotocol/clientInfo': { name: 'claude-code', version: '1' } },
    };
    started.client({ jsonrpc: '2.0', id: 1, method: 'tools/list', params });
    const listed = JSON.parse(
      started.server({
        jsonrpc: '2.0',
        id: 1,
        result: { tools: [{ name: 'find', outputSchema: {} }] },
      }),
    );
    expect(listed.result.tools).toEqual([{ name: 'find' }]);
  });
});

describe('a page that a result only links to', () => {
  const click = (id: number | string) =>
    answer(
      id,
      '### Page\n- Page URL: http://127.0.0.1/wizard\n- Page Title: Wizard\n### Snapshot\n- [Snapshot](page-2026-11-17T06-04-42-417Z.yml)',
    );
  const rungs = (setup: Setup): (string | undefined)[] =>
    loop(start(setup), 8, click).map(
      (each) => JSON.parse(each).result._meta?.['unrut/signal'].rung,
    );

  test('is read: while it changes nothing is said, and when it does not it is the same result', () => {
    let page = 0;
    const STEPS = [
      'name and address',
      'means of payment',
      'delivery on Monday',
      'a summary',
      'terms',
      'thanks',
      'an invoice',
      'the shop',
    ];
    expect(rungs({ readLinked: () => `- heading "${STEPS[page++]}"\n` }).filter(Boolean)).toEqual(
      [],
    );
    expect(rungs({ readLinked: () => '- heading "name and address"\n' }).slice(0, 4)).toEqual([
      undefined,
      undefined,
      'note',
      'hint',
    ]);
  });

  test('counts as unknown where it cannot be read', () => {
    const started = start();
    loop(started, 2, click);
    expect(
      started.events
        .filter(({ type }) => type === 'call-finished')
        .every((event) => !('result' in event)),
    ).toBe(true);
  });
});

test('the guard receives the arguments that a tool takes, and which are required', () => {
  const { client, server, events } = start();
  client({ jsonrpc: '2.0', id: 'l', method: 'tools/list' });
  const inputSchema = { type: 'object', properties: { path: {}, head: {} }, required: ['path'] };
  server({
    jsonrpc: '2.0',
    id: 'l',
    result: { tools: [{ name: 'find', inputSchema }, { name: 'bare' }] },
  });
  client(call(1));
  server(answer(1));
  expect(events.find(({ type }) => type === 'tools-listed')).toMatchObject({
    tools: [{ name: 'find', takes: { path: true, head: false } }, { name: 'bare' }],
  });
});
