import { DAY, HOUR } from '../../figures/hour-figures.ts';
import { groupFigures, type PersonRow, sideBySide } from '../../insights/group-figures.ts';
import {
  COMPARED,
  type Grouped,
  type InsightGroup,
  type InsightsQuery,
  type InsightsReport,
} from '../../insights/insights.ts';
import type { Asking } from './asking.ts';
import {
  amongAll,
  choicesOf,
  firstActive,
  type Meant,
  peopleByGroup,
  releaseMarks,
  trendsByGroup,
} from './insight-queries.ts';
import type { ShownAs } from './session-rows.ts';

/** Sessions by group, an optional comparison, and the dates of releases. */
export async function insightsOf(
  asking: Asking,
  query: InsightsQuery,
  shown: ShownAs,
): Promise<InsightsReport> {
  const { most, compare, by: asked, ...meant } = query;
  const choices = await choicesOf(asking, shown);
  const by = asked ?? COMPARED.find((name) => choices[name].length > 1) ?? 'host';
  const { all, groups } = await grouped(asking, by, meant, shown);
  const part = await partOf(asking, meant, shown);
  const trends = await trendsByGroup(asking, by, meant, part, shown);
  const sides = compare && (await comparedSides(asking, query, by, shown));
  // Times are omitted, so the same query a minute later has the same seed.
  const { since: _, until: __, ...filter } = meant;
  const seed = JSON.stringify([by, compare?.by === 'period' ? compare.by : compare, filter]);
  const rows = [...groups].map(([value, people]): InsightGroup => {
    const [a, b] = sides?.map((side) => side.groups.get(value) ?? []) ?? [];
    return {
      value,
      ...groupFigures(people),
      trend: trends.get(value) ?? [],
      ...(a && b ? { comparison: sideBySide(a, b, `${seed} ${value}`) } : {}),
    };
  });
  rows.sort(byWaste);
  return {
    by,
    all: groupFigures(all),
    groups: rows.slice(0, most),
    more: Math.max(0, rows.length - most),
    ...(sides ? { comparison: sideBySide(sides[0].all, sides[1].all, seed) } : {}),
    releases: await releaseMarks(asking, meant, shown),
    part,
    choices,
  };
}

interface GroupedPeople {
  all: PersonRow[];
  groups: Map<string, PersonRow[]>;
}

async function grouped(
  asking: Asking,
  by: Grouped,
  meant: Meant,
  shown: ShownAs,
): Promise<GroupedPeople> {
  const all = (await peopleByGroup(asking, undefined, meant, shown)).get('') ?? [];
  const groups = await peopleByGroup(asking, by, meant, shown);
  if (by === 'tool' || by === 'detector')
    for (const [value, rows] of groups) groups.set(value, amongAll(rows, all));
  return { all, groups };
}

/** A compared value replaces the filter of that dimension; a period replaces the times. */
async function comparedSides(
  asking: Asking,
  { compare, most: _, by: __, ...meant }: InsightsQuery,
  by: Grouped,
  shown: ShownAs,
): Promise<[GroupedPeople, GroupedPeople]> {
  const sideOf = (side: 'a' | 'b'): Promise<GroupedPeople> =>
    grouped(
      asking,
      by,
      compare!.by === 'period'
        ? { ...meant, ...compare![side] }
        : { ...meant, [compare!.by]: compare![side] },
      shown,
    );
  return [await sideOf('a'), await sideOf('b')];
}

/** Sorts by dollars, then by steps if costs are unknown. */
const byWaste = (one: InsightGroup, other: InsightGroup): number =>
  other.wasted.usd - one.wasted.usd ||
  other.wasted.steps - one.wasted.steps ||
  other.sessions - one.sessions ||
  (one.value < other.value ? -1 : 1);

/** The length of a trend's parts, chosen so that there are some tens of them. */
async function partOf(asking: Asking, meant: Meant, shown: ShownAs): Promise<number> {
  const until = meant.until ?? shown.now;
  const from = (await firstActive(asking, meant, shown)) ?? until;
  const length = until - from;
  return length <= 2 * DAY ? HOUR : length <= 60 * DAY ? DAY : 7 * DAY;
}
