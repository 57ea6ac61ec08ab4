import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { InsightsReport } from '@unrut/ledger/insights/insights';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundledPrograms } from '../bundled-programs.ts';
import { isFull } from '../full-runs.ts';
import { newFolder } from '../ledger-files.ts';
import { type SessionsLike, tellSessions } from './insight-sessions.ts';

const { cli } = bundledPrograms();
const home = join(newFolder(), 'home');
const DAY = 86_400_000;
/** The truth, or a tenth of it. */
const PART = isFull ? 1 : 0.1;
const of = (count: number): number => Math.round(count * PART);

beforeAll(async () => {
  const now = Date.now();
  const ledger = createSqliteLedger({ path: join(home, 'ledger.db') });
  const kinds: Omit<SessionsLike, 'from' | 'to'>[] = [
    { sessions: of(5132), looped: of(1517), origin: { release: 'v41', repo: 'billing' } },
    { sessions: of(4870), looped: of(835), origin: { release: 'v42', repo: 'infra' } },
    { sessions: 20, looped: 0, origin: { release: 'v42', repo: 'docs', model: 'm2' } },
  ];
  const [from, to] = [now - 6 * DAY, now - DAY];
  await tellSessions(
    ledger,
    kinds.map((kind) => ({ ...kind, from, to })),
  );
  await ledger.close();
});

function unrut(...args: string[]) {
  const env = { ...process.env, UNRUT_HOME: home, TZ: 'UTC', NO_COLOR: '1', COLUMNS: '120' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    encoding: 'utf8',
    env,
  });
  return { status, stdout, stderr };
}

test('sessions with impossible times do not keep others from being compared', async () => {
  const ledger = createSqliteLedger({ path: join(newFolder(), 'ledger.db') });
  const times = [Date.now(), -1, 0, 1.7e9, 1.7e15, 1.7e18, 1e300];
  await ledger.append(
    times.map((at, i) => ({
      ...{ id: `${i}/1`, session: String(i), at, kind: 'event', step: 0 },
      data: { type: 'user-spoke', repo: `repo-${i % 2}` },
    })),
  );
  for (const since of [0, Date.now() - DAY]) {
    const { groups } = await ledger.reports!.insights({ since, by: 'repo', most: 10 });
    expect(groups.map(({ value }) => value).sort()).toEqual(['repo-0', 'repo-1']);
  }
  await ledger.close();
});

describe('unrut stats', () => {
  test('--by names the group that wasted most', () => {
    const { status, stdout } = unrut('stats', '--by', 'repo');
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^Look at the repo billing first: it wasted \$[\d.]+ \(6\d% of all waste\)/,
    );
    expect(stdout).toMatch(/^infra +\d+ +\d+ +1[67]\.?\d*% \(/m);
  });

  test('--compare tells two releases apart, as known', () => {
    const asked = ['stats', '--compare', 'v41', 'v42', '--repo', 'billing'] as const;
    expect(unrut(...asked).stdout).toContain('Not enough to tell: one side has no session');
    const { stdout } = unrut('stats', '--by', 'repo', '--compare', 'v41', 'v42');
    expect(stdout).toMatch(/^Fewer loops in v42 than in v41\. −1[23]\.?\d? points \(/);
    const { comparison } = JSON.parse(
      unrut('stats', '--compare', 'v41', 'v42', '--json').stdout,
    ) as InsightsReport;
    expect(comparison!.a).toMatchObject({ sessions: of(5132), looped: of(1517) });
    expect(comparison!.b.looped).toBe(of(835));
    expect(comparison!.difference).toMatchObject({ verdict: 'fewer' });
  });

  test('few sessions are not enough to tell', () => {
    const { stdout } = unrut('stats', '--compare', 'repo=docs', 'repo=infra');
    expect(stdout).toContain('Not enough to tell: about 80 more sessions needed on each side');
  });

  test('--csv has a line for each group, with both sides', () => {
    const { stdout } = unrut('stats', '--by', 'repo', '--compare', 'v41', 'v42', '--csv');
    const [head, all, ...groups] = stdout.trim().split('\r\n');
    expect(head).toMatch(/^repo,sessions,people,looped,share,.*a_sessions,.*difference,/);
    expect(all).toMatch(/^all,/);
    expect(groups.map((line) => line.split(',')[0])).toEqual(['billing', 'infra', 'docs']);
  });

  test('filters name where sessions come from', () => {
    const listed = unrut('show', '--list', '--repo', 'docs', '--last', '50', '--json');
    expect(JSON.parse(listed.stdout)).toMatchObject({ more: 0 });
    expect(JSON.parse(listed.stdout).sessions).toHaveLength(20);
    const { all } = JSON.parse(unrut('stats', '--model', 'm2', '--json').stdout) as InsightsReport;
    expect(all).toMatchObject({ sessions: 20, looped: 0 });
  });

  test.each([
    [['--by', 'colour'], '--by takes repo, team, release, model, host, tool, detector; got colour'],
    [['--compare', 'v41'], '--compare takes two values, such as v41 v42; got only v41'],
    [['v42'], 'stats takes no arguments; got v42'],
    [['--csv'], '--csv needs --by or --compare'],
    [['--compare', '2d..9d', '1d..'], '--compare takes FROM..TO with 30m'],
  ])('%j is refused in one line', (args, words) => {
    const { status, stderr } = unrut('stats', ...args);
    expect(status).toBe(64);
    expect(stderr).toContain(words);
  });
});
