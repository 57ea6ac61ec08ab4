import { span, spansIn } from '@unrut/test/importers/otlp-records';
import { callSpan, watchTelemetry } from '@unrut/test/server/otlp-telemetry';
import { expect, test } from 'vitest';

const root = (id: string, session: string, parent?: string): object =>
  span({
    id,
    ...(parent === undefined ? {} : { parent }),
    name: 'POST /chat',
    start: 0,
    end: 9000,
    trace: 't',
    attributes: { 'session.id': session },
  });
const plain = (id: string, parent: string): object =>
  span({ id, parent, name: 'middleware', start: 1, end: 8000, trace: 't' });
const calls = (parent: string, first: number): object[] =>
  [0, 1].map((n) =>
    callSpan(first + n * 100, 'Bash', { command: `ls ${parent} ${n}` }, `done ${n}`, {
      parent,
      trace: 't',
      id: `${parent}${n}`,
    }),
  );

/** The sessions of all events, with the number of events in each. */
async function sessionsOf(...requests: object[][]): Promise<Record<string, number>> {
  const { at, entries } = watchTelemetry();
  for (const [i, spans] of requests.entries()) await at(i * 1000, spansIn(...spans));
  const counts: Record<string, number> = {};
  for (const { session, kind } of await entries())
    if (kind === 'event') counts[session] = (counts[session] ?? 0) + 1;
  return counts;
}

test.each([
  ['comes before its calls', [[root('r', 'chat-1')], calls('r', 1000)]],
  ['comes after them, as it ends last', [calls('r', 1000), [root('r', 'chat-1')]]],
  ['comes in one request with them', [[...calls('r', 1000), root('r', 'chat-1')]]],
  [
    'stands further above',
    [calls('m2', 1000), [plain('m2', 'm1')], [plain('m1', 'r')], [root('r', 'chat-1')]],
  ],
])('a session that an ordinary span names is that of all in it: it %s', async (_, requests) => {
  expect(await sessionsOf(...requests)).toEqual({ 'chat-1': 4 });
});

test.each([
  [
    'after',
    [
      calls('a', 1000),
      calls('b', 2000),
      [root('a', 'chat-a', 'job')],
      [root('b', 'chat-b', 'job')],
      [plain('job', '')],
    ],
  ],
  [
    'before',
    [
      [root('b', 'chat-b', 'job'), root('a', 'chat-a', 'job')],
      [...calls('a', 1000), ...calls('b', 2000)],
    ],
  ],
])('two sessions in one trace stay two, their spans come %s', async (_, requests) => {
  expect(await sessionsOf(...requests)).toEqual({ 'chat-a': 4, 'chat-b': 4 });
});

test('without any, the trace is the session', async () => {
  expect(await sessionsOf(calls('r', 1000), [plain('r', '')])).toEqual({ t: 4 });
});
