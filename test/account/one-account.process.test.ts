import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerHook } from '@unrut/agents/hook/answer-hook';
import {
  type Account,
  accountOf,
  addEntry,
  readAccount,
  startAccount,
} from '@unrut/engine/account/account';
import type { AgentEvent } from '@unrut/engine/event';
import { createGuard } from '@unrut/engine/guard';
import { loadSettings } from '@unrut/ledger/config/load-settings';
import { sessionFiguresOf } from '@unrut/ledger/figures/count-session';
import type { Ledger } from '@unrut/ledger/ledger';
import { asRecorded } from '@unrut/ledger/reports/recorded-entry';
import { statsOf } from '@unrut/ledger/reports/stats';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { reportsOf } from '@unrut/ledger/sqlite/reports-of';
import { scan } from '@unrut/logs/scan/scan';
import { openReading } from '@unrut/server/api/reading';
import { afterAll, describe, expect, test } from 'vitest';
import { createMemoryLedger, recordTo } from '../../packages/cli/src/index.ts';
import { newPath } from '../ledger-files.ts';
import { serveOtlp } from '../server/otlp-server.ts';
import { served } from '../server/served.ts';

const folder = mkdtempSync(join(tmpdir(), 'unrut-account-'));
afterAll(() => rmSync(folder, { recursive: true }));

const AT = 1_794_800_000_000;
/** The recorded run cannot be changed, and OTLP never can act. */
const shadow = { guard: { shadow: true } };

/** The compared data: everything in an account that does not depend on the source. */
interface Told {
  steps: number;
  tokens: number | undefined;
  usd: number | undefined;
  wasted: object;
  loops: object[];
}

const told = ({ steps, tokens, usd, wasted, loops }: Account): Told => ({
  steps,
  tokens,
  usd,
  wasted,
  loops: loops.map(
    ({
      stretches: _,
      streak: __,
      at: ___,
      open: ____,
      refused: _____,
      tried: ______,
      heard: _______,
      ending: ________,
      plans,
      wasted: waste,
      ...loop
    }) => ({
      wasted: waste,
      ...loop,
      strength: Math.round(loop.strength * 100) / 100,
      plans: plans.map(({ step, rung, recovery }) => ({ step, rung, recovery })),
    }),
  ),
});

async function byScan(events: readonly AgentEvent[]): Promise<Map<string, Told>> {
  const path = join(folder, `run-${Math.random()}.jsonl`);
  writeFileSync(path, events.map((event) => JSON.stringify(event)).join('\n'));
  const { trajectories, problems } = await scan({ paths: [path] });
  expect(problems).toEqual([]);
  return new Map(
    trajectories.map(
      ({ id, steps, tokens, usd, wastedSteps, wastedTokens = 0, wastedUsd = 0, loops }) => {
        const agent = id.includes('/') ? id.slice(id.indexOf('/') + 1) : '';
        const found = loops.map(
          ({
            id: __,
            repeats: _,
            wastedMs: ___,
            plans,
            wastedSteps: lost,
            wastedTokens: tokens = 0,
            wastedUsd: usd = 0,
            ...loop
          }) => ({
            wasted: { steps: lost, tokens, usd },
            ...(agent === '' ? {} : { agent }),
            ...loop,
            plans: plans.map(({ step, rung, recovery }) => ({ step, rung, recovery })),
          }),
        );
        return [
          agent,
          {
            steps,
            tokens,
            usd,
            wasted: { steps: wastedSteps, tokens: wastedTokens, usd: wastedUsd },
            loops: found,
          },
        ];
      },
    ),
  );
}

/** The accounts of the session itself and of its nested agents, from what a ledger keeps. */
async function inLedger(ledger: Ledger): Promise<Map<string, Told>> {
  const entries = (await ledger.entries({ session: 'demo' })).map(asRecorded);
  const state = startAccount();
  for (const entry of entries) addEntry(state, entry);
  return new Map(state.threads.map(([agent]) => [agent, told(readAccount(state, agent))]));
}

async function byLibrary(events: readonly AgentEvent[]): Promise<Ledger> {
  const ledger = createMemoryLedger();
  const guard = recordTo(ledger, shadow.guard);
  for (const event of events) await guard.observe(event);
  return ledger;
}

async function byHttp(events: readonly AgentEvent[]): Promise<{ ledger: Ledger; url: string }> {
  const path = newPath();
  const ledger = createSqliteLedger({ path });
  const reading = openReading(ledger);
  const settings = () => loadSettings({ cwd: folder, home: folder, environment: {} });
  const server = await served(path, {
    ledger,
    settingsIn: () => shadow,
    reads: { reading, settings },
  });
  for (const event of events) {
    const { status } = await fetch(`${server.url}/v1/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(event),
    });
    expect(status).toBe(200);
  }
  return server;
}

type Done = Extract<AgentEvent, { type: 'call-proposed' | 'call-finished' }>;

/** Claude Code's hook payloads for these calls. */
async function byHook(events: readonly Done[]): Promise<Ledger> {
  const ledger = createMemoryLedger();
  for (const event of events) {
    const { id, tool, args } = event.call;
    const payload = {
      session_id: 'demo',
      hook_event_name: event.type === 'call-proposed' ? 'PreToolUse' : 'PostToolUse',
      tool_name: tool,
      tool_input: args,
      tool_use_id: id,
      cwd: '/home/dev/shop',
      ...(event.type === 'call-finished' ? { tool_response: event.result } : {}),
    };
    await answerHook(payload, {
      environment: {},
      said: 'claude-code',
      ledger,
      settings: shadow,
      at: event.at,
    });
  }
  return ledger;
}

/** The same calls as spans of the GenAI conventions. */
async function byTelemetry(events: readonly Done[]): Promise<Ledger> {
  const server = await serveOtlp({ settingsIn: () => shadow });
  const begun = new Map(
    events.filter(({ type }) => type === 'call-proposed').map(({ call, at }) => [call.id, at]),
  );
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const spans = events.flatMap((event, i) => {
    if (event.type === 'call-proposed') return [];
    const { id, tool, args } = event.call;
    return [
      {
        traceId: '0af7651916cd43dd8448eb211c80319c',
        spanId: (i + 1).toString(16).padStart(16, '0'),
        name: `execute_tool ${tool}`,
        kind: 1,
        startTimeUnixNano: `${begun.get(id)!}000000`,
        endTimeUnixNano: `${event.at}000000`,
        attributes: [
          ...[
            text('gen_ai.operation.name', 'execute_tool'),
            text('gen_ai.tool.name', tool),
            text('gen_ai.tool.call.id', id),
          ],
          ...[
            text('gen_ai.tool.call.arguments', JSON.stringify(args)),
            text('gen_ai.tool.call.result', String(event.result)),
          ],
          text('gen_ai.conversation.id', 'demo'),
        ],
      },
    ];
  });
  const { status } = await fetch(`${server.url}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      resourceSpans: [
        { resource: { attributes: [] }, scopeSpans: [{ scope: { name: 'test' }, spans }] },
      ],
    }),
  });
  expect(status).toBe(200);
  await server.settle();
  return server.ledger;
}

/** Calls, a few seconds apart. */
function calls(
  made: readonly { tool: string; args: object; result: string; more?: object }[],
): Done[] {
  return made.flatMap(({ tool, args, result, more = {} }, i): Done[] => {
    const call = { id: `call-${i}`, tool, args };
    const base = { session: 'demo', ...more };
    return [
      { ...base, type: 'call-proposed', at: AT + i * 4000, call },
      { ...base, type: 'call-finished', at: AT + i * 4000 + 1500, call, result },
    ];
  });
}
const reads = (i: number, more: object = {}) => ({
  tool: 'Read',
  args: { file_path: `/home/dev/shop/src/part-${i}.ts` },
  result: `export const part${i} = '${'abcdefghijklmnop'[i % 16]}${i * 7919}'; // nothing like the others ${i * 104_729}`,
  more,
});
const looks = (name: string, more: object = {}) => ({
  tool: 'lookup_order',
  args: { order: name },
  result: `Order ${name} is on its way and will arrive as announced.`,
  more,
});
const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

const example = readFileSync(
  new URL('../../examples/stuck-on-a-test.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as AgentEvent);
const isCall = (event: AgentEvent): event is Done =>
  event.type === 'call-proposed' || event.type === 'call-finished';

test('what the model reads names calls, never steps', () => {
  const guard = createGuard();
  const verdicts = [
    ...example,
    ...calls(times(8, () => looks('A-17'))),
    ...calls(times(8, (i) => looks(`${'AB'[i % 2]}-1`))),
  ].map(guard.observe);
  const texts = verdicts.flatMap(({ signals, plan }) => [
    ...signals.map(({ text }) => text),
    ...(plan ? [plan.toModel] : []),
  ]);
  expect(texts.length).toBeGreaterThan(10);
  expect(texts.filter((text) => /\bsteps? \d/.test(text))).toEqual([]);
});

describe('one run has one account', () => {
  test.each<[string, Done[], number]>([
    ['the calls of the example', example.filter(isCall), 1],
    [
      'two loops with a pause between them, and one that returns after a pause',
      calls([
        ...times(5, () => looks('A-17')),
        ...times(12, reads),
        ...times(5, () => looks('B-4')),
        ...times(10, (i) => reads(20 + i)),
        looks('B-4'),
      ]),
      2,
    ],
  ])('%s, by scan, library, HTTP, hook and OTLP', async (_, events, loops) => {
    const scanned = await byScan(events);
    expect(scanned.get('')!.loops.length).toBeGreaterThanOrEqual(loops);
    expect(await inLedger(await byLibrary(events))).toEqual(scanned);
    expect(await inLedger((await byHttp(events)).ledger)).toEqual(scanned);
    expect(await inLedger(await byHook(events))).toEqual(scanned);
    expect(await inLedger(await byTelemetry(events))).toEqual(scanned);
  });

  const priced = { cost: { tokens: 1200, usd: 0.0137 } };
  const helper = { ...priced, agent: 'helper' };
  const spent = [
    ...calls([
      ...times(3, (i) => reads(i, priced)),
      ...times(4, () => looks('A-17', helper)),
      ...times(6, () => looks('C-9', priced)),
      ...times(2, (i) => reads(30 + i, helper)),
    ]),
    { type: 'session-ended', session: 'demo', at: AT + 900_000, cost: { usd: 0.5 } } as AgentEvent,
  ];
  test.each<[string, AgentEvent[]]>([
    ['the example with all that was said', example],
    ['nested agents, prices of steps, and one of the whole', spent],
  ])('%s, by scan, library and HTTP, and in every view', async (_, events) => {
    const scanned = await byScan(events);
    const { ledger, url } = await byHttp(events);
    expect(await inLedger(await byLibrary(events))).toEqual(scanned);
    expect(await inLedger(ledger)).toEqual(scanned);

    const account = accountOf((await ledger.entries({ session: 'demo' })).map(asRecorded));
    const { steps, tokens = 0, usd = 0, wasted, looped: loops } = account;
    expect(account.loops.filter(({ advice }) => !advice)).toHaveLength(loops);
    const lost = account.loops.map((loop) => loop.wasted);
    expect(lost.reduce((sum, each) => sum + each.steps, 0)).toBe(wasted.steps);
    expect(lost.reduce((sum, each) => sum + each.usd, 0)).toBeCloseTo(wasted.usd, 5);
    expect(sessionFiguresOf('demo', await ledger.entries({ session: 'demo' }))).toMatchObject({
      steps,
      loops,
    });
    expect(await statsOf(reportsOf(ledger))).toMatchObject({
      steps,
      loops,
      looping: 1,
      tokens,
      usd,
      wasted,
    });

    const page = (await (await fetch(`${url}/v1/sessions/demo`)).json()) as {
      session: object;
      loops: { bursts: { wasted: object; since: number }[] }[];
    };
    expect(page.session).toMatchObject({ steps, loops, tokens, usd, wasted });
    const wastes = (all: readonly { wasted: object }[], from: (loop: never) => number): object[] =>
      all
        .map((loop) => ({ waste: loop.wasted, start: from(loop as never) }))
        .sort((one, other) => one.start - other.start);
    expect(
      wastes(
        page.loops.flatMap(({ bursts }) => bursts),
        ({ since }: { since: number }) => since,
      ),
    ).toEqual(
      wastes(
        account.loops.filter(({ advice }) => !advice),
        ({ start }: { start: number }) => start,
      ),
    );
    const stats = (await (await fetch(`${url}/v1/stats?since=0`)).json()) as {
      wasted: Account['wasted'];
      usd: number;
    };
    expect(stats).toMatchObject({ steps, loops });
    expect(stats.wasted.steps).toBe(wasted.steps);
    expect(stats.wasted.usd).toBeCloseTo(wasted.usd, 5);
    expect(stats.usd).toBeCloseTo(usd, 5);
  });
});
