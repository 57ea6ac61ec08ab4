import { gzipSync } from 'node:zlib';
import type { JsonObject } from '@unrut/engine/json';
import { createMemoryLedger } from '@unrut/ledger/memory';
import fc from 'fast-check';
import { Hono } from 'hono';
import { PbfReader } from 'pbf';
import { describe, expect, test } from 'vitest';
import { createBodies } from '../../packages/server/src/body.ts';
import { otlpRoutes } from '../../packages/server/src/otlp/otlp-routes.ts';
import {
  createTelemetry,
  type TelemetryOptions,
} from '../../packages/server/src/otlp/telemetry.ts';
import type { Reporting } from '../../packages/server/src/reporting.ts';
import { mount } from '../../packages/server/src/route/route.ts';
import { attributes, log, logsIn, span, spansIn } from '../importers/otlp-records.ts';
import { attribute, CALL, field, requestOf, said } from './otlp-bytes.ts';
import { serveOtlp } from './otlp-server.ts';
import { callSpan, toldIn } from './otlp-telemetry.ts';

const JSON_TYPE = 'application/json';
const PROTOBUF = 'application/x-protobuf';

/** The routes, which take at most 1 MB. */
function served(options: TelemetryOptions) {
  const telemetry = createTelemetry(options);
  const app = new Hono().use(createBodies({ mostBytes: 1 << 20 }).middleware);
  mount(app, otlpRoutes, () => ({ telemetry }) as Reporting);
  return { app, close: telemetry.close };
}

/** Routes that take at most 1 MB, and what they wrote in the end. */
function routes() {
  const ledger = createMemoryLedger();
  const { app, close } = served({ ledger, guard: {} });
  return {
    async post(path: string, body: Uint8Array | string, headers: Record<string, string>) {
      const response = await app.request(path, { method: 'POST', body: body as string, headers });
      const type = response.headers.get('content-type') ?? '';
      const bytes = new Uint8Array(await response.arrayBuffer());
      const text = type.startsWith(JSON_TYPE) ? new TextDecoder().decode(bytes) : '';
      return {
        status: response.status,
        type,
        bytes,
        json: text === '' ? undefined : JSON.parse(text),
      };
    },
    async told(): Promise<string[]> {
      await close();
      return toldIn(await ledger.entries());
    },
  };
}

describe('a request that is refused', () => {
  /** Lists in lists. */
  const deep = Array.from({ length: 5000 }).reduce<Uint8Array>(
    (inner) => field(5, field(1, inner)),
    new Uint8Array(),
  );
  const bomb = gzipSync(Buffer.alloc(64 << 20));

  test.each<[string, Uint8Array | string, Record<string, string>, number, string]>([
    [
      'without a type',
      '{}',
      { 'content-type': '' },
      415,
      'Expected Content-Type application/json or application/x-protobuf, got none.',
    ],
    ['of another type', '{}', { 'content-type': 'text/plain' }, 415, 'got text/plain.'],
    [
      'of gRPC',
      '',
      { 'content-type': 'application/grpc' },
      415,
      'Set OTEL_EXPORTER_OTLP_PROTOCOL to http/protobuf or http/json.',
    ],
    [
      'packed otherwise',
      '{}',
      { 'content-type': JSON_TYPE, 'content-encoding': 'br' },
      415,
      'Expected Content-Encoding gzip or none, got br.',
    ],
    [
      'that is no JSON',
      '{"resourceSpans": [',
      { 'content-type': JSON_TYPE },
      400,
      'Expected an OTLP request as JSON',
    ],
    ['that is a list', '[]', { 'content-type': JSON_TYPE }, 400, 'as a JSON object'],
    [
      'with a text for a list',
      '{"resourceSpans":"x"}',
      { 'content-type': JSON_TYPE },
      400,
      'Expected resourceSpans to be a list, got string.',
    ],
    [
      'packed, but not so',
      'plain',
      { 'content-type': JSON_TYPE, 'content-encoding': 'gzip' },
      400,
      'got something else.',
    ],
    [
      'that grows when unpacked',
      bomb,
      { 'content-type': JSON_TYPE, 'content-encoding': 'gzip' },
      413,
      'at most 1024 KB, got more',
    ],
    [
      'that grows, in protobuf',
      bomb,
      { 'content-type': PROTOBUF, 'content-encoding': 'gzip' },
      413,
      'at most 1024 KB, got more',
    ],
    [
      'of JSON as protobuf',
      '{"resourceSpans":[]}',
      { 'content-type': PROTOBUF },
      400,
      'as Protocol Buffers',
    ],
    [
      'that is cut off',
      CALL.slice(0, -9),
      { 'content-type': PROTOBUF },
      400,
      'the bytes end in the middle of a message',
    ],
    [
      'with an endless length',
      Uint8Array.of(0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f),
      { 'content-type': PROTOBUF },
      400,
      'end in the middle',
    ],
    [
      'with an endless number',
      new Uint8Array(20).fill(0xff),
      { 'content-type': PROTOBUF },
      400,
      'not more than 10 bytes',
    ],
    [
      'of zeros',
      new Uint8Array(1000),
      { 'content-type': PROTOBUF },
      400,
      'a field has the number 0',
    ],
    [
      'of groups',
      Uint8Array.of(0x0b, 0x0c),
      { 'content-type': PROTOBUF },
      400,
      'Unimplemented type: 3',
    ],
    [
      'nested without end',
      requestOf((span) => span.writeBytesField(9, attribute('deep', deep))),
      { 'content-type': PROTOBUF },
      400,
      'nested more than 100 levels deep',
    ],
  ])('%s: says why in one line, in its own encoding', async (_, body, headers, status, line) => {
    const { post, told } = routes();
    const answer = await post('/v1/traces', body, headers);
    expect(answer.status).toBe(status);
    const isProtobuf = headers['content-type'] === PROTOBUF;
    expect(answer.type).toBe(isProtobuf ? PROTOBUF : JSON_TYPE);
    const { code, message } = isProtobuf ? said(answer.bytes) : answer.json;
    expect(message).toContain(line);
    expect(message).not.toContain('\n');
    expect(code).toBe(status === 413 ? 8 : 3);
    expect(await told()).toEqual([]);
  });
});

describe('a request that is taken', () => {
  test('may be empty, and may hold metrics, which are passed over', async () => {
    const { post } = routes();
    for (const path of ['/v1/traces', '/v1/logs', '/v1/metrics']) {
      expect(
        await post(path, '{}', { 'content-type': `${JSON_TYPE}; charset=utf-8` }),
      ).toMatchObject({
        status: 200,
        type: JSON_TYPE,
        json: {},
      });
      const answer = await post(path, new Uint8Array(), { 'content-type': PROTOBUF });
      expect({ ...answer, bytes: answer.bytes.length }).toMatchObject({
        status: 200,
        type: PROTOBUF,
        bytes: 0,
      });
    }
    const metrics = {
      resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'claude_code.token.usage' }] }] }],
    };
    expect(
      await post('/v1/metrics', JSON.stringify(metrics), { 'content-type': JSON_TYPE }),
    ).toMatchObject({ status: 200, json: {} });
  });

  test('says how many of its items it could not use', async () => {
    const { post, told } = routes();
    const deep = `${'{"arrayValue":{"values":['.repeat(20_000)}${']}}'.repeat(20_000)}`;
    const nested = `{"key":"deep","value":${deep}}`;
    const spans = [
      callSpan(1000, 'Bash', {}, 'done'),
      null,
      7,
      { ...callSpan(1000, 'Bash', {}, ''), startTimeUnixNano: '0', endTimeUnixNano: '0' },
      { ...callSpan(1000, 'Bash', {}, ''), endTimeUnixNano: '9'.repeat(30) },
      { ...callSpan(1000, 'Bash', {}, ''), traceId: '' },
      // Seconds, milliseconds and microseconds instead of nanoseconds.
      ...['1794982000', '1794982000000', '1794982000000000'].map((time) => ({
        ...callSpan(1000, 'Bash', {}, ''),
        startTimeUnixNano: time,
        endTimeUnixNano: time,
      })),
    ];
    const body = JSON.stringify(spansIn(...spans, { name: 'NESTED' })).replace(
      '"name":"NESTED"',
      `"attributes":[${nested}]`,
    );
    expect(await post('/v1/traces', body, { 'content-type': JSON_TYPE })).toMatchObject({
      status: 200,
      json: {
        partialSuccess: {
          rejectedSpans: '9',
          errorMessage: expect.stringContaining('Expected objects with a time'),
        },
      },
    });
    const logs = JSON.stringify(
      logsIn(
        log(0, { 'event.name': 'tool_result', tool_name: 'Bash' }, 'codex.tool_result'),
        log(0, {}, 'other'),
      ),
    );
    expect(await post('/v1/logs', logs, { 'content-type': JSON_TYPE })).toMatchObject({
      json: { partialSuccess: { rejectedLogRecords: '1' } },
    });
    const inProtobuf = await post(
      '/v1/traces',
      requestOf((writer) => writer.writeStringField(5, 'no time')),
      { 'content-type': PROTOBUF },
    );
    const partial = new PbfReader(inProtobuf.bytes);
    partial.nextField();
    expect(said(partial.readBytes())).toEqual({
      code: 1,
      message: expect.stringContaining('Expected objects with a time'),
    });
    expect(await told()).toEqual(['Bash']);
  });

  test('may hold fields and wire types that nobody knows', async () => {
    const { post, told } = routes();
    const strange = requestOf((writer) => {
      writer.writeVarintField(5, 1);
      writer.writeFixed32Field(7, 1);
      writer.writeFixed64Field(900, 1);
      writer.writeDoubleField(11, 1);
    });
    const partial = await post('/v1/traces', strange, { 'content-type': PROTOBUF });
    expect([partial.status, partial.bytes.length > 0]).toEqual([200, true]);
    const unknown = Buffer.concat([field(2, CALL), CALL, field(3000, CALL)]);
    expect((await post('/v1/traces', unknown, { 'content-type': PROTOBUF })).status).toBe(200);
    expect(await told()).toEqual(['Bash']);
  });

  test('may have a hundred thousand attributes, and keys that reach for what objects share', async () => {
    const { url, ledger, settle } = await serveOtlp();
    const many = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, i) => [`gen_ai.prompt.${i}.content`, i]),
    );
    const given = callSpan(1000, 'Bash', {}, 'done');
    const hostile = [
      ...attributes(many),
      ...attributes({
        ['__proto__']: 1,
        'llm.input_messages.__proto__.polluted': 1,
        'constructor.prototype.polluted': 1,
      }),
    ];
    const body = JSON.stringify(
      spansIn({ ...given, attributes: [...(given.attributes as unknown[]), ...hostile] }),
    );
    const answer = await fetch(`${url}/v1/traces`, {
      method: 'POST',
      body,
      headers: { 'content-type': JSON_TYPE },
    });
    expect(answer.status).toBe(200);
    await settle();
    expect(toldIn(await ledger.entries())).toEqual(['Bash']);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

test('what no reader foresaw costs its own session a few steps, and nobody else anything', async () => {
  const { url, ledger, settle } = await serveOtlp();
  const deep = (name: string, value: string): JsonObject => {
    const given = callSpan(1000, 'Bash', {}, 'done', { session: 'deep', id: name });
    return {
      ...given,
      attributes: [...(given.attributes as unknown[]), ...attributes({ [name]: value })],
    };
  };
  const nested = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const inside = `${'{"messages":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
  const names = {
    'gen_ai.tool.call.arguments': nested,
    'gen_ai.tool.call.result': nested,
    'gen_ai.input.messages': inside,
  };
  const spans = [
    ...Object.entries(names).map(([name, value]) => deep(name, value)),
    callSpan(1000, 'Read', {}, 'a', { session: 'plain' }),
  ];
  const body = JSON.stringify(spansIn(...spans));
  expect(
    (
      await fetch(`${url}/v1/traces`, {
        method: 'POST',
        body,
        headers: { 'content-type': JSON_TYPE },
      })
    ).status,
  ).toBe(200);
  await settle();
  expect(toldIn(await ledger.entries({ session: 'plain' }))).toEqual(['Read']);
});

test('a ledger that cannot be used is no reason to refuse', async () => {
  const { url, ledger, settle } = await serveOtlp();
  await ledger.close();
  const body = JSON.stringify(spansIn(callSpan(1000, 'Bash', {}, 'done')));
  expect(
    (
      await fetch(`${url}/v1/traces`, {
        method: 'POST',
        body,
        headers: { 'content-type': JSON_TYPE },
      })
    ).status,
  ).toBe(200);
  await settle();
});

test('bytes that are cut off or changed anywhere are answered, and harm nobody', async () => {
  const { post, told } = routes();
  await fc.assert(
    fc.asyncProperty(
      fc.nat(CALL.length - 1),
      fc.nat(255),
      fc.nat(CALL.length),
      async (at, byte, length) => {
        const broken = CALL.slice(0, length);
        if (at < length) broken[at] = byte;
        expect([200, 400]).toContain(
          (await post('/v1/traces', broken, { 'content-type': PROTOBUF })).status,
        );
      },
    ),
    { numRuns: 500 },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.jsonValue(),
      fc.constantFrom('resourceSpans', 'scopeSpans', 'spans', 'attributes'),
      async (value, where) => {
        const body = JSON.stringify({
          resourceSpans: [{ scopeSpans: [{ spans: [span({})] }] }],
        }).replace(new RegExp(`"${where}":`), `"${where}":${JSON.stringify(value)},"x":`);
        expect([200, 400]).toContain(
          (await post('/v1/traces', body, { 'content-type': JSON_TYPE })).status,
        );
      },
    ),
    { numRuns: 200 },
  );
  const sound = JSON.stringify(spansIn(callSpan(1000, 'Grep', {}, 'done')));
  expect((await post('/v1/traces', sound, { 'content-type': JSON_TYPE })).status).toBe(200);
  expect(await told()).toContain('Grep');
});

test('while too much waits to be written, exporters are asked to come again', async () => {
  const ledger = createMemoryLedger();
  const { app, close } = served({ ledger, guard: {}, room: 1000 });
  const post = (n: number) =>
    app.request('/v1/traces', {
      method: 'POST',
      headers: { 'content-type': JSON_TYPE },
      body: JSON.stringify(spansIn(callSpan(n, 'Bash', { n }, 'x'.repeat(2000)))),
    });
  expect((await post(1000)).status).toBe(200);
  const refused = await post(2000);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  await close();
  expect((await post(2000)).status).toBe(200);
  await close();
  expect(toldIn(await ledger.entries())).toEqual(['Bash', 'Bash']);
});
