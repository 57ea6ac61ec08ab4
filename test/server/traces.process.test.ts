import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { noTraces, openTraces } from '@unrut/server/traces';
import { expect, onTestFinished, test, vi } from 'vitest';
import { newPath } from '../ledger-files.ts';
import { ask } from './request.ts';
import { lookup, served } from './served.ts';

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
}

/** What collects traces. */
async function collector() {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    bodies.push((await request.toArray()).join(''));
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  const spans = (): Span[] =>
    bodies
      .flatMap(
        (body) =>
          (JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] })
            .resourceSpans,
      )
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies, spans };
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

test('a request, its step and the thinking are spans of the trace that the caller names, and hold nothing of the agent', async () => {
  const { url: endpoint, bodies, spans } = await collector();
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', endpoint);
  onTestFinished(() => void vi.unstubAllEnvs());
  const traces = await openTraces(process.env, '0.0.0', expect.unreachable);
  const { url } = await served(newPath(), { traces });
  const event = lookup(0, { session: 'a-secret-session', result: 'a secret result' });
  const headers = { traceparent: `00-${TRACE}-${PARENT}-01` };
  expect((await ask(`${url}/v1/events`, { body: JSON.stringify(event), headers })).status).toBe(
    200,
  );
  expect((await ask(`${url}/v1/events`, { body: JSON.stringify(lookup(1)) })).status).toBe(200);
  await traces.close();
  const [request, other] = spans().filter(({ name }) => name === 'POST /v1/events');
  expect([request!.traceId, request!.parentSpanId]).toEqual([TRACE, PARENT]);
  expect(other!.traceId).not.toBe(TRACE);
  const under = (parent: Span): Span[] =>
    spans().filter(({ parentSpanId }) => parentSpanId === parent.spanId);
  expect(under(request!).map(({ name }) => name)).toEqual(['step']);
  expect(under(under(request!)[0]!).map(({ name }) => name)).toEqual(['think']);
  expect(bodies.join()).not.toContain('secret');
  expect(bodies.join()).toContain('"unrut"');
});

test.each(['', 'nonsense', `00-${'0'.repeat(32)}-${PARENT}-01`])(
  'traceparent %j begins a trace of its own',
  async (traceparent) => {
    const { url: endpoint, spans } = await collector();
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', endpoint);
    onTestFinished(() => void vi.unstubAllEnvs());
    const traces = await openTraces(process.env, '0.0.0', expect.unreachable);
    const { url } = await served(newPath(), { traces });
    expect((await ask(`${url}/livez`, { method: 'GET', headers: { traceparent } })).status).toBe(
      200,
    );
    await traces.close();
    expect(spans()).toMatchObject([
      { name: 'GET /livez', traceId: expect.stringMatching(/[1-9a-f]/) },
    ]);
    expect(spans()[0]!.parentSpanId).toBeFalsy();
  },
);

test('without a collector nothing is started, and work continues unchanged', async () => {
  const traces = await openTraces({}, '0.0.0', expect.unreachable);
  for (const each of [traces, noTraces]) {
    expect(each.span('step', () => 7)).toBe(7);
    await expect(each.span('step', async () => 8)).resolves.toBe(8);
    expect(() => each.span('step', () => JSON.parse('{'))).toThrow('JSON');
    await each.close();
  }
});
