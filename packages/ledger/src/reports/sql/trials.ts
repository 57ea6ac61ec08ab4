import { rowOf } from '../../figures/hour-figures.ts';
import type { SessionRest } from '../../figures/session-figures.ts';
import { FALSE_ALARMS } from '../../people/forgive.ts';
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
  alarms: number;
  ended: boolean | number;
  summary: string | Partial<SessionRest>;
}

/** Trials and their results so far, latest first. */
export async function trialsOf({ ask, dialect }: Asking): Promise<TrialReport[]> {
  const { scope, key, milliseconds, project } = dialect;
  const found = await ask<Found>(
    `SELECT ${milliseconds('s.first')} AS first, coalesce(s.repo, s.folder) AS place, s.steps, s.tokens, s.usd,
        s.wasted_steps AS wasted, s.ended, s.summary,
        (SELECT max(l.wasted_steps) FROM unrut.loops l WHERE l.${key} = s.${key}) AS longest,
        (SELECT CAST(count(*) AS integer) FROM unrut.context_entries c WHERE ${scope('c')} AND c.topic = $1
          AND c.session = s.session AND ${project('c')} = ${project('s')}) AS alarms
      FROM unrut.sessions s WHERE ${scope('s')} AND s.minute >= 0 AND s.summary -> 'tried' IS NOT NULL`,
    FALSE_ALARMS,
  );
  const trials = new Map<string, { since: number; left: number; rows: TrialRow[] }>();
  for (const { summary, first, ended, longest, alarms, ...row } of found) {
    const { tried, stopped, acted }: Partial<SessionRest> =
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
        acted: acted?.plans ?? 0,
        falseAlarms: alarms,
        ended: Boolean(ended) && !stopped,
      });
  }
  return [...trials]
    .map(([trial, { since, left, rows }]) => {
      const guarded = rows.filter(({ arm }) => arm === 'guarded');
      return {
        trial,
        since,
        left,
        guarded: guarded.length,
        recorded: rows.length - guarded.length,
        acted: guarded.reduce((sum, { acted }) => sum + acted, 0),
        falseAlarms: guarded.reduce((sum, { falseAlarms }) => sum + falseAlarms, 0),
        ...compareArms(rows),
      };
    })
    .sort((one, other) => other.since - one.since);
}
