import { safeName } from '@unrut/engine/redact/safe-name';
import { recordLoop } from '@unrut/test/views/recorded-run';
import { describe, expect, test } from 'vitest';
import type { Ledger, LedgerEntry, LedgerQuery } from '../ledger.ts';
import { createMemoryLedger } from '../memory.ts';
import { createRecorder } from '../recorder.ts';
import { statisticsText } from '../report/statistics-text.ts';
import { watchScreen } from '../report/watch-screen.ts';
import { statsOf } from '../reports/stats.ts';
import { reportsOf } from '../sqlite/reports-of.ts';
import { noColours } from '../text/paint.ts';
import { findSession, shortNames } from './find-session.ts';
import { createWatch } from './watched-sessions.ts';

const AT = 1_794_800_000_000;
const HOUR = 3_600_000;

describe('a session is found', () => {
  const sessions = ['3f2a91bc-1', '3f2a91bc-2', '77aa', '77aab'];

  test.each([
    ['77aa', '77aa'],
    ['77aab', '77aab'],
    ['3f2a91bc-2', '3f2a91bc-2'],
  ])('by %s', (given, session) => expect(findSession(sessions, given)).toBe(session));

  test.each([
    ['3f2', '2 sessions begin with 3f2: 3f2a91bc-1, 3f2a91bc-2. Give more of the name.'],
    ['9', 'There is no session 9 in the ledger.'],
    ['', 'There is no session without a name'],
  ])('not by %j, and it is said why', (given, why) =>
    expect(() => findSession(sessions, given)).toThrow(why),
  );

  test('by a name that is kept under a hash', () => {
    const secret = 'ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5';
    expect(findSession([...sessions, safeName(secret)], secret)).toBe(safeName(secret));
  });

  test('by the short name that is shown, whatever others are called', () => {
    const names = shortNames(sessions);
    expect([...names.values()].sort()).toEqual(['3f2a91bc-1', '3f2a91bc-2', '77aa', '77aab']);
    expect(shortNames(['0123456789', 'x']).get('0123456789')).toBe('01234567');
    for (const [session, name] of names) expect(findSession(sessions, name)).toBe(session);
  });
});

describe('the figures of a ledger', () => {
  test('count sessions, detectors, recoveries with their outcomes, and tools', async () => {
    const ledger = createMemoryLedger();
    await recordLoop(ledger, { session: 'a', tries: 6, at: AT });
    await recordLoop(ledger, { session: 'b', tries: 2, at: AT });
    await recordLoop(ledger, { session: 'c', tries: 3, at: AT, shadow: true });
    const statistics = await statsOf(reportsOf(ledger));
    expect(statistics).toMatchObject({
      sessions: 3,
      looping: 2,
      steps: 11,
      loops: 2,
      plans: 5,
      shadow: 1,
      faults: 0,
    });
    expect(statistics.outcomes).toEqual({ recovered: 0, persisted: 3, relapsed: 0, unknown: 0 });
    expect(statistics.detectors).toContainEqual({
      detector: 'repeated-call',
      signals: 4,
      sessions: 2,
    });
    expect(statistics.recoveries).toContainEqual({
      recovery: 'say-what-repeats',
      rung: 'note',
      plans: 2,
      shadow: 1,
      notPerformed: 0,
      recovered: 0,
      persisted: 1,
      relapsed: 0,
      unknown: 0,
    });
    expect(statistics.tools).toEqual([{ tool: 'npm test', calls: 11, failed: 10, looping: 4 }]);
    const text = statisticsText(statistics, { paint: noColours, width: 100, top: 20 }).join('\n');
    expect(text).toContain(
      '3 sessions, 11 steps: 2 loops in 2 sessions. 5 plans, 1 only recorded.',
    );
    expect(text).toMatch(/say-what-repeats +note +2 +1 +1 +0%/);
  });

  test('count what a screen agent does as uses of its tools', async () => {
    const ledger = createMemoryLedger();
    const guard = createRecorder(ledger, {});
    const action = { type: 'click', x: 180, y: 70 };
    for (let i = 0; i < 4; i++)
      await guard.observe({ type: 'action-finished', session: 'screen', at: AT + i, action });
    const { tools } = await statsOf(reportsOf(ledger));
    expect(tools).toEqual([{ tool: 'click', calls: 4, failed: 0, looping: expect.any(Number) }]);
    expect(tools[0]!.looping).toBeLessThanOrEqual(4);
  });

  test('begin at the given place', async () => {
    const ledger = createMemoryLedger();
    await recordLoop(ledger, { session: 'old', tries: 6, at: AT });
    await recordLoop(ledger, { session: 'new', tries: 2, at: AT + HOUR });
    expect(await statsOf(reportsOf(ledger), AT + HOUR)).toMatchObject({
      sessions: 1,
      looping: 0,
      steps: 2,
      plans: 0,
      detectors: [],
    });
  });

  test('leave out what became of plans from before, so that outcomes never exceed what was tried', async () => {
    const ledger = createMemoryLedger();
    await recordLoop(ledger, { session: 's', tries: 4, at: AT });
    const outcome = (await ledger.entries({ kind: 'outcome' }))[0]!;
    const statistics = await statsOf(reportsOf(ledger), outcome.at);
    expect(statistics.recoveries.length).toBeGreaterThan(0);
    for (const { plans, recovered, persisted, relapsed, unknown } of statistics.recoveries)
      expect(recovered + persisted + relapsed + unknown).toBeLessThanOrEqual(plans);
  });
});

describe('the screen of watch', () => {
  async function watched(runs: number, now: number) {
    const ledger = createMemoryLedger();
    for (let i = 0; i < runs; i++)
      await recordLoop(ledger, {
        session: `run\u001b[31m-${i}`,
        tries: i % 2 ? 4 : 1,
        at: now - (runs - i) * 1000,
      });
    return createWatch()(ledger, reportsOf(ledger), now);
  }

  test.each([
    [20, 5, 12],
    [40, 8, 3],
    [80, 24, 12],
    [120, 60, 2],
    [80, 24, 0],
    [80, 3, 5],
  ])('fits into %i columns and %i lines with %i sessions', async (width, height, runs) => {
    const lines = watchScreen(await watched(runs, AT), {
      paint: noColours,
      width,
      height,
      now: AT,
    });
    expect(lines.length).toBeLessThanOrEqual(height);
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(width);
    expect(lines.join('\n')).not.toContain('\u001b');
  });

  test('shows what each session does, and what was seen and done', async () => {
    const text = watchScreen(await watched(2, AT), {
      paint: noColours,
      width: 120,
      height: 30,
      now: AT,
    }).join('\n');
    expect(text).toMatch(
      /▲ looping +run-1 +claude-code in project +4 steps, 1 loop, 2 plans, 0 s ago +npm test/,
    );
    expect(text).toMatch(/● running +run-0 +claude-code in project +1 step,/);
    expect(text).toMatch(/warned the agent: `npm test` .*3/);
    expect(text).toContain('suggested next steps: ');
    expect(text).not.toContain('repeated-call');
  });

  test('wraps actions instead of cutting them, and shows names and model texts on request', async () => {
    const options = { paint: noColours, width: 60, height: 60, now: AT, selected: 0 };
    const runs = await watched(2, AT);
    const below = watchScreen(runs, options).join('\n').split('\n\n').at(-1)!;
    expect(below.length).toBeGreaterThan(100);
    expect(below).not.toContain('…');
    const details = watchScreen(runs, { ...options, details: true }).join('\n');
    expect(details).toContain('repeated-call');
    expect(details).toContain('offer-next-moves');
  });

  test('shows that Unrut stopped a run, which is not looping any more', async () => {
    const ledger = createMemoryLedger();
    await recordLoop(ledger, { session: 'run', tries: 12, at: AT - 60_000 });
    const [plan] = (await ledger.entries({ kind: 'plan' })).slice(-1);
    const stopped = {
      id: 'run//stop/event',
      session: 'run',
      at: AT,
      kind: 'event',
      step: 20,
    } as const;
    await ledger.append([
      { ...stopped, data: { type: 'plan-performed', plan: plan!.id, rung: 'stop', failed: false } },
    ]);
    const text = watchScreen(await createWatch()(ledger, reportsOf(ledger), AT), {
      paint: noColours,
      width: 100,
      height: 30,
      now: AT,
    }).join('\n');
    expect(text).toMatch(/■ stopped/);
    expect(text).not.toContain('▲ looping');
  });

  test('says how to connect an agent where none has reported', async () => {
    const lines = watchScreen(await watched(0, AT), {
      paint: noColours,
      width: 80,
      height: 24,
      now: AT,
    });
    expect(lines.join('\n')).toContain('unrut install claude-code');
  });

  test('reads again only what has changed', async () => {
    const ledger = createMemoryLedger();
    await recordLoop(ledger, { session: 'quiet', tries: 1, at: AT });
    await recordLoop(ledger, { session: 'busy', tries: 1, at: AT });
    const reports = reportsOf(ledger);
    const read = new Set<string | undefined>();
    const counting = {
      ...ledger,
      entries(query: LedgerQuery): Promise<LedgerEntry[]> {
        read.add(query.session);
        return ledger.entries(query);
      },
    };
    const look = createWatch();
    await look(counting as Ledger, reports, AT);
    await recordLoop(ledger, { session: 'busy', tries: 3, at: AT + 10_000 });
    read.clear();
    const { sessions } = await look(counting as Ledger, reports, AT + 20_000);
    expect([...read]).toEqual(['busy']);
    expect(sessions.map(({ session }) => session)).toEqual(['busy', 'quiet']);
    expect((await look(counting as Ledger, reports, AT + HOUR)).sessions).toEqual([]);
  });
});
