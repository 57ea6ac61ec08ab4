import { cut, printable } from '../text/printable.ts';
import { createPage, differenceLines, eachOf, equalLines, quietLines, settingLine } from './page.ts';
import type { Counting, Near, StepExplained } from './report.ts';
import type { TextOptions } from './run-text.ts';

/** One step explained, for a terminal. */
export function stepText(explained: StepExplained, { paint, width }: TextOptions): string[] {
  const { run, step, equal, near, noise, differs, cleared, counting, signals, plans, settings, limits } = explained;
  const page = createPage(paint, width);
  page.title(`Step ${step.step} of ${run.id}: ${step.what}`, paint.bold);
  page.title(`${run.file} (${run.format})`, paint.dim);
  page.lines.push('');
  page.beside('Given', short(step.input));
  page.beside('Came back', short(step.output));
  page.beside('Brought', [...(step.brought === '' ? [] : [step.brought]), ...worth(explained)]);
  page.beside('Equal', equal.length > 0 ? equalLines(equal) : ['to no earlier step']);
  page.beside('Near', near.map(nearLine));
  page.beside('Differs', differenceLines(differs));
  if (noise.count > 0) {
    const examples = noise.examples.map(({ text, as }) => `${text} → <${as}>`).join(', ');
    page.beside('Noise', [`${examples}${noise.count > noise.examples.length ? `; ${noise.count} in all` : ''}`]);
  }
  page.beside(
    'Cleared',
    cleared.map((each) => `${reach(each)}, had this step not been made`),
  );
  page.beside('Counting', counting.map(reach));
  page.beside(
    'Signals',
    signals.map(({ detector, variant, count, rung, text }) => `▲ ${detector} (${variant}, ${count}×, ${rung}): ${text}`),
  );
  page.beside(
    'Plan',
    plans.map(({ rung, recovery, toModel }) => `→ ${rung} by ${recovery}: ${toModel}`),
  );
  if (signals.length > 0) quietLines(page, 'If this is no loop', settings);
  else if (settings && settings.length > 0)
    page.under(`If this is a loop, ${eachOf(settings)} would have found it here:`, settings.map(settingLine));
  else page.paragraph('Nothing spoke here, and no single option would have changed that.');
  if (limits.length > 0) page.lines.push('');
  for (const limit of limits) page.item(limit, 0);
  return page.lines;
}

const SHOWN = 160;
const short = (text: string): string[] => (text.trim() === '' ? [] : [cut(printable(text), SHOWN)]);

function worth({ step }: StepExplained): string[] {
  const counts = step.neutral
    ? `neither counts nor clears (${step.neutral})`
    : step.progress
      ? `counts as progress (${step.progress})`
      : 'counts as no progress';
  if (step.novelty === undefined) return step.neutral || step.progress ? [counts] : [];
  return [`${Math.round(step.novelty * 100)} % of the result was never seen before; ${counts}`];
}

function nearLine({ step, what, alike, differs }: Near): string {
  const where = differs.map(({ name, before, after }) => `${name} “${before}” / “${after}”`).join(', ');
  return `step ${step}, ${Math.round(alike * 100)} % of the words: ${where === '' ? what : where}`;
}

const reach = ({ detector, option, reached, needed, since }: Counting): string =>
  `${detector} at ${reached} of ${needed} (${option}) since step ${since}`;
