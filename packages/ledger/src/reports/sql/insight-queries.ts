import type { Waste } from '@unrut/engine/account/loop';
import { rowOf } from '../../figures/hour-figures.ts';
import type { PersonRow } from '../../insights/group-figures.ts';
import {
  type Between,
  COMPARED,
  type Compared,
  type Grouped,
  type InsightsReport,
  type OriginFilter,
  type ReleaseMark,
  type TrendPart,
} from '../../insights/insights.ts';
import { type Asking, summed, Values } from './asking.ts';
import { originConditions } from './origin-conditions.ts';
import { isNamedIn, type ShownAs } from './session-rows.ts';

const MINUTE = 60_000;

/** Which sessions are meant. */
export interface Meant extends Between, OriginFilter {}

/** A query over sessions: its tables, conditions and group key. */
interface Question {
  values: Values;
  group: string;
  from: string;
  /** Columns for the number of sessions, of looping ones, and for their waste. */
  sessions: string;
  looped: string;
  wasted: 's' | 'l';
}

/** Builds a query over sessions, or over their loops. */
function questionOf(
  { dialect }: Asking,
  by: Grouped | undefined,
  { since, until, ...filter }: Meant,
  { hidden }: Pick<ShownAs, 'hidden'>,
): Question {
  const values = new Values();
  const conditions = [
    dialect.scope('s'),
    `s.minute >= ${values.add(Math.max(0, Math.floor(since / MINUTE)))}`,
    ...(until === undefined ? [] : [`s.minute < ${values.add(Math.floor(until / MINUTE))}`]),
    ...originConditions(filter, dialect, values, { hidden }),
  ];
  const where = `WHERE ${conditions.join(' AND ')}`;
  if (by === 'tool' || by === 'detector')
    return {
      values,
      group: `coalesce(l.${by}, '')`,
      from: `unrut.loops l JOIN unrut.sessions s ON s.${dialect.key} = l.${dialect.key} ${where}`,
      sessions: `count(DISTINCT s.${dialect.key})`,
      looped: `count(DISTINCT s.${dialect.key})`,
      wasted: 'l',
    };
  const column = by === undefined ? "''" : `coalesce(s.${by}, '')`;
  const isHiding = by === 'repo' && hidden;
  return {
    group: isHiding
      ? `CASE WHEN ${isNamedIn('s', hidden, values.add(hidden.from), dialect)} THEN ${column} ELSE 'hidden' END`
      : column,
    values,
    from: `unrut.sessions s ${where}`,
    sessions: 'count(*)',
    looped: 'sum(CASE WHEN s.loops > 0 THEN 1 ELSE 0 END)',
    wasted: 's',
  };
}

const real = (expression: string, name: string): string =>
  `CAST(coalesce(${expression}, 0) AS double precision) AS ${name}`;

const figuresIn = ({ sessions, looped, wasted }: Question): string =>
  [
    real(sessions, 'sessions'),
    real(looped, 'looped'),
    ...(['wasted_steps', 'wasted_tokens', 'wasted_usd'] as const).map((name) =>
      summed(`${wasted}.${name}`, name),
    ),
  ].join(', ');

interface FiguresFound {
  value: string;
  sessions: number;
  looped: number;
  wasted_steps: number;
  wasted_tokens: number;
  wasted_usd: number;
}

const wasteIn = (row: FiguresFound): Waste => ({
  steps: row.wasted_steps,
  tokens: row.wasted_tokens,
  usd: row.wasted_usd,
});

/** Sessions by group and person. */
export async function peopleByGroup(
  asking: Asking,
  by: Grouped | undefined,
  meant: Meant,
  shown: Pick<ShownAs, 'hidden'>,
): Promise<Map<string, PersonRow[]>> {
  const question = questionOf(asking, by, meant, shown);
  const { group, from, values } = question;
  const rows = await asking.ask<FiguresFound & { person: string | null }>(
    `SELECT ${group} AS value, s.person, ${figuresIn(question)} FROM ${from} GROUP BY 1, 2`,
    ...values.list,
  );
  const groups = new Map<string, PersonRow[]>();
  for (const { value, person, sessions, looped, ...row } of rows)
    rowOf(groups, value, () => []).push({
      person,
      sessions,
      looped,
      wasted: wasteIn({ value, sessions, looped, ...row }),
    });
  return groups;
}

/** For tools and detectors: adds each person's sessions without a loop. */
export function amongAll(rows: readonly PersonRow[], all: readonly PersonRow[]): PersonRow[] {
  const own = new Map(rows.map((row) => [row.person, row]));
  return all.map(({ person, sessions }) => ({
    person,
    sessions,
    looped: own.get(person)?.looped ?? 0,
    wasted: own.get(person)?.wasted ?? { steps: 0, tokens: 0, usd: 0 },
  }));
}

/** Trends of groups, in parts of this many milliseconds. */
export async function trendsByGroup(
  asking: Asking,
  by: Grouped,
  meant: Meant,
  part: number,
  shown: Pick<ShownAs, 'hidden'>,
): Promise<Map<string, TrendPart[]>> {
  const question = questionOf(asking, by, meant, shown);
  const { group, from, values } = question;
  const minutes = Math.trunc(part / MINUTE);
  const rows = await asking.ask<FiguresFound & { part: number }>(
    `SELECT ${group} AS value, ${real(`s.minute / ${minutes}`, 'part')}, ${figuresIn(question)}
      FROM ${from} GROUP BY 1, 2 ORDER BY 1, 2`,
    ...values.list,
  );
  const trends = new Map<string, TrendPart[]>();
  for (const row of rows)
    rowOf(trends, row.value, () => []).push({
      at: row.part * part,
      sessions: row.sessions,
      looped: row.looped,
      wasted: wasteIn(row),
    });
  return trends;
}

/** The earliest last activity among these sessions, in epoch milliseconds. */
export async function firstActive(
  asking: Asking,
  meant: Meant,
  shown: Pick<ShownAs, 'hidden'>,
): Promise<number | undefined> {
  const { from, values } = questionOf(asking, undefined, meant, shown);
  const [row] = await asking.ask<{ minute: number | null }>(
    `SELECT CAST(min(s.minute) AS double precision) AS minute FROM ${from}`,
    ...values.list,
  );
  return row?.minute == null ? undefined : row.minute * MINUTE;
}

const MAX_MARKS = 50;

/** The newest releases first seen within the period. */
export async function releaseMarks(
  asking: Asking,
  { since, until, release: _, ...filter }: Meant,
  shown: Pick<ShownAs, 'hidden'>,
): Promise<ReleaseMark[]> {
  const { dialect } = asking;
  const values = new Values();
  const conditions = [
    ...[dialect.scope('s'), 's.minute >= 0', 's.release IS NOT NULL'],
    ...originConditions(filter, dialect, values, shown),
  ];
  const first = 'min(s.first)';
  const within = [
    `${first} >= ${dialect.time(values.add(since))}`,
    ...(until === undefined ? [] : [`${first} < ${dialect.time(values.add(until))}`]),
  ];
  const rows = await asking.ask<ReleaseMark>(
    `SELECT s.release, ${dialect.milliseconds(first)} AS at FROM unrut.sessions s
      WHERE ${conditions.join(' AND ')} GROUP BY s.release HAVING ${within.join(' AND ')}
      ORDER BY 2 DESC, 1 LIMIT ${MAX_MARKS}`,
    ...values.list,
  );
  return rows.reverse();
}

/** Number of newest sessions from which the offered values are taken. */
const MAX_CHOICES_OF = 5000;
const MAX_CHOICES = 100;

/** The values of the newest sessions. */
export async function choicesOf(
  { ask, dialect }: Asking,
  { hidden }: Pick<ShownAs, 'hidden'>,
): Promise<InsightsReport['choices']> {
  const columns = COMPARED.map((name) => `s.${name}`).join(', ');
  const rows = await ask<Record<Compared, string | null>>(
    `SELECT DISTINCT ${columns} FROM (SELECT ${columns} FROM unrut.sessions s
      WHERE ${dialect.scope('s')} AND s.minute >= 0
      ORDER BY s.minute DESC LIMIT ${MAX_CHOICES_OF}) s`,
  );
  const valuesOf = (name: Compared): string[] =>
    name === 'repo' && hidden
      ? []
      : [...new Set(rows.flatMap((row) => row[name] ?? []))].sort().slice(0, MAX_CHOICES);
  return Object.fromEntries(
    COMPARED.map((name) => [name, valuesOf(name)]),
  ) as InsightsReport['choices'];
}
