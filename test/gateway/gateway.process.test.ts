import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Plan } from '@unrut/engine/policy/plan';
import type { Fault } from '@unrut/engine/signal';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ask, raw } from '../server/request.ts';
import type { ModelReads, ScriptedAnswer } from '../suites/test-framework.ts';
import type { Json } from './apis/provider-api.ts';
import { startUpstream } from './scripted-upstream.ts';
import { serveGateway } from './serve-gateway.ts';

const SAME = 'Three pages were found, none of which says more about it than the others do.';
const TOOLS = [{ type: 'function', function: { name: 'search' } }];
const foo = ({ calls }: ModelReads): ScriptedAnswer => ({
  calls: [{ id: `call_number_${calls.length}`, tool: 'search', args: { q: 'foo' } }],
});

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  ask(url, {
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** A history of equal calls, as chat completions have it. */
const chat = (steps: number, more: object = {}, args = '{"q":"foo"}'): Json => ({
  model: 'scripted',
  messages: [
    { role: 'user', content: 'Go.' },
    ...Array.from({ length: steps }, (_, n) => [
      {
        role: 'assistant',
        tool_calls: [
          {
            id: `call_number_${n}`,
            type: 'function',
            function: { name: 'search', arguments: args },
          },
        ],
      },
      { role: 'tool', tool_call_id: `call_number_${n}`, content: SAME },
    ]).flat(),
  ],
  tools: TOOLS,
  ...more,
});

/** A loop of requests, until an answer has no call. */
async function loop(url: string, more: object = {}, headers: Record<string, string> = {}) {
  for (let steps = 0; steps < 30; steps++) {
    const answer = await post(`${url}/v1/chat/completions`, chat(steps, more), headers);
    if (answer.status !== 200 || !JSON.parse(answer.text).choices[0].message.tool_calls)
      return { steps, ...answer };
  }
  throw new Error('expected an end');
}

/** The APIs: a history with this many equal calls, and a request for structured output. */
const APIS: Record<
  string,
  { path(stream: boolean): string; body(n: number, stream: boolean): Json; schema: Json }
> = {
  'chat completions': {
    path: () => '/v1/chat/completions',
    body: (n, stream) => chat(n, stream ? { stream } : {}),
    schema: { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: {} } } },
  },
  messages: {
    path: () => '/v1/messages',
    body: (n, stream) => ({
      ...(stream ? { stream } : {}),
      model: 'scripted',
      max_tokens: 100,
      tools: [{ name: 'search', input_schema: {} }],
      messages: [
        { role: 'user', content: 'Go.' },
        ...calledTimes(n).flatMap(([id, input]) => [
          { role: 'assistant', content: [{ type: 'tool_use', id, name: 'search', input }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: SAME }] },
        ]),
      ],
    }),
    schema: { output_config: { format: { type: 'json_schema', schema: {} } } },
  },
  Responses: {
    path: () => '/v1/responses',
    body: (n, stream) => ({
      ...(stream ? { stream } : {}),
      model: 'scripted',
      tools: [{ type: 'function', name: 'search' }],
      input: [
        { role: 'user', content: 'Go.' },
        ...calledTimes(n).flatMap(([call_id, input]) => [
          { type: 'function_call', call_id, name: 'search', arguments: JSON.stringify(input) },
          { type: 'function_call_output', call_id, output: SAME },
        ]),
      ],
    }),
    schema: { text: { format: { type: 'json_schema', name: 'x', schema: {} } } },
  },
  generateContent: {
    path: (stream) =>
      `/v1beta/models/x:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: (n) => ({
      tools: [{ functionDeclarations: [{ name: 'search' }] }],
      contents: [
        { role: 'user', parts: [{ text: 'Go.' }] },
        ...calledTimes(n).flatMap(([id, args]) => [
          { role: 'model', parts: [{ functionCall: { id, name: 'search', args } }] },
          {
            role: 'user',
            parts: [{ functionResponse: { id, name: 'search', response: { output: SAME } } }],
          },
        ]),
      ],
    }),
    schema: { generationConfig: { responseMimeType: 'application/json' } },
  },
};

const calledTimes = (n: number): [id: string, args: Json][] =>
  Array.from({ length: n }, (_, i) => [`call_number_${i}`, { q: 'foo' }]);

/** The answer of a stopped run if its output must match a schema. */
const REFUSALS: Record<string, RegExp> = {
  'chat completions': /"refusal":"Unrut stopped the run/,
  messages: /"stop_reason":"refusal".*"explanation":"Unrut stopped the run/s,
  Responses: /"type":"refusal","refusal":"Unrut stopped the run/,
  generateContent: /"finishReason":"OTHER","finishMessage":"Unrut stopped the run/,
};

describe('a stop', () => {
  /** Asks with growing histories until the answer carries the sign of a stop. */
  async function stopped(name: string, stream: boolean, more: Json = {}, said = '') {
    const upstream = await startUpstream((reads) => ({
      ...foo(reads),
      ...(said === '' ? {} : { text: said }),
    }));
    const url = await serveGateway(upstream.url);
    const { path, body } = APIS[name]!;
    for (let n = 0; n < 20; n++) {
      const answer = await post(url + path(stream), { ...body(n, stream), ...more });
      expect(answer.status).toBe(200);
      if (answer.text.includes('"unrut":{"stopped"')) return answer;
    }
    throw new Error('expected a stop');
  }

  test.each(Object.keys(APIS))(
    'of %s has a sign for programs, also in a stream, and its usage counts what it replaced',
    async (name) => {
      const whole = await stopped(name, false);
      expect(whole.headers['x-unrut']).toBe('stopped');
      expect(JSON.parse(whole.text).unrut.stopped.text).toMatch(/^Unrut stopped the run/);
      const { usage, usageMetadata } = JSON.parse(whole.text);
      const spent = Object.values({ ...usage, ...usageMetadata }).some((n) => Number(n) > 0);
      expect(spent).toBe(true);
      const quiet = await stopped(name, true);
      expect(quiet.headers['x-unrut']).toBe('stopped');
      const spoken = await stopped(name, true, {}, 'Searching.');
      expect(spoken.text.match(/"unrut":\{"stopped"/g)).toHaveLength(1);
      expect(spoken.text).toContain('Searching.');
      expect(spoken.text).toMatch(/Unrut stopped the run/);
    },
  );

  test.each(Object.keys(APIS))(
    "of %s is the API's own refusal where the answer has to match a schema",
    async (name) => {
      for (const stream of [false, true]) {
        const { text: got } = await stopped(name, stream, APIS[name]!.schema);
        expect(got).toMatch(REFUSALS[name]!);
      }
      const { text: got } = await stopped(name, false);
      expect(got).not.toMatch(REFUSALS[name]!);
    },
  );
});

describe('what is not a turn of an agent passes byte for byte', () => {
  test.each([
    ['GET', '/v1/models?limit=2&key=a%20b', ''],
    ['DELETE', '/v1/responses/resp_1', ''],
    ['POST', '/v1/embeddings', '{"input": "x",  "model":"e"}'],
    ['POST', '/v1/messages/count_tokens', '{"messages":[]}'],
    ['PATCH', '/v1//odd/%41b/path', 'not JSON \u0000 at all'],
  ])('%s %s', async (method, path, body) => {
    const upstream = await startUpstream(foo);
    const url = await serveGateway(upstream.url);
    const headers = { Authorization: 'Bearer key', 'X-Odd-Header': 'a; b', 'x-unrut-session': 's' };
    const answer = await ask(url + path, { method, headers, ...(body === '' ? {} : { body }) });
    expect(upstream.received).toMatchObject([
      { method, path, body, headers: { authorization: 'Bearer key', 'x-odd-header': 'a; b' } },
    ]);
    expect(upstream.received[0]!.rawHeaders).toContain('X-Odd-Header');
    expect(
      Object.keys(upstream.received[0]!.headers).filter((name) => name.startsWith('x-unrut')),
    ).toEqual([]);
    const bare = await ask(upstream.url + path, {
      method,
      headers,
      ...(body === '' ? {} : { body }),
    });
    expect([answer.status, answer.text, answer.headers['x-strange']]).toEqual([
      bare.status,
      bare.text,
      'yes',
    ]);
  });

  test.each([
    ['no tools', { tools: undefined }],
    ['an empty list of tools', { tools: [] }],
    ['several answers at once', { n: 2 }],
  ])('a loop of requests with %s', async (_, more) => {
    const plans: Plan[] = [];
    const upstream = await startUpstream((reads) =>
      reads.calls.length < 12 ? foo(reads) : { text: 'Done.' },
    );
    const url = await serveGateway(upstream.url, { onPlan: (plan) => void plans.push(plan) });
    expect((await loop(url, more)).steps).toBe(12);
    expect(plans).toEqual([]);
    expect(upstream.received.map(({ body }) => body)).toEqual(
      Array.from({ length: 13 }, (_, n) => JSON.stringify(chat(n, more))),
    );
  });

  test.each([
    '{"messages": [',
    '[1, 2]',
    '"text"',
    '{"tools":[{}],"messages":7}',
    '{"tools":[{"function":7}],"messages":[null,{"role":7}]}',
  ])('a body that is none: %s', async (body) => {
    const faults: Fault[] = [];
    const upstream = await startUpstream(foo);
    const url = await serveGateway(upstream.url, { onFault: (fault) => void faults.push(fault) });
    for (const path of [
      '/v1/chat/completions',
      '/v1/messages',
      '/v1/responses',
      '/v1beta/models/x:generateContent',
    ]) {
      const [answer, bare] = [await post(url + path, body), await post(upstream.url + path, body)];
      expect([answer.status, answer.text]).toEqual([bare.status, bare.text]);
    }
    expect(upstream.received.map((each) => each.body)).toEqual(
      Array.from({ length: 8 }, () => body),
    );
    expect(faults).toEqual([]);
  });

  test('a body that is larger than what is read', async () => {
    const upstream = await startUpstream(foo);
    const url = await serveGateway(upstream.url);
    const body = JSON.stringify(chat(1, { padding: 'x'.repeat(33 << 20) }));
    expect((await post(`${url}/v1/chat/completions`, body)).status).toBe(200);
    expect(upstream.received[0]!.body === body).toBe(true);
  });
});

describe('a loop', () => {
  test('ends with a normal answer that says so, and continues when a person speaks', async () => {
    const upstream = await startUpstream(foo);
    const url = await serveGateway(upstream.url);
    const { status, headers, text: body, steps } = await loop(url);
    expect([status, headers['x-unrut']]).toEqual([200, 'stopped']);
    expect(steps).toBeLessThanOrEqual(8);
    const { choices } = JSON.parse(body);
    expect(choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { role: 'assistant', content: expect.stringContaining('stopped') },
    });
    const { messages, ...rest } = chat(steps);
    const spoken = [
      ...messages,
      choices[0].message,
      { role: 'user', content: 'Try something else.' },
    ];
    const asked = upstream.received.length;
    const { headers: after } = await post(`${url}/v1/chat/completions`, {
      ...rest,
      messages: spoken,
    });
    expect([after['x-unrut'], upstream.received.length]).toEqual([undefined, asked + 1]);
  });

  test('keeps its stop while only the program speaks', async () => {
    const upstream = await startUpstream(foo);
    const url = await serveGateway(upstream.url);
    const { steps } = await loop(url, {}, { 'x-unrut-session': 'one' });
    const asked = upstream.received.length;
    const again = await post(`${url}/v1/chat/completions`, chat(steps), {
      'x-unrut-session': 'one',
    });
    expect([again.headers['x-unrut'], upstream.received.length]).toEqual(['stopped', asked]);
  });

  test('is reported in results, and numbers that JavaScript cannot hold stay as they are', async () => {
    const upstream = await startUpstream(foo);
    const url = await serveGateway(upstream.url);
    const body = (n: number): string =>
      JSON.stringify(chat(n)).replace(
        '"model"',
        '"seed":12345678901234567890,"temperature":1.0,"model"',
      );
    for (let n = 0; n <= 3; n++) await post(`${url}/v1/chat/completions`, body(n));
    expect(upstream.received.slice(0, 3).map((each) => each.body)).toEqual([0, 1, 2].map(body));
    expect(upstream.received[3]!.body).toMatch(
      /^{"seed":12345678901234567890,"temperature":1.0,.*Unrut \(loop guard\)/,
    );
  });

  test('is known by numbers that are written in an odd way', async () => {
    const rungs: string[] = [];
    const call = (n: number) =>
      `{"type":"tool_use","id":"call_number_${n}","name":"search","input":{"page":1.0,"near":12345678901234567890}}`;
    let asked = 0;
    const upstream = await listening(
      createServer(async (request, response) => {
        await text(request);
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(
          `{"id":"m","type":"message","role":"assistant","content":[${call(asked++)}],"stop_reason":"tool_use"}`,
        );
      }),
    );
    const url = await serveGateway(upstream, { onPlan: ({ rung }) => void rungs.push(rung) });
    let messages = '{"role":"user","content":"Go."}';
    for (let steps = 0; steps < 12; steps++) {
      const { text: body, headers } = await post(
        `${url}/v1/messages`,
        `{"tools":[{"name":"search"}],"messages":[${messages}]}`,
      );
      if (headers['x-unrut']) break;
      const { id } = JSON.parse(body).content[0];
      const own = call(0).replace('call_number_0', id);
      messages += `,{"role":"assistant","content":[${own}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"${id}","content":"${SAME}"}]}`;
    }
    expect([...new Set(rungs)]).toEqual(['note', 'hint', 'block', 'escalate', 'stop']);
  });

  test('is read in packed bodies, and a packed answer passes', async () => {
    const upstream = await startUpstream(foo);
    const url = await serveGateway(upstream.url);
    const send = async (n: number) => {
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-encoding': 'gzip' },
        body: gzipSync(JSON.stringify(chat(n))),
      });
      return response.text();
    };
    for (let n = 0; n <= 3; n++) await send(n);
    expect(upstream.received.map(({ headers }) => headers['content-encoding'])).toEqual([
      'gzip',
      'gzip',
      'gzip',
      undefined,
    ]);
    expect(upstream.received[3]!.body).toContain('Unrut (loop guard)');
  });

  test('is known by the name that the program gives it, and nested agents by theirs', async () => {
    const sessions = new Set<string>();
    const upstream = await startUpstream(foo);
    const url = await serveGateway(upstream.url, {
      onPlan: (_, { session, agent }) => void sessions.add(`${session}/${agent}`),
    });
    await loop(url, {}, { 'x-unrut-session': 'mine' });
    await loop(url, {}, { 'x-unrut-session': 'mine', 'x-unrut-agent': 'helper' });
    expect([...sessions]).toEqual(['mine/undefined', 'mine/helper']);
  });

  test('of one user is not that of another, and his name is not kept', async () => {
    const sessions = new Set<string>();
    const upstream = await startUpstream((reads) =>
      reads.calls.length < 3 ? foo(reads) : { text: 'Done.' },
    );
    const url = await serveGateway(upstream.url, {
      onPlan: (_, { session }) => void sessions.add(session),
    });
    for (let n = 0; n <= 3; n++)
      for (const user of ['ann@example.com', 'bob@example.com'])
        await post(`${url}/v1/chat/completions`, chat(n, { user }));
    expect(sessions.size).toBe(2);
    expect([...sessions].join()).not.toMatch(/ann|bob/);
  });
});

describe('histories that the provider keeps', () => {
  const tools = [{ type: 'function', name: 'search', parameters: {} }];
  const respond = (url: string, body: object) =>
    post(`${url}/v1/responses`, { model: 'scripted', tools, ...body });
  const outputs = (output: Json[]) =>
    output
      .filter(({ type }) => type === 'function_call')
      .map(({ call_id }) => ({ type: 'function_call_output', call_id, output: SAME }));

  /** Refuses calls for `foo` once it has seen a result. */
  const refusing = () => {
    const plan: Plan = {
      id: 'n',
      recovery: 'r',
      rung: 'note',
      reason: 'a/b',
      toModel: 'Note.',
      toHuman: 'Note.',
      budgetLeft: 1,
      streak: 's',
    };
    let isNoted = false;
    const nothing = {
      signals: [],
      witnesses: [],
      shadow: null,
      outcomes: [],
      faults: [],
      step: 0,
      seen: null,
    };
    return {
      observe(event: Json) {
        if (event.type === 'call-finished' && !isNoted) {
          isNoted = true;
          return { ...nothing, plan };
        }
        const isRefused = event.type === 'call-proposed' && isNoted && event.call.args.q === 'foo';
        return {
          ...nothing,
          plan: isRefused ? { ...plan, id: 'b', rung: 'block' as const, toModel: 'REFUSED' } : null,
        };
      },
    };
  };

  test.each([false, true])(
    'give each refused call its refusal as a result, so that the next request is valid (streamed: %s)',
    async (stream) => {
      const upstream = await startUpstream(({ calls, results }) =>
        results.length < 6
          ? {
              calls: ['foo', `other ${calls.length}`].map((q, i) => ({
                id: `call_number_${calls.length + i}`,
                tool: 'search',
                args: { q },
              })),
            }
          : { text: 'Done.' },
      );
      const url = await serveGateway(upstream.url, { guard: refusing() });
      let input: Json = 'Go.';
      let previous: string | undefined;
      const ran: string[] = [];
      for (let step = 0; step < 9; step++) {
        const answer = await respond(url, {
          input,
          stream,
          ...(previous ? { previous_response_id: previous } : {}),
        });
        expect(answer.status, answer.text).toBe(200);
        const last = /data: (.*"type":"response.completed".*)/.exec(answer.text)?.[1];
        const { id, output } = stream ? JSON.parse(last!).response : JSON.parse(answer.text);
        previous = id;
        input = outputs(output);
        ran.push(
          ...output.flatMap((item: Json) =>
            item.type === 'function_call' ? [JSON.parse(item.arguments).q] : [],
          ),
        );
        if (input.length === 0) break;
      }
      expect(upstream.broken).toEqual([]);
      expect(ran).toEqual(['foo', 'other 0', 'other 2', 'other 4']);
      expect(upstream.received.at(-1)!.body).toContain('"output":"REFUSED"');
    },
  );

  test('keep their notes when the provider was busy and the client asks again', async () => {
    let isBusy = false;
    const upstream = await startUpstream((reads) => (isBusy ? { error: 'busy' } : foo(reads)));
    const url = await serveGateway(upstream.url);
    let body: Json = { input: 'Go.' };
    for (let n = 0; n < 3; n++) {
      const { id, output } = JSON.parse((await respond(url, body)).text);
      body = { input: outputs(output), previous_response_id: id };
    }
    isBusy = true;
    for (let n = 0; n < 2; n++) expect((await respond(url, body)).status).toBe(500);
    isBusy = false;
    expect((await respond(url, body)).status).toBe(200);
    const [one, two, three] = upstream.received.slice(-3).map((each) => each.body);
    expect(one).toContain('Unrut (loop guard)');
    expect([two, three]).toEqual([one, one]);
  });

  test('that began elsewhere are left alone', async () => {
    const upstream = await startUpstream(foo);
    const url = await serveGateway(upstream.url);
    const body = {
      input: [{ type: 'function_call_output', call_id: 'x', output: SAME }],
      previous_response_id: 'resp_unknown',
    };
    const [answer, bare] = [await respond(url, body), await respond(upstream.url, body)];
    expect([answer.status, answer.text]).toEqual([bare.status, bare.text]);
  });
});

describe('a stream', () => {
  test('passes comments, unknown events and odd line ends as they are', async () => {
    const lines = [
      ': keep-alive\n\n',
      'event: new.kind\r\ndata: {"type":"new.kind"}\r\n\r\n',
      'data: no JSON\n\n',
      'data: {"choices":[{"index":0,"delta":{"content":"Hi."}}]}\n\n',
      'id: 7\nretry: 10\n\n',
      'data: [DONE]\n\n',
      'rest without an end',
    ];
    const upstream = await serveText('text/event-stream', lines);
    const url = await serveGateway(upstream);
    const { text: got, headers } = await post(
      `${url}/v1/chat/completions`,
      chat(1, { stream: true }),
    );
    expect(got).toBe(lines.join(''));
    expect(headers['content-type']).toBe('text/event-stream');
  });

  test('begins before it ends', async () => {
    let go: () => void = () => undefined;
    const waits = new Promise<void>((resolve) => {
      go = resolve;
    });
    const upstream = await startUpstream(() => ({ text: 'One two three.' }), {
      pause: () => waits,
    });
    const url = await serveGateway(upstream.url);
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(chat(1, { stream: true })),
    });
    const reader = response.body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('"role":"assistant"');
    go();
    for (let read = await reader.read(); !read.done; read = await reader.read());
  });

  const STREAMS: [string, string, Json][] = [
    ['chat completions', '/v1/chat/completions', chat(0, { stream: true })],
    [
      'messages',
      '/v1/messages',
      { stream: true, tools: [{ name: 'search' }], messages: [{ role: 'user', content: 'Go.' }] },
    ],
    [
      'Responses',
      '/v1/responses',
      { stream: true, tools: [{ type: 'function', name: 'search' }], input: 'Go.' },
    ],
    [
      'generateContent',
      '/v1beta/models/x:streamGenerateContent?alt=sse',
      {
        tools: [{ functionDeclarations: [{ name: 'search' }] }],
        contents: [{ role: 'user', parts: [{ text: 'Go.' }] }],
      },
    ],
  ];
  const ENDS: Record<string, RegExp> = {
    'chat completions': /"finish_reason":"stop"}\],"unrut":.*}\n\ndata: \[DONE\]\n\n$/,
    messages: /content_block_stop.*"stop_reason":"end_turn".*message_stop"}\n\n$/s,
    Responses:
      /response\.output_text\.done.*response\.output_item\.done.*"type":"response\.completed".*"status":"completed"/s,
    generateContent: /"finishReason":"STOP"/,
  };

  test.each(STREAMS)(
    'of %s that says the same for ever is ended as a normal end',
    async (name, path, body) => {
      const upstream = await startUpstream(() => ({ text: 'I will try again. '.repeat(3000) }), {
        pause: () => new Promise(setImmediate),
      });
      const url = await serveGateway(upstream.url);
      const { text: got, status } = await post(url + path, body);
      expect(status).toBe(200);
      expect(got.split('again.').length).toBeLessThan(2500);
      expect(got).toMatch(ENDS[name]!);
      expect(got).toMatch(
        /"unrut":\{"stopped":\{"reason":"[^"]+","text":"Unrut: the answer repeats/,
      );
    },
  );

  test.each(STREAMS)(
    'of %s that repeats what it was asked to passes whole',
    async (_, path, body) => {
      const upstream = await startUpstream(() => ({ text: 'I will try again. '.repeat(900) }), {
        pause: () => new Promise(setImmediate),
      });
      const url = await serveGateway(upstream.url);
      const asked = JSON.stringify(body).replace('"Go."', '"Write the line 900 times."');
      expect(asked).toContain('900 times');
      const { text: got } = await post(url + path, JSON.parse(asked));
      expect(got.split('again.').length).toBeGreaterThan(900);
      expect(got).not.toContain('"unrut"');
    },
  );

  test('is ended upstream when the client is gone', async () => {
    let closed: () => void = () => undefined;
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const server = createServer(async (request, response) => {
      await text(request);
      response.on('close', closed);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"delta":{"content":"Hi."}}]}\n\n');
    });
    const url = await serveGateway(await listening(server));
    const gone = new AbortController();
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(chat(1, { stream: true })),
      signal: gone.signal,
    });
    await response.body!.getReader().read();
    gone.abort();
    await isClosed;
  });
});

describe('faults', () => {
  test('a version that is in the address of the upstream and in the path is warned about', async () => {
    const upstream = await startUpstream(foo);
    const warnings: string[] = [];
    const onWarning = (text: string): void => void warnings.push(text);
    const doubled = await serveGateway(`${upstream.url}/v1`, { onWarning });
    await post(`${doubled}/v1/chat/completions`, chat(0));
    expect(warnings.join()).toMatch(/with its version twice. Leave the version out of --upstream/);
    const right = await serveGateway(upstream.url, { onWarning });
    warnings.length = 0;
    await post(`${right}/v1/chat/completions`, chat(0));
    expect(warnings).toEqual([]);
  });

  test('an upstream that is away is said in one line', async () => {
    const url = await serveGateway('http://127.0.0.1:9');
    const { status, text: body } = await post(`${url}/v1/chat/completions`, chat(1));
    expect(status).toBe(502);
    expect(JSON.parse(body).error.message).toMatch(
      /^Cannot reach up at http:\/\/127\.0\.0\.1:9: ECONNREFUSED\./,
    );
  });

  test('an answer that is packed or no JSON passes as it is', async () => {
    const packed = gzipSync('{"choices":[]}');
    const url = await serveGateway(
      await serveText('application/json', [packed], { 'content-encoding': 'gzip' }),
    );
    const { status } = await post(`${url}/v1/chat/completions`, chat(1));
    expect(status).toBe(200);
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(chat(2)),
    });
    expect([response.headers.get('content-encoding'), await response.text()]).toEqual([
      'gzip',
      gunzipSync(packed).toString(),
    ]);
    const odd = await serveGateway(await serveText('application/json', ['{"choices":']));
    expect((await post(`${odd}/v1/chat/completions`, chat(1))).text).toBe('{"choices":');
  });

  test('a model that fails while it is asked again leaves the first answer as it was', async () => {
    const plan: Plan = {
      id: 'b',
      recovery: 'r',
      rung: 'block',
      reason: 'a/b',
      toModel: 'No.',
      toHuman: 'No.',
      budgetLeft: 1,
      streak: 's',
    };
    const nothing = {
      signals: [],
      witnesses: [],
      shadow: null,
      outcomes: [],
      faults: [],
      step: 0,
      seen: null,
    };
    const faults: Fault[] = [];
    const guard = {
      observe: ({ type }: Json) => ({ ...nothing, plan: type === 'call-proposed' ? plan : null }),
    };
    const upstream = await startUpstream((reads) =>
      reads.results.length > 0 ? { error: 'overloaded' } : foo(reads),
    );
    const url = await serveGateway(upstream.url, {
      guard,
      onFault: (fault) => void faults.push(fault),
    });
    const { status, text: body } = await post(`${url}/v1/chat/completions`, chat(0));
    expect([status, JSON.parse(body).choices[0].message.tool_calls.length]).toEqual([200, 1]);
    expect(faults).toMatchObject([{ message: expect.stringContaining('the answer was 500') }]);
  });
});

describe('who may ask', () => {
  test('only pages and programs of this machine, and with a token only who has it', async () => {
    const upstream = await startUpstream(foo);
    const url = await serveGateway(upstream.url, {}, 'token-of-16-letters');
    const path = '/v1/models';
    const statusOf = async (headers: Record<string, string>, at = url) =>
      (await ask(at + path, { method: 'GET', headers })).status;
    expect(await statusOf({})).toBe(401);
    expect(await statusOf({ authorization: 'Bearer token-of-16-letters' })).toBe(401);
    expect(
      await statusOf({ 'x-unrut-token': 'token-of-16-letters', origin: 'https://evil.example' }),
    ).toBe(403);
    expect(upstream.received).toEqual([]);
    expect(await statusOf({ 'x-unrut-token': 'token-of-16-letters' })).toBe(404);
    expect(await statusOf({}, url.replace(/\/up$/, '/token/token-of-16-letters/up'))).toBe(404);
    expect(upstream.received.map((each) => each.path)).toEqual([path, path]);
    expect(JSON.stringify(upstream.received)).not.toContain('token-of-16-letters');
  });

  test('nobody is passed on to another address', async () => {
    const other = await startUpstream(foo);
    const upstream = await startUpstream(foo);
    const url = new URL(await serveGateway(upstream.url));
    for (const target of [`${other.url}/v1/models`, '/elsewhere/v1/models', '//up/v1', '/'])
      expect(
        await raw(url.href, (write) =>
          write(`GET ${target} HTTP/1.1\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n`),
        ),
      ).toMatch(/^HTTP\/1.1 404/);
    expect([other.received, upstream.received]).toEqual([[], []]);
  });
});

async function listening(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server that answers everything with these pieces. */
const serveText = (
  type: string,
  pieces: readonly (string | Buffer)[],
  headers: Record<string, string> = {},
): Promise<string> =>
  listening(
    createServer(async (request, response) => {
      await text(request);
      response.writeHead(200, { 'content-type': type, ...headers });
      for (const piece of pieces) {
        response.write(piece);
        await new Promise(setImmediate);
      }
      response.end();
    }),
  );
