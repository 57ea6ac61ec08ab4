import { accountOf } from '@unrut/engine/account/account';
import { type Compared, GROUPED, type Grouped } from '@unrut/ledger/insights/insights';
import type { LedgerEntry } from '@unrut/ledger/ledger';
import { asRecorded } from '@unrut/ledger/reports/recorded-entry';
import type { Reports } from '@unrut/ledger/reports/reports';

const MINUTE = 60_000;

type Origin = { [name in Compared | 'person']?: string };

/** What a session comes to for insights, by all of its entries at once. */
export interface FoldedSession extends Origin {
  minute: number;
  first: number;
  loops: { tool: string; detector: string; usd: number }[];
  usd: number;
}

interface FoldedGroup {
  sessions: number;
  looped: number;
  people: number;
  usd: number;
}

const ORIGIN = ['repo', 'team', 'release', 'model', 'host', 'person'] as const;

export function foldedSession(entries: readonly LedgerEntry[]): FoldedSession {
  const told = entries.filter(({ kind }) => kind !== 'piece').map(asRecorded);
  const account = accountOf(told);
  const calledAt = new Map<string, string>();
  const origin: Origin = {};
  for (const { kind, agent, step, data } of entries) {
    if (kind !== 'event') continue;
    if (data.seen) calledAt.set(`${agent} ${step}`, String(data.tool));
    for (const name of ORIGIN)
      if (typeof data[name] === 'string') origin[name] = data[name] as string;
  }
  return {
    ...origin,
    minute: Math.max(0, Math.floor(Math.max(...entries.map(({ at }) => at)) / MINUTE)),
    first: Math.min(...entries.map(({ at }) => at)),
    loops: account.loops
      .filter(({ advice }) => !advice)
      .map(({ agent, firedAt, detector, wasted }) => ({
        tool: calledAt.get(`${agent} ${firedAt}`) ?? '',
        detector,
        usd: wasted.usd,
      })),
    usd: account.wasted.usd,
  };
}

const isOfLoops = (by: Grouped): by is 'tool' | 'detector' => by === 'tool' || by === 'detector';

/** The figures of every group, from all sessions. */
export function foldedGroups(
  sessions: readonly FoldedSession[],
  by: Grouped,
): Map<string, FoldedGroup> {
  const groups = new Map<string, FoldedGroup>();
  const values = new Set(
    sessions.flatMap((each) =>
      isOfLoops(by) ? each.loops.map((loop) => loop[by]) : [each[by] ?? ''],
    ),
  );
  for (const value of values) {
    const among = isOfLoops(by) ? sessions : sessions.filter((each) => (each[by] ?? '') === value);
    const loopsIn = (each: FoldedSession): FoldedSession['loops'] =>
      isOfLoops(by) ? each.loops.filter((loop) => loop[by] === value) : each.loops;
    const known = among.flatMap(({ person }) => person ?? []);
    groups.set(value, {
      sessions: among.length,
      looped: among.filter((each) => loopsIn(each).length > 0).length,
      people: new Set(known).size + among.length - known.length,
      usd: among.reduce(
        (sum, each) =>
          sum + (isOfLoops(by) ? loopsIn(each).reduce((all, { usd }) => all + usd, 0) : each.usd),
        0,
      ),
    });
  }
  return groups;
}

/** Each session is rounded by itself. */
const near = (found: number, expected = 0): number =>
  Math.abs(found - expected) < 1e-3 ? expected : found;

type Same = (given: unknown, expected: unknown, what: string) => void;

/** Compares all groups, both sides of a comparison, and when releases came. */
export async function checkInsights(
  reports: Reports,
  sessions: readonly FoldedSession[],
  since: number,
  same: Same,
): Promise<void> {
  const within = (from: number, to = Number.POSITIVE_INFINITY): FoldedSession[] =>
    sessions.filter(
      ({ minute }) => minute >= Math.floor(from / MINUTE) && minute < Math.floor(to / MINUTE),
    );
  for (const by of GROUPED) {
    const report = await reports.insights({ since, by, most: 1000 });
    const expected = foldedGroups(within(since), by);
    const found = new Map(
      report.groups.map(({ value, sessions: n, looped, people, wasted }) => [
        value,
        { sessions: n, looped, people, usd: near(wasted.usd, expected.get(value)?.usd) },
      ]),
    );
    same(found, expected, `insights by ${by} since ${since}`);
    if (by === 'tool' || by === 'detector') continue;
    for (const { trend, sessions: n, looped, wasted } of report.groups)
      same(
        trend.reduce(
          (sums, part) => [
            sums[0]! + part.sessions,
            sums[1]! + part.looped,
            sums[2]! + part.wasted.usd,
          ],
          [0, 0, 0],
        ),
        [
          n,
          looped,
          near(
            wasted.usd,
            trend.reduce((sum, part) => sum + part.wasted.usd, 0),
          ),
        ],
        `trend by ${by}`,
      );
  }
  await checkSides(reports, sessions, since, within, same);
}

async function checkSides(
  reports: Reports,
  sessions: readonly FoldedSession[],
  since: number,
  within: (from: number, to?: number) => FoldedSession[],
  same: Same,
): Promise<void> {
  const compare = { by: 'release', a: 'v41', b: 'v42' } as const;
  const { comparison, releases } = await reports.insights({
    since,
    by: 'team',
    compare,
    repo: 'shop',
    most: 50,
  });
  const side = (release: string): (number | undefined)[] => {
    const meant = within(since).filter((each) => each.release === release && each.repo === 'shop');
    const looped = meant.filter(({ loops }) => loops.length > 0).length;
    return [meant.length, looped];
  };
  same(
    [comparison!.a, comparison!.b].map(({ sessions: n, looped }) => [n, looped]),
    [side('v41'), side('v42')],
    'two releases',
  );
  const firsts = new Map<string, number>();
  for (const { release, repo, first } of sessions)
    if (release && repo === 'shop')
      firsts.set(release, Math.min(first, firsts.get(release) ?? first));
  same(
    new Map(releases.map(({ release, at }) => [release, at])),
    new Map([...firsts].filter(([, at]) => at >= since)),
    'when releases came',
  );
  const half = Math.max(...sessions.map(({ minute }) => minute)) * MINUTE - 86_400_000;
  const { comparison: periods } = await reports.insights({
    since,
    most: 1,
    compare: { by: 'period', a: { since: half - 86_400_000, until: half }, b: { since: half } },
  });
  same(
    [periods!.a.sessions, periods!.b.sessions],
    [within(half - 86_400_000, half).length, within(half).length],
    'two periods',
  );
}
