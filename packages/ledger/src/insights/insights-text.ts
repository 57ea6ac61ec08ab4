import { wrap } from '@unrut/engine/text/printable';
import { number, percent } from '../report/figures.ts';
import { figures, type Sheet, table } from '../report/table.ts';
import type { GroupFigures, InsightsQuery, InsightsReport } from './insights.ts';
import {
  adviceOn,
  differenceText,
  shareText,
  sidesText,
  UNKNOWN,
  verdictText,
  wastedText,
} from './insights-words.ts';

const SHOWN = 20;

/** Groups of sessions, or both sides of a comparison, for a terminal. */
export function insightsText(
  report: InsightsReport,
  { compare }: Pick<InsightsQuery, 'compare'>,
  { paint, width }: Sheet,
): string[] {
  const { by, all, groups, comparison } = report;
  if (all.sessions === 0 && !compare) return ['No session meets this.'];
  const lines: string[] = [];
  if (compare && comparison) {
    const sides = sidesText(compare);
    const { difference } = comparison;
    const verdict = difference
      ? `${verdictText(difference, sides)}. ${differenceText(difference)}`
      : 'Not enough to tell: one side has no session';
    lines.push(...wrap(`${verdict}.`, width).map(paint.bold), '');
    lines.push(
      ...table(
        ['', ...HEADS],
        sides.map((name, i) => [name, ...cellsOf(i === 0 ? comparison.a : comparison.b)]),
        ...([width, paint] as const),
      ),
      '',
    );
    const rows = groups
      .slice(0, SHOWN)
      .map(({ value, comparison: sideBySide }) => [
        ...[value || UNKNOWN, sideBySide ? percent(sideBySide.a.share.value) : ''],
        sideBySide ? percent(sideBySide.b.share.value) : '',
        sideBySide?.difference ? differenceText(sideBySide.difference) : '',
        sideBySide?.difference ? saidOf(sideBySide.difference.verdict) : '',
      ]);
    lines.push(
      ...table([by, ...sides.map(figures), figures('difference'), ''], rows, width, paint),
    );
  } else {
    const advice = adviceOn(report);
    if (advice) lines.push(...wrap(advice, width).map(paint.bold), '');
    const rows = groups
      .slice(0, SHOWN)
      .map(({ value, ...each }) => [value || UNKNOWN, ...cellsOf(each)]);
    lines.push(...table([by, ...HEADS], rows, width, paint));
  }
  const left = Math.max(0, groups.length - SHOWN) + report.more;
  if (left > 0) lines.push(paint.dim(`… and ${number(left)} more: --csv lists them.`));
  return lines;
}

const HEADS = [figures('sessions'), figures('with a loop'), figures('share'), figures('wasted')];

const cellsOf = (each: GroupFigures): string[] => [
  ...[number(each.sessions), number(each.looped), shareText(each), wastedText(each.wasted)],
];

const saidOf = (verdict: 'fewer' | 'more' | 'unclear'): string =>
  verdict === 'unclear' ? 'not enough to tell' : `${verdict} loops`;
