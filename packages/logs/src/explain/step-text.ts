import { cut, printable } from '@unrut/engine/text/printable';
import { priceWords } from '@unrut/ledger/report/figures';
import { planText } from '@unrut/ledger/report/step-text';
import {
  createPage,
  differenceLines,
  eachOf,
  equalLines,
  quietLines,
  settingLine,
} from './page.ts';
import type { Near, StepExplained } from './report.ts';
import type { ExplainTextOptions } from './run-text.ts';

/** One step explained, for a terminal. */
export function explainedStepText(
  explained: StepExplained,
  { paint, width }: ExplainTextOptions,
): string[] {
  const {
    run,
    step,
    equal,
    near,
    differs,
    between,
    cleared,
    signals,
    witnesses,
    plans,
    settings,
    limits,
  } = explained;
  const page = createPage(paint, width);
  page.title(`Step ${step.step} of ${run.id}: ${step.what}`, paint.bold);
  page.title(`${run.file} (${run.format})`, paint.dim);
  page.lines.push('');
  page.beside('Input', short(step.input));
  page.beside('Output', short(step.output));
  page.beside('Result', [...(step.brought === '' ? [] : [step.brought]), ...worth(explained)]);
  if (step.world) page.beside('World', [worldWords(step.world, step.rule ?? '')]);
  page.beside('Equal', equal.length > 0 ? equalLines(equal) : ['to no earlier step']);
  page.beside('Near', near.map(nearLine));
  page.beside('Differs', differenceLines(differs));
  page.beside('Between', between);
  page.beside(
    'Cleared',
    cleared.map(
      (each) => `without this step, ${each.detector} would have fired at step ${each.step}`,
    ),
  );
  page.beside(
    'Signals',
    signals.map(
      ({ detector, variant, count, rung, text, rule, price }) =>
        `▲ ${detector} (${variant}, ${count}×, ${rung}): ${text}${rule ? `; counted as: ${why(rule)}` : ''}${price ? `; price: ${priceWords(price)}` : ''}`,
    ),
  );
  page.beside(
    'Witness',
    witnesses.map(
      ({ detector, variant, count }) =>
        `${detector} (${variant}, ${count}×), which only confirms what another detector sees`,
    ),
  );
  page.beside(
    'Plan',
    plans.map((plan) => planText(plan)),
  );
  if (signals.length > 0) quietLines(page, 'If this is not a loop', settings);
  else if (settings.length > 0)
    page.under(
      `If this is a loop, ${eachOf(settings)} would have found it here:`,
      settings.map(settingLine),
    );
  else page.paragraph('No detector fired here, and none would have with its threshold one lower.');
  if (limits.length > 0) page.lines.push('');
  for (const limit of limits) page.item(limit, 0);
  return page.lines;
}

const WORLDS: Readonly<Record<string, string>> = {
  closed: 'closed: only acts that Unrut sees change the answer',
  open: 'open: the answer can change by itself',
  undecided: 'undecided: the program may be repeated on purpose',
};
const worldWords = (world: string, rule: string): string => `${WORLDS[world] ?? world} (${rule})`;

const SHOWN = 160;
const short = (text: string): string[] => (text.trim() === '' ? [] : [cut(printable(text), SHOWN)]);

/** The name of the deciding rule in words: `first-look` becomes "first look". */
const why = (kind: string, rule = kind): string => rule.replaceAll('-', ' ');

function worth({ step }: StepExplained): string[] {
  const counts = step.neutral
    ? `neither counts nor clears: ${why(step.neutral, step.neutralRule)}`
    : step.progress
      ? `counts as progress: ${why(step.progress, step.progressRule)}`
      : `does not count as progress: ${why('nothing-new', step.progressRule)}`;
  if (step.novelty === undefined) return step.neutral || step.progress ? [counts] : [];
  return [`${Math.round(step.novelty * 100)}% of the result was new; ${counts}`];
}

function nearLine({ step, what, alike, differs }: Near): string {
  const where = differs
    .map(({ name, before, after }) => `${name} “${before}” / “${after}”`)
    .join(', ');
  return `step ${step}, ${Math.round(alike * 100)}% of the words: ${where === '' ? what : where}`;
}
