import { sessionFiguresOf } from '@unrut/ledger/figures/count-session';
import { createMemoryLedger } from '@unrut/ledger/memory';
import { createRecorder } from '@unrut/ledger/recorder';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { ignoredStop } from '@unrut/ledger/views/loop-picture';
import { timelineOf } from '@unrut/ledger/views/timeline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDemo, playPast, playSession } from './demo.ts';
import { fleetOn, OUTAGE_AGENTS, outage } from './demo-fleet.ts';
import { DEMO_SESSIONS, type DemoSession } from './demo-sessions.ts';

const AT = 1_794_800_000_000;

async function played(session: DemoSession) {
  const ledger = createMemoryLedger();
  const recorder = createRecorder(ledger, { can: ['note', 'hint', 'block', 'escalate', 'stop'] });
  let at = AT;
  await playSession(recorder, session, 's', async () => {
    at += 5000;
    return at;
  });
  const entries = await ledger.entries({ session: 's' });
  return { figures: sessionFiguresOf('s', entries), moments: timelineOf(entries) };
}

const named = (folder: string): DemoSession =>
  DEMO_SESSIONS.find((each) => each.folder === folder)!;

describe('the sessions of the demo', () => {
  test('have one that takes no advice, is stopped, and does nothing more', async () => {
    const { figures, moments } = await played(named('shop'));
    const { loops, highest, wasted, host } = figures;
    expect({ loops, highest, host }).toEqual({ loops: 1, highest: 'stop', host: 'claude-code' });
    expect(wasted.steps).toBeGreaterThan(5);
    expect(ignoredStop(moments)).toBeUndefined();
  });

  test.each([
    ['search-api', 'block'],
    ['docs-site', 'hint'],
    ['billing', 'note'],
  ])('have some that get out once Unrut does enough: %s, %s', async (folder, rung) => {
    const { loops, ended, wasted, highest } = (await played(named(folder))).figures;
    expect({ loops, ended, highest }).toEqual({ loops: 1, ended: true, highest: rung });
    expect(wasted.steps).toBeLessThan(20);
  });

  test('have one that works without a loop', async () => {
    expect((await played(named('mobile'))).figures).toMatchObject({
      loops: 0,
      plans: 0,
      wasted: { steps: 0 },
    });
  });
});

describe('the fleet of the demo', () => {
  test('gets stuck less often since the new release, and most often in one repository', () => {
    const all = [1, 2, 3, 4, 5, 6].flatMap(fleetOn);
    const stuck = (field: 'release' | 'repo', value: string): number => {
      const group = all.filter(({ origin }) => origin?.[field] === value);
      return group.filter((session) => session.stuck.length > 0).length / group.length;
    };
    expect(stuck('release', 'v41')).toBeGreaterThan(1.5 * stuck('release', 'v42'));
    expect(stuck('repo', 'billing-api')).toBeGreaterThan(1.5 * stuck('repo', 'shop-web'));
    expect(new Set(all.map(({ origin }) => origin?.team)).size).toBe(2);
    expect(new Set(all.map(({ origin }) => origin?.model)).size).toBe(3);
  });

  test('has a trial with a result', async () => {
    const { path, close } = openDemo();
    onTestFinished(close);
    const ledger = createSqliteLedger({ path });
    await playPast(ledger, AT);
    const [trial] = await ledger.reports!.trials();
    await ledger.close();
    expect(trial).toMatchObject({ trial: '50%', verdict: 'less', left: 0 });
    expect(trial!.guarded + trial!.recorded).toBe(108);
  });

  test('has an outage over many agents, which ends', async () => {
    const agents = outage();
    expect(agents).toHaveLength(OUTAGE_AGENTS);
    const { moments } = await played(agents[7]!);
    const failed = moments.filter(({ letter }) => letter === 'e' || letter === 'w');
    expect(failed.length).toBeGreaterThan(5);
    expect(moments.at(-2)).toMatchObject({ letter: 'n' });
  });
});
