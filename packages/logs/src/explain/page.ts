import { printable, wrap } from '@unrut/engine/text/printable';
import { stepWords } from '@unrut/ledger/report/step-text';
import type { Paint } from '@unrut/ledger/text/paint';
import { settingWords } from './replays.ts';
import type { Difference, Equal, Setting, StepBrought } from './report.ts';

const INDENT = 3;
/** Where the text next to a label begins. */
const COLUMN = 13;
const MAX_LISTED = 8;

/** Printable lines for a terminal, with the layouts of explanations. */
export interface Page {
  lines: string[];
  title(text: string, mark: (text: string) => string): void;
  paragraph(text: string): void;
  /** A label with its items, one per line; prints nothing without items. */
  beside(label: string, items: readonly string[]): void;
  /** A line with items under it. */
  under(heading: string, items: readonly string[]): void;
  item(text: string, indent: number): void;
  /** Steps and their results, one per line; `all` is their total number. */
  steps(label: string, steps: readonly StepBrought[], all: number): void;
}

export function createPage(paint: Paint, width: number): Page {
  const lines: string[] = [];
  const page: Page = {
    lines,
    title: (text, mark) => void lines.push(...wrap(printable(text), width).map(mark)),
    paragraph: (text) => void lines.push(...wrap(printable(text), width, INDENT)),
    beside(label, items) {
      for (const [i, item] of items.entries()) {
        const [first = '', ...others] = wrap(printable(item), width - 2, COLUMN);
        lines.push(labelled(i === 0 ? label : '', first), ...others.map((line) => `  ${line}`));
      }
    },
    under(heading, items) {
      lines.push(...wrap(heading, width, INDENT));
      for (const item of items) page.item(item, INDENT);
    },
    item(text, indent) {
      const [first = '', ...others] = wrap(printable(text), width, indent + 2);
      lines.push(`${' '.repeat(indent)}· ${first.trimStart()}`, ...others);
    },
    steps(label, steps, all) {
      const first = Math.ceil(steps.length / 2);
      for (const [i, step] of steps.entries()) {
        if (i === first && all > steps.length)
          lines.push(`${' '.repeat(COLUMN)}⋮ ${all - steps.length} more`);
        lines.push(
          labelled(
            i === 0 ? label : '',
            `${String(step.step).padEnd(5)}${stepWords(step, width - COLUMN - 7, paint)}`,
          ),
        );
      }
    },
  };

  const labelled = (label: string, text: string): string =>
    `${' '.repeat(INDENT)}${paint.bold(label.padEnd(COLUMN - INDENT))}${text.trimStart()}`;

  return page;
}

/** `steps 10 to 14`. */
export const stretch = (start: number, end: number): string =>
  start === end ? `step ${start}` : `steps ${start} to ${end}`;

/** `steps 10, 14, 18, …, 30 (6 times)`. */
function times(steps: readonly number[]): string {
  if (steps.length === 1) return `step ${steps[0]}`;
  const listed =
    steps.length <= MAX_LISTED
      ? steps.join(', ')
      : `${steps.slice(0, MAX_LISTED - 2).join(', ')}, …, ${steps.at(-1)}`;
  return `steps ${listed} (${steps.length} times)`;
}

/** Groups of equal steps; those equal in several aspects share a line. */
export function equalLines(equal: readonly Equal[]): string[] {
  return [...Map.groupBy(equal, ({ steps }) => steps.join()).values()].map((group) => {
    const aspects = group.map((each) => each.in).join(', ');
    // The size of a result is not informative without its call.
    const named = group.length > 1 ? group.filter((each) => each.in !== 'result') : group;
    return `${aspects} at ${times(group[0]!.steps)}: ${named.map(({ what }) => what).join('; ')}`;
  });
}

/** The difference of two steps: first what counts, then how the rest was treated. */
export function differenceLines(difference: Difference | null): string[] {
  if (!difference) return [];
  const { steps, arguments: changed, result, more } = difference;
  return [
    `between steps ${steps[0]} and ${steps[1]}:`,
    ...changed.map(
      ({ name, before, after, as, counts }) =>
        `${name}: ${both(before, after)} ${counts ? '– counts' : `→ ${as}`}`,
    ),
    ...result.map(
      ({ before, after, as, counts }) =>
        `result: ${both(before, after)} ${counts ? `– ${as}, counts` : `→ <${as}>`}`,
    ),
    ...(more > 0 ? [`… and ${more} more`] : []),
  ];
}

const both = (before: string, after: string): string => `${quoted(before)} / ${quoted(after)}`;
const quoted = (text: string): string => (text === '' ? 'nothing' : `“${text}”`);

export const settingLine = (setting: Setting): string =>
  `${settingWords(setting)}: ${setting.effect}`;

export const eachOf = (settings: readonly Setting[]): string =>
  settings.length === 1 ? 'this' : 'each of these';

/**
 * Settings that would have prevented an alarm, and those that would not; `doubt` is the reader's
 * objection.
 */
export function quietLines(page: Page, doubt: string, settings: readonly Setting[]): void {
  if (settings.length === 0)
    page.paragraph(`${doubt}: the run is too long to try what would have kept it quiet.`);
  const [quiet, loud] = [
    settings.filter(({ speaks }) => speaks.length === 0),
    settings.filter(({ speaks }) => speaks.length > 0),
  ];
  if (quiet.length > 0)
    page.under(`${doubt}, ${eachOf(quiet)} would have kept it quiet:`, quiet.map(settingWords));
  if (loud.length > 0) page.under('Also tried:', loud.map(settingLine));
}
