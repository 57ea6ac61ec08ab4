import { number } from '../figures.ts';
import type { ScannedLoop, StepShown } from '../scan-report.ts';
import { clip, MAX, shortName } from './bounds.ts';
import { type Html, type HtmlPiece, html } from './html.ts';
import { duration } from './times.ts';
import { wordDiff } from './word-diff.ts';

const ROWS = [
  ['what', 'What'],
  ['input', 'Input'],
  ['output', 'Output'],
  ['brought', 'Outcome'],
] as const satisfies readonly [keyof StepShown, string][];

/** A stretch of words that did not change is folded when it is longer than this; so much of both its ends is kept. */
const FOLDED = 160;
const KEPT = 50;

/** The repeats of a loop side by side, with what changed from each to the next marked. A round has a table for each of its steps. */
export function repeatsTables(loop: ScannedLoop, name: string): HtmlPiece {
  return linedUp(loop.repeats).map((steps) => table(steps, loop.count, name));
}

/** Steps that do the same belong into one table. Where that leaves a step alone, all are compared with each other. */
function linedUp(repeats: readonly StepShown[]): StepShown[][] {
  const groups = [...Map.groupBy(repeats, ({ what }) => what).values()];
  return groups.every((group) => group.length > 1) ? groups : [[...repeats]];
}

function table(all: readonly StepShown[], times: number, name: string): Html {
  const half = MAX.columns / 2;
  const steps = all.length <= MAX.columns ? all : [...all.slice(0, half), ...all.slice(-half)];
  const gap = times > steps.length ? widestGap(steps) : -1;
  const rows = ROWS.filter(([field]) => steps.some((step) => step[field] !== ''));
  const label = `${name}: ${steps[0]?.what ?? ''}, repeat by repeat`;
  return html`<div class="side-by-side" role="region" tabindex="0" aria-label="${shortName(label)}"><table>
<thead><tr><td></td>${steps.map((step, i) => [i === gap && skipped(times - steps.length), columnHead(step, steps[i - 1], ordinal(i, steps.length))])}</tr></thead>
<tbody>${rows.map(
    ([field, title]) =>
      html`<tr class="${field}"><th scope="row">${title}</th>${steps.map((step, i) => [
        i === gap && html`<td class="gap"></td>`,
        html`<td>${cell(step[field], steps[i - 1]?.[field])}</td>`,
      ])}</tr>\n`,
  )}</tbody></table></div>\n`;
}

/** Where the steps left out between the first and the last ones were; -1 where all are equally far apart. */
function widestGap(steps: readonly StepShown[]): number {
  const gaps = steps.map((step, i) => (i === 0 ? 0 : step.step - steps[i - 1]!.step));
  const widest = Math.max(...gaps);
  return widest > Math.min(...gaps.slice(1)) ? gaps.indexOf(widest) : -1;
}

const skipped = (left: number): Html => html`<th scope="col" class="gap">${number(left)} more</th>`;

function ordinal(i: number, columns: number): string {
  if (i === 0) return 'first';
  return i === columns - 1 ? 'last' : '';
}

function columnHead(step: StepShown, before: StepShown | undefined, which: string): Html {
  const later = step.at !== undefined && before?.at !== undefined ? `${duration(step.at - before.at)} later` : '';
  return html`<th scope="col">Step ${number(step.step)} <span>${[which, later].filter(Boolean).join(', ')}</span></th>`;
}

function cell(text: string, before: string | undefined): HtmlPiece {
  if (text === before) return html`<span class="same">${text === '' ? 'nothing' : 'the same'}</span>`;
  if (text === '') return html`<span class="same">nothing</span>`;
  const shown = clip(text, MAX.cell);
  if (before === undefined) return shown;
  const stretches = wordDiff(clip(before, MAX.cell), shown);
  // Only white space differs, or what lies beyond the cut.
  if (stretches.every(({ kind }) => kind === 'same')) return html`<span class="same">nearly the same</span>`;
  return stretches.map(({ kind, text: words }, i) => {
    if (kind === 'new') return html`<mark>${words.trimEnd()}</mark>${words.slice(words.trimEnd().length)}`;
    if (kind === 'same') return folded(words, i === 0, i === stretches.length - 1);
    // What came instead says enough; the words that it replaced stand in the column before.
    return stretches[i + 1]?.kind === 'new' ? '' : html`<del>${clip(words, KEPT)}</del>`;
  });
}

/** At the ends of a cell only the side towards the change is kept. */
function folded(words: string, isFirst: boolean, isLast: boolean): string {
  if (words.length <= FOLDED) return words;
  const start = isFirst ? '' : words.slice(0, KEPT).replace(/\S+$/, '');
  const end = isLast ? '' : words.slice(-KEPT).replace(/^\S+/, '');
  return `${start.trimEnd()} ⋯ ${end.trimStart()}`;
}
