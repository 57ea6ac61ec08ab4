import type { AgentEvent } from '@unrut/engine/event';
import { describe, expect, test } from 'vitest';
import { createGuard, type Outcome } from '../packages/cli/src/index.ts';
import { prose, source } from './scenarios/content.ts';
import {
  CAN,
  type CallStep,
  type Happening,
  type Item,
  inTurn,
  type Moment,
  plansOf,
  play,
  times,
} from './scenarios/scenario.ts';

const lookup: CallStep = {
  tool: 'lookup_order',
  args: { order: 7 },
  result: 'Order 7 was shipped on Monday and is on its way.',
};
const deploy = (works: boolean): CallStep => ({
  tool: 'deploy_site',
  args: { site: 'shop' },
  ...(works
    ? { result: 'The shop is online at its new address.' }
    : { error: 'Error: the certificate of the site has run out' }),
});
const read = (i: number): CallStep => ({
  tool: 'Read',
  args: { file_path: `/repo/docs/${i}.md` },
  result: prose(i, 30),
});
const write = (i: number): CallStep => ({
  tool: 'Write',
  args: { file_path: `/repo/src/${i}.ts`, content: source(i, 6) },
  result: `The file /repo/src/${i}.ts has been created.`,
});
const pause = (i: number): CallStep => ({
  tool: 'sleep',
  args: { seconds: i + 1 },
  result: `Slept for ${i + 1} seconds.`,
});
const end: Happening = { event: { type: 'session-ended' } };

const outcomes = (moments: Moment[]): Outcome[] =>
  moments.flatMap(({ verdict }) => verdict.outcomes);
const words = (moments: Moment[]): string[] =>
  outcomes(moments).map(({ rung, outcome }) => `${rung} ${outcome}`);
const run = (...items: (Item | Item[])[]): Promise<Moment[]> =>
  play(items.flat(), { mode: 'finished' });

describe('what became of a plan', () => {
  test('recovered: the agent moved on with progress', async () => {
    expect(words(await run(inTurn(3, [lookup]), times(5, write)))).toEqual(['note recovered']);
  });

  test('recovered: the failing call succeeded later', async () => {
    const moments = await run(inTurn(3, [deploy(false)]), read(1), deploy(true));
    expect(words(moments)).toEqual(['note recovered']);
    expect(outcomes(moments)[0]).toMatchObject({
      recovery: 'say-what-repeats',
      after: 2,
      plan: plansOf(moments)[0]!.plan.id,
    });
  });

  test('persisted: the same streak continued, and so it is for each plan in turn', async () => {
    const moments = await run(inTurn(6, [lookup]));
    expect(words(moments)).toEqual(['note persisted', 'hint persisted', 'escalate persisted']);
    expect(outcomes(moments).map(({ after }) => after)).toEqual([1, 1, 1]);
  });

  test('relapsed: it came back after a recovery', async () => {
    const moments = await run(inTurn(3, [lookup]), times(6, write), inTurn(3, [lookup]));
    expect(words(moments)).toEqual(['note recovered', 'note relapsed']);
    expect(new Set(outcomes(moments).map(({ plan }) => plan)).size).toBe(1);
  });

  test('relapsed is said once', async () => {
    const moments = await run(inTurn(3, [lookup]), times(6, write), inTurn(4, [lookup]));
    expect(words(moments)).toEqual(['note recovered', 'note relapsed', 'hint persisted']);
  });

  test('unknown: neither was seen', async () => {
    expect(words(await run(inTurn(3, [lookup]), times(5, pause)))).toEqual(['note unknown']);
  });

  test('unknown: the session ended before anything could be seen', async () => {
    expect(words(await run(inTurn(3, [lookup]), end))).toEqual(['note unknown']);
  });
});

describe('never claims what did not happen', () => {
  test.each([1, 2])('%d bare look(s) are no recovery', async (looks) => {
    expect(words(await run(inTurn(3, [lookup]), times(looks, read), end))).toEqual([
      'note unknown',
    ]);
  });

  test('a look and some waiting are no recovery', async () => {
    const moments = await run(inTurn(3, [deploy(false)]), read(1), times(4, pause), end);
    expect(words(moments)).toEqual(['note unknown']);
  });

  test('reading on, three new things and more, is moving on', async () => {
    expect(words(await run(inTurn(3, [lookup]), times(5, read)))).toEqual(['note recovered']);
  });

  test('a write, and then the end, is moving on', async () => {
    expect(words(await run(inTurn(3, [lookup]), write(1), end))).toEqual(['note recovered']);
  });

  test('the same answer as before from a call that never failed is no recovery', async () => {
    expect(
      words(await run(inTurn(3, [lookup]), { event: { type: 'user-spoke' } }, lookup, end)),
    ).toEqual(['note unknown']);
  });

  test('our own block is neither progress nor a step of the agent', async () => {
    const moments = await play([...inTurn(5, [lookup]), end]);
    expect(words(moments)).toEqual(['note persisted', 'hint unknown', 'block unknown']);
  });
});

describe('what an adapter reports', () => {
  test('lowers the rung in the outcome', () => {
    const guard = createGuard({ can: CAN });
    const seen: Outcome[] = [];
    const see = (event: AgentEvent): string | undefined => {
      const verdict = guard.observe(event);
      seen.push(...verdict.outcomes);
      return verdict.plan?.id;
    };
    const call = (i: number): AgentEvent => ({
      type: 'call-finished',
      session: 's',
      at: i * 5000,
      call: { id: `c${i}`, tool: lookup.tool, args: lookup.args },
      result: lookup.result,
    });
    for (let i = 1; i <= 3; i++) see(call(i));
    const hint = see(call(4))!;
    see({
      type: 'plan-performed',
      session: 's',
      at: 20_001,
      plan: hint,
      rung: 'note',
      failed: true,
    });
    see(call(5));
    expect(seen.map(({ rung, recovery, outcome }) => `${rung} by ${recovery} ${outcome}`)).toEqual([
      'note by say-what-repeats persisted',
      'note by offer-next-moves persisted',
    ]);
  });

  test('of a plan that is not known changes nothing', () => {
    const guard = createGuard();
    const verdict = guard.observe({
      type: 'plan-performed',
      session: 's',
      at: 1,
      plan: 'p99',
      rung: 'note',
    });
    expect(verdict).toMatchObject({ signals: [], plan: null, outcomes: [], faults: [] });
  });
});
