import { rowOf } from '../../figures/hour-figures.ts';
import type { SessionRest } from '../../figures/session-figures.ts';
import { compareArms } from '../../trial/compare-arms.ts';
import { LONG, type TrialReport, type TrialRow } from '../../trial/trial.ts';
import type { Asking } from './asking.ts';

interface Found {
  first: number;
  place: string | null;
  steps: number;
  tokens: number;
  usd: number;
  wasted: number;
  longest: number | null;
  ended: boolean | number;
  summary: string | Partial<SessionRest>;
}

/** Trials and their results so far, latest first. */
export async function trialsOf({ ask, dialect }: Asking): Promise<TrialReport[]> {
  const { scope, key, milliseconds } = dialect;
  const found = await ask<Found>(
    `SELECT ${milliseconds('s.first')} AS first, coalesce(s.repo, s.folder) AS place, s.steps, s.tokens, s.usd,
        s.wasted_steps AS wasted, s.ended, s.summary,
        (SELECT max(l.wasted_steps) FROM unrut.loops l WHERE l.${key} = s.${key}) AS longest
      FROM unrut.sessions s WHERE ${scope('s')} AND s.minute >= 0 AND s.summary -> 'tried' IS NOT NULL`,
  );
  const trials = new Map<string, { since: number; left: number; rows: TrialRow[] }>();
  for (const { summary, first, ended, longest, ...row } of found) {
    const { tried, stopped }: Partial<SessionRest> =
      typeof summary === 'string' ? JSON.parse(summary) : summary;
    const { trial, left, ...counts } = tried!;
    const known = rowOf(trials, trial, () => ({ since: first, left: 0, rows: [] }));
    known.since = Math.min(known.since, first);
    if (left) known.left++;
    else
      known.rows.push({
        ...row,
        ...counts,
        tokens: row.tokens ?? 0,
        usd: row.usd ?? 0,
        long: (longest ?? 0) >= LONG,
        ended: Boolean(ended) && !stopped,
      });
  }
  return [...trials]
    .map(([trial, { since, left, rows }]) => ({
      trial,
      since,
      left,
      guarded: rows.filter(({ arm }) => arm === 'guarded').length,
      recorded: rows.filter(({ arm }) => arm === 'recorded').length,
      ...compareArms(rows),
    }))
    .sort((one, other) => other.since - one.since);
}
