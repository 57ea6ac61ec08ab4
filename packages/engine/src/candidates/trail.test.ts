import { forgetLearned, learnedIn, recoveriesIn } from '@unrut/ledger/learned';
import { createMemoryLedger } from '@unrut/ledger/memory';
import { createRecorder as recordTo } from '@unrut/ledger/recorder';
import { playTrace } from '@unrut/test/candidates/run-cases';
import { momentsOf } from '@unrut/testing/trace';
import { describe, expect, test } from 'vitest';
import { createGuard } from '../guard.ts';
import { learnedFrom, type OutcomeEntry, recoveryRows } from '../outcome/learned-from.ts';
import type { Outcome } from '../outcome/outcome.ts';

const SNAPSHOT =
  'browser_snapshot {} -> "### Page\\n- Page Title: Shop\\n- button \\"Save\\" [ref=e$i]"';
const STALE =
  'browser_click {"element":"Save","ref":"e12"} -> error "Error: Ref e12 not found in the current page snapshot."';
const SAVED =
  'browser_click {"element":"Save","ref":"e22"} -> "### Page\\n- Page Title: Saved\\n- text: Three lamps are on their way to you"';
const LAMP = (i: number): string =>
  `Write {"file_path":"lamp${i}.md","content":"lamp"} -> "The file lamp${i}.md has been created."`;
const end = 'user "Thank you."';

const outcomesOf = (lines: string[]): Outcome[] =>
  playTrace(lines, { hintFailures: true }).verdicts.flatMap(({ outcomes }) => outcomes);
const offerOf = (...lines: string[]) =>
  outcomesOf([SNAPSHOT, STALE, ...lines]).find(({ offer }) => offer)!.offer!;

describe('what became of an offer', () => {
  test('failed step, offer, what the agent did, outcome: the failed thing goes through after the first candidate', () => {
    const [outcome] = outcomesOf([SNAPSHOT, STALE, SNAPSHOT, SAVED]);
    expect(outcome).toMatchObject({
      outcome: 'recovered',
      rung: 'hint',
      reason: 'failure/stale-reference',
    });
    expect(outcome!.offer).toEqual({
      failure: 'stale-reference',
      world: 'page',
      target: expect.stringMatching(/^element:/),
      offered: ['look-afresh', 'resolve-by-name', 'act-on-new-reference'],
      did: 'browser_snapshot',
      followed: 'look-afresh',
      reward: 1,
    });
  });

  test('the same call again follows nothing, and is a failure more', () => {
    expect(outcomesOf([SNAPSHOT, STALE, STALE])[0]).toMatchObject({
      outcome: 'persisted',
      offer: { did: 'browser_click', followed: null, reward: -0.3 },
    });
  });

  test('a look counts a little, and once', () => {
    const looks = [1, 2, 3, 4, 5].map(
      (i) =>
        `read_page {"part":${i}} -> "Part ${i} of the page has lamp number ${i} and nothing else in it"`,
    );
    expect(offerOf(...looks.slice(0, 5)).reward).toBe(0.1);
  });

  test('progress counts for it, nothing new counts against it', () => {
    expect(offerOf(...[1, 2, 3, 4, 5].map(LAMP)).reward).toBe(1);
    expect(offerOf(LAMP(1), ...Array.from({ length: 4 }, () => LAMP(1))).reward).toBeLessThan(0.4);
  });

  test('running into a wall, and what cannot be taken back, cost the most', () => {
    const denied = 'browser_navigate {"url":"http://127.0.0.1/a"} -> error "HTTP 403 Forbidden"';
    expect(offerOf(denied, LAMP(1), LAMP(2), LAMP(3), LAMP(4)).reward).toBeLessThan(
      offerOf(...[1, 2, 3, 4, 5].map(LAMP)).reward,
    );
    expect(
      offerOf(
        'delete_account {"id":7} -> "The account is gone."',
        ...Array.from({ length: 4 }, () => LAMP(1)),
      ).reward,
    ).toBeLessThan(-0.5);
  });

  test('what failed on a target is ranked down there the next time', () => {
    const again = (lines: string[]) =>
      playTrace([SNAPSHOT, STALE, ...lines, STALE], { hintFailures: true })
        .plans.at(-1)!
        .candidates!.find(({ name }) => name === 'look-afresh')!.score;
    expect(again([])).toBe(0.95);
    expect(again([SNAPSHOT])).toBeLessThan(0.95);
  });

  test('is kept through a restart after every event', () => {
    let guard = createGuard({ hintFailures: true });
    const seen: Outcome[] = [];
    for (const { events } of momentsOf([SNAPSHOT, STALE, SNAPSHOT, SAVED, end]))
      for (const event of events) {
        seen.push(...guard.observe(event).outcomes);
        guard = createGuard({
          hintFailures: true,
          from: JSON.parse(JSON.stringify(guard.snapshot())),
        });
      }
    expect(seen).toEqual(outcomesOf([SNAPSHOT, STALE, SNAPSHOT, SAVED, end]));
  });
});

const entry = (
  plan: number,
  followed: string | null,
  reward: number,
  outcome = 'recovered',
): OutcomeEntry => ({
  session: 's',
  kind: 'outcome',
  data: {
    plan: `p${plan}`,
    outcome,
    offer: {
      failure: 'stale-reference',
      world: 'page',
      target: null,
      offered: ['look-afresh', 'resolve-by-name'],
      did: 'x',
      followed,
      reward,
    },
  },
});
const entries = (...cases: [string | null, number, string?][]): OutcomeEntry[] =>
  cases.map(([followed, reward, outcome], i) => entry(i, followed, reward, outcome));

describe('learning', () => {
  test('fewer than three cases say nothing; the share has a prior', () => {
    expect(learnedFrom(entries(['look-afresh', 1], ['look-afresh', 1]))).toEqual({});
    expect(
      learnedFrom(entries(['look-afresh', 1], ['look-afresh', 1], ['look-afresh', 1])),
    ).toEqual({
      'stale-reference/page/look-afresh': 0.8,
    });
    expect(
      learnedFrom(entries(['look-afresh', -1], ['look-afresh', -1], ['look-afresh', -1])),
    ).toEqual({
      'stale-reference/page/look-afresh': 0.2,
    });
  });

  test('what was offered and not followed is no case', () => {
    expect(learnedFrom(entries([null, 1], [null, 1], [null, 1]))).toEqual({});
  });

  test('a relapse takes the recovery back', () => {
    const won = entries(['look-afresh', 1], ['look-afresh', 1], ['look-afresh', 1]);
    const relapsed = learnedFrom([...won, entry(2, 'look-afresh', -0.5, 'relapsed')]);
    expect(relapsed['stale-reference/page/look-afresh']).toBeLessThan(0.8);
  });

  test('the rows show what works', () => {
    const rows = recoveryRows(
      entries(
        ['look-afresh', 1],
        ['resolve-by-name', -0.3, 'persisted'],
        ['look-afresh', 0.5, 'unknown'],
        ['look-afresh', 1],
      ),
    );
    expect(rows).toEqual([
      {
        failure: 'stale-reference',
        world: 'page',
        move: 'look-afresh',
        offered: 4,
        followed: 3,
        recovered: 2,
        reward: 0.833,
        share: 0.75,
      },
      {
        failure: 'stale-reference',
        world: 'page',
        move: 'resolve-by-name',
        offered: 4,
        followed: 1,
        recovered: 0,
        reward: -0.3,
        share: null,
      },
    ]);
  });

  test('entries of other versions and of other kinds are left aside', () => {
    const strange: OutcomeEntry[] = [
      { session: 's', kind: 'plan', data: {} },
      { session: 's', kind: 'outcome', data: { plan: 'p1', outcome: 'recovered' } },
      { session: 's', kind: 'outcome', data: { plan: 'p1', outcome: 'recovered', offer: null } },
      {
        session: 's',
        kind: 'outcome',
        data: { plan: 'p1', outcome: 'recovered', offer: { offered: 'x' } },
      },
    ];
    expect(recoveryRows(strange)).toEqual([]);
  });

  test('goes from the ledger of earlier sessions into the ranking of the next, and can be reset', async () => {
    const ledger = createMemoryLedger();
    const guard = recordTo(ledger, { hintFailures: true });
    for (let session = 1; session <= 3; session++)
      for (const { events } of momentsOf([SNAPSHOT, STALE, SNAPSHOT, SAVED]))
        for (const event of events) await guard.observe({ ...event, session: `s${session}` });
    const learned = await learnedIn(ledger);
    expect(learned).toEqual({ 'stale-reference/page/look-afresh': 0.8 });
    const { plans } = playTrace([SNAPSHOT, STALE], { hintFailures: true, learned });
    expect(plans[0]!.candidates![0]).toMatchObject({ name: 'look-afresh', score: 1 });
    const [row] = await recoveriesIn(ledger);
    expect(row).toMatchObject({
      failure: 'stale-reference',
      move: 'look-afresh',
      offered: 3,
      followed: 3,
      recovered: 3,
      share: 0.8,
    });
    await forgetLearned(ledger, 1_800_000_000_000);
    expect(await learnedIn(ledger)).toEqual({});
    expect(await ledger.entries({ kind: 'outcome' })).toHaveLength(3);
  });
});
