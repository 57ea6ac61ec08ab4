import { answerHook } from '@unrut/agents/hook/answer-hook';
import type { JsonObject } from '@unrut/engine/json';
import { createMemoryLedger } from '@unrut/ledger/memory';
import { casesOf } from '@unrut/test/full-runs';
import { LOOPING } from '@unrut/test/hosts/looping-host';
import { recordsOf } from '@unrut/test/importers/import-file';
import { apart, log, logsIn, span, spansIn } from '@unrut/test/importers/otlp-records';
import { callSpan, signalsIn, toldIn, watchTelemetry } from '@unrut/test/server/otlp-telemetry';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createTelemetry } from './otlp/telemetry.ts';
import { partsIn } from './otlp/telemetry-part.ts';

const read = (start: number, more = {}): JsonObject =>
  callSpan(start, 'Read', { file_path: 'a.ts' }, 'const a = 1;', more);
const edit = (start: number, n = start): JsonObject =>
  callSpan(
    start,
    'Edit',
    { file_path: `file-${n}.ts`, old_string: `${n}`, new_string: `${n + 1}` },
    `The file file-${n}.ts was updated.`,
  );
const root = (end: number): JsonObject =>
  span({ id: 'root', start: 0, end, attributes: { 'gen_ai.operation.name': 'invoke_agent' } });
const person = (at: number): JsonObject =>
  log(
    at,
    { 'session.id': 's', 'event.name': 'user_prompt', prompt: 'Once more.' },
    'codex.user_prompt',
  );
const endOf = (given: JsonObject): number =>
  Number(BigInt(String(given.endTimeUnixNano)) / 1_000_000n) - Date.UTC(2026, 0, 1);

/** Endless reads, with some work before and after. */
const LOOP = [
  edit(1000),
  edit(2000),
  ...[3, 4, 5, 6, 7, 8].map((n) => read(n * 1000)),
  edit(9000),
  edit(10_000),
  root(11_000),
];

const inOrder = async (spans: readonly unknown[]): Promise<unknown[]> => {
  const { at, entries } = watchTelemetry();
  await at(0, spansIn(...spans));
  return signalsIn(await entries());
};

describe('spans', () => {
  test('in any order, in any batches, raise the same signals', async () => {
    const expected = await inOrder(LOOP);
    expect(expected.length).toBeGreaterThan(2);
    const shuffled = fc.shuffledSubarray(LOOP, { minLength: LOOP.length });
    await fc.assert(
      fc.asyncProperty(shuffled, fc.integer({ min: 1, max: LOOP.length }), async (spans, size) => {
        const { at, entries } = watchTelemetry();
        for (let i = 0; i < spans.length; i += size)
          await at(i, spansIn(...spans.slice(i, i + size)));
        expect(signalsIn(await entries())).toEqual(expected);
      }),
      { numRuns: casesOf(50) },
    );
  });

  test('of processes that send every five seconds at most raise the same signals while they come', async () => {
    const expected = await inOrder(LOOP);
    const delays = fc.array(fc.integer({ min: 0, max: 5000 }), {
      minLength: LOOP.length,
      maxLength: LOOP.length,
    });
    await fc.assert(
      fc.asyncProperty(delays, async (late) => {
        const { at, entries } = watchTelemetry();
        const sent = LOOP.map((each, i) => ({ each, at: endOf(each) + late[i]! })).sort(
          (a, b) => a.at - b.at,
        );
        for (const { each, at: time } of sent) await at(time, spansIn(each));
        expect(signalsIn(await entries())).toEqual(expected);
      }),
      { numRuns: casesOf(50) },
    );
  });

  test('are observed in time, once, when the clock of the machine is set back by an hour', async () => {
    const ledger = createMemoryLedger();
    const telemetry = createTelemetry({ ledger, guard: {} });
    onTestFinished(() => telemetry.close());
    onTestFinished(() => void vi.restoreAllMocks());
    let steady = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => steady);
    const took = async (spans: readonly JsonObject[]): Promise<void> => {
      const body = spansIn(...spans) as JsonObject;
      telemetry.take((await partsIn(body, JSON.stringify(body).length)).parts);
    };
    await took(LOOP.slice(0, 5));
    const { now } = Date;
    vi.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000);
    await took([...LOOP.slice(4), ...LOOP.slice(0, 2)]);
    steady += 5000;
    await telemetry.tick();
    expect(await ledger.entries()).toEqual([]);
    steady += 2000;
    await telemetry.tick();
    const watched = watchTelemetry();
    await watched.at(0, spansIn(...LOOP));
    expect(toldIn(await ledger.entries())).toEqual(toldIn(await watched.entries()));
    expect(signalsIn(await ledger.entries())).toEqual(await inOrder(LOOP));
  });

  test('are observed when they have waited for six seconds', async () => {
    const { at, ledger } = watchTelemetry();
    for (const each of LOOP.slice(0, 6)) await at(endOf(each), spansIn(each));
    await at(11_000, {});
    expect(toldIn(await ledger.entries())).toEqual(['Edit', 'Edit', 'Read', 'Read']);
    expect(await ledger.entries({ kind: 'signal' })).toEqual([]);
    await at(14_000, {});
    expect((await ledger.entries({ kind: 'signal' })).length).toBeGreaterThan(0);
  });

  test('that are sent again change nothing: while they wait, after they were recorded, and after a restart', async () => {
    const { at, ledger, entries } = watchTelemetry();
    await at(0, spansIn(...LOOP));
    await at(1000, spansIn(...LOOP));
    await at(20_000, {});
    const before = [await ledger.entries(), await ledger.loadState('t1')];
    expect(toldIn(before[0] as never)).toHaveLength(LOOP.length - 1);
    await at(21_000, spansIn(...LOOP));
    await entries();
    expect([await ledger.entries(), await ledger.loadState('t1')]).toEqual(before);
    const restarted = watchTelemetry(ledger);
    await restarted.at(22_000, spansIn(...LOOP));
    expect(await restarted.entries()).toEqual(before[0]);
    expect(await ledger.loadState('t1')).toEqual(before[1]);
  });

  test('belong to the session that their trace turns out to have', async () => {
    const { at, entries } = watchTelemetry();
    await at(0, spansIn(read(1000)));
    await at(1000, spansIn(read(2000, { session: 'thread-1' }), read(3000)));
    const found = await entries();
    expect(new Set(found.map(({ session }) => session))).toEqual(new Set(['thread-1']));
    expect(toldIn(found)).toEqual(['Read', 'Read', 'Read']);
  });

  test('are not held for ever: too many of a session, or too many sessions, are recorded at once', async () => {
    const one = watchTelemetry();
    await one.at(0, spansIn(...Array.from({ length: 5001 }, (_, n) => edit(1000 + n))));
    expect(toldIn(await one.ledger.entries())).toHaveLength(5001);
    const many = watchTelemetry();
    await many.at(
      0,
      spansIn(...Array.from({ length: 1001 }, (_, n) => read(1000 + n, { session: `s${n}` }))),
    );
    expect((await many.ledger.sessions()).map(({ session }) => session)).toEqual(['s0']);
  });

  test('that tell of no agent leave nothing', async () => {
    const { at, entries } = watchTelemetry();
    await at(
      0,
      spansIn(span({ name: 'GET /users', attributes: { 'http.request.method': 'GET' } })),
    );
    expect(await entries()).toEqual([]);
  });
});

describe('what comes too late', () => {
  /** Three reads of a file are no loop with an edit before each; without the edits they are. */
  const polls = [1, 3, 5].map((n) => read(n * 1000));
  const edits = [2, 4].map((n) => edit(n * 1000));

  test('is kept, and makes no loop', async () => {
    const { at, entries } = watchTelemetry();
    await at(6000, spansIn(...edits, edit(5500)));
    await at(20_000, {});
    await at(21_000, spansIn(...polls));
    const found = await entries();
    expect(toldIn(found)).toEqual(['(Read)', 'Edit', '(Read)', 'Edit', '(Read)', 'Edit']);
    expect(signalsIn(found)).toEqual([]);
    const inTime = watchTelemetry();
    await inTime.at(0, spansIn(...[1, 2, 3].map((n) => read(n * 1000))));
    expect(signalsIn(await inTime.entries())).not.toEqual([]);
  });

  test('of a call that took long is its beginning only', async () => {
    const { at, entries } = watchTelemetry();
    await at(6000, spansIn(edit(5000)));
    await at(20_000, {});
    await at(60_000, spansIn(callSpan(1000, 'Bash', { command: 'make' }, 'made', { end: 59_000 })));
    const found = await entries();
    expect(toldIn(found)).toEqual(['Edit', 'Bash']);
    expect(found.filter(({ data }) => data.aside).map(({ data }) => data.type)).toEqual([
      'call-proposed',
    ]);
  });

  test('of a person is heard', async () => {
    const session = { session: 's' };
    const twice = (from: number): unknown =>
      spansIn(...[0, 1000].map((more) => read(from + more, session)));
    const { at, entries } = watchTelemetry();
    await at(6000, twice(1000));
    await at(13_000, {});
    await at(20_000, logsIn(person(1500)));
    await at(30_000, twice(21_000));
    const found = await entries();
    expect(toldIn(found)).toEqual(['Read', 'Read', 'user-spoke', 'Read', 'Read']);
    expect(signalsIn(found)).toEqual([]);
  });
});

describe('nested agents', () => {
  const inside = (parent: string, start: number): JsonObject =>
    read(start, { parent, trace: 'n', session: 's' });
  const delegate = (id: string, start: number, end: number): JsonObject =>
    callSpan(start, 'delegate', { task: id }, 'done', {
      id,
      call: `call-${id}`,
      end,
      parent: 'root',
      trace: 'n',
      session: 's',
    });

  test('are distinguished, also while the spans around them are still to come', async () => {
    const { at, entries, ledger } = watchTelemetry();
    await at(500, spansIn(read(100, { parent: 'root', trace: 'n', session: 's' })));
    await at(8000, spansIn(inside('one', 2000), inside('two', 3000), inside('three', 4000)));
    await at(20_000, {});
    expect(toldIn(await ledger.entries())).toEqual(['Read']);
    await at(21_000, spansIn(delegate('one', 1000, 20_000), delegate('two', 1000, 20_000)));
    await at(28_000, {});
    expect(toldIn(await ledger.entries())).toEqual([
      'Read',
      'call-one Read',
      'call-two Read',
      'delegate',
      'delegate',
    ]);
    const found = await entries();
    expect(toldIn(found)).toEqual([
      'Read',
      'call-one Read',
      'call-two Read',
      'three Read',
      'delegate',
      'delegate',
    ]);
    expect(signalsIn(found)).toEqual([]);
  });

  test('are not what a span around each step is', async () => {
    const { at, entries } = watchTelemetry();
    for (const n of [1, 2, 3, 4]) {
      await at(n * 10_000, spansIn(read(n * 10_000 - 9000, { parent: `step-${n}` })));
      await at(
        n * 10_000 + 8000,
        spansIn(
          span({
            id: `step-${n}`,
            parent: 'root',
            start: n * 10_000 - 9500,
            end: n * 10_000 + 7000,
          }),
        ),
      );
    }
    const found = await entries();
    expect(toldIn(found)).toEqual(['Read', 'Read', 'Read', 'Read']);
    expect(signalsIn(found).length).toBeGreaterThan(0);
  });
});

describe("Claude Code's telemetry", () => {
  const recorded = apart(recordsOf('otlp-claude-code.jsonl')) as { resourceSpans?: unknown }[];
  const [spans, logs] = [
    recorded.filter((each) => each.resourceSpans),
    recorded.filter((each) => !each.resourceSpans),
  ];
  const CALLS = ['Bash', 'Read', 'Bash', 'Agent', 'Bash'];

  test.each([
    ['spans alone', [spans]],
    ['log records alone', [logs]],
    ['both at once', [[...spans, ...logs]]],
    ['spans, and log records when these were told', [spans, logs]],
    ['log records, and spans when these were told', [logs, spans]],
  ])('tells of each call once: %s', async (_, batches) => {
    const { at, entries } = watchTelemetry();
    for (const [i, batch] of batches.entries()) {
      for (const each of batch) await at(i * 100_000, each);
      await at(i * 100_000 + 70_000, {});
    }
    const calls = (await entries())
      .filter(({ data }) => data.type === 'call-finished' && !data.aside)
      .map(({ data }) => data.tool);
    expect(calls.toSorted()).toEqual(CALLS.toSorted());
  });

  test('adds nothing but the cost to what hooks have recorded', async () => {
    const ledger = createMemoryLedger();
    const told = [1, 2, 3].flatMap((n) => [
      LOOPING['claude-code'].before(n),
      ...LOOPING['claude-code'].after(n),
    ]);
    const hook = { environment: {}, ledger, settings: { guard: {} } };
    for (const [i, payload] of told.entries())
      await answerHook(payload, { ...hook, at: Date.UTC(2026, 0, 1) + i * 1000 });
    const { session } = (await ledger.sessions())[0]!;
    const before = { entries: await ledger.entries(), state: await ledger.loadState(session) };
    const about = (name: string) => ({ 'session.id': session, 'event.name': name });
    const { at, entries } = watchTelemetry(ledger);
    await at(
      0,
      logsIn(
        log(
          9000,
          { ...about('api_request'), input_tokens: 10, output_tokens: 5, cost_usd: 1 },
          'claude_code.api_request',
        ),
        log(
          9500,
          { ...about('tool_result'), tool_name: 'Bash', tool_use_id: 'again', success: 'true' },
          'claude_code.tool_result',
        ),
      ),
    );
    const after = await entries();
    expect(after.slice(0, before.entries.length)).toEqual(before.entries);
    expect(
      after.slice(before.entries.length).map(({ kind, data }) => [kind, data.type, data.cost]),
    ).toEqual([['event', 'text-added', { tokens: 15, usd: 1 }]]);
    expect(await ledger.loadState(session)).toEqual(before.state);
  });
});
