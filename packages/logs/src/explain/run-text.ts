import { sentence } from '@unrut/engine/recoveries/wording';
import { counted } from '@unrut/ledger/report/figures';
import type { Sheet } from '@unrut/ledger/report/table';
import type { Paint } from '@unrut/ledger/text/paint';
import { createPage, differenceLines, equalLines, type Page, quietLines, stretch } from './page.ts';
import { settingWords } from './replays.ts';
import type { Advice, LoopExplained, Nearly, RunExplained, Setting } from './report.ts';

export interface ExplainTextOptions extends Sheet {
  /** How to set an option, if not with `createGuard`. */
  howToSet?: string | undefined;
}

/** Max number of near loops to show; the others are in the JSON. */
const MAX_NEARLY = 3;
/** Min share of common words to be called similar. */
const WORTH_TELLING = 0.2;

/** An explained run, for a terminal: loops, then near loops, then advice. */
export function runText(
  explained: RunExplained,
  { paint, width, howToSet }: ExplainTextOptions,
): string[] {
  const { run, loops, nearly, tooOften, limits } = explained;
  const page = createPage(paint, width);
  page.title(`${run.id}: ${countOf(loops)} in ${counted(explained.steps, 'step')}`, paint.bold);
  page.title(`${run.file} (${run.format})`, paint.dim);
  for (const [i, loop] of loops.entries()) loopLines(page, i + 1, loop, paint);
  for (const each of nearly.slice(0, MAX_NEARLY)) nearlyLines(page, each, paint);
  const more = Math.max(0, nearly.length - MAX_NEARLY);
  if (more > 0) page.lines.push('', `${more} more near-loop${more === 1 ? '' : 's'}: see --json.`);
  if (loops.length + nearly.length === 0)
    page.lines.push('', 'No detector would find a loop here with its threshold one lower.');
  if (loops.length === 0)
    page.lines.push('', 'Use --step N to see why a step was not called a loop.');
  adviceLines(page, 'Found too often?', tooOften, paint);
  const tried = loops.flatMap(({ settings }) => settings);
  const example = tried.find(({ options }) => options) ?? tried[0] ?? nearly[0]?.setting;
  if (example) {
    page.lines.push('');
    page.title(howToSet ?? `Set an option with ${settingCode(example)}.`, paint.dim);
  }
  if (limits.length > 0) page.lines.push('');
  for (const limit of limits) page.item(limit, 0);
  return page.lines;
}

function countOf(loops: readonly LoopExplained[]): string {
  const notes = loops.filter(({ advice }) => advice).length;
  const real = loops.length - notes;
  const found = real === 0 ? 'no loop' : counted(real, 'loop');
  return notes === 0 ? found : `${found} and ${counted(notes, 'note')}`;
}

function loopLines(page: Page, rank: number, loop: LoopExplained, paint: Paint): void {
  const {
    detector,
    variant,
    start,
    end,
    firedAt,
    advice,
    also,
    text,
    alike,
    steps,
    count,
    between,
    inForce,
    settings,
  } = loop;
  page.lines.push('');
  page.title(
    `${rank}. ${advice ? 'A note' : 'A loop'}, ${stretch(start, end)}: ${detector} (${variant}), detected at step ${firedAt}`,
    advice ? paint.bold : paint.yellow,
  );
  page.paragraph(
    `${sentence(text)}.${also.length > 0 ? ` Also detected by ${also.join(', ')}.` : ''}`,
  );
  page.beside('Equal', equalLines(loop.equal));
  page.beside('Signature', signatureLines(loop.signature));
  if (alike && alike.least >= WORTH_TELLING)
    page.beside('Alike', [`the last one shares ${range(alike)}% of its words with the others`]);
  page.beside('Differs', differenceLines(loop.differs));
  page.steps('Result', steps, count);
  page.beside('Between', betweenLines(between));
  page.beside(
    'Options',
    Object.entries(inForce).map(([name, options]) => {
      const values = Object.entries(options).map((each) => each.join(' '));
      return `${name}: ${values.join(', ')}`;
    }),
  );
  quietLines(page, advice ? 'If this note is unnecessary' : 'If this is not a loop', settings);
}

function signatureLines(signature: LoopExplained['signature']): string[] {
  if (!signature) return [];
  const { madeOf, separates, has, of, alike, isGeneric } = signature;
  return [
    `${has} of ${counted(of, 'output')} have it. It is made of ${madeOf}`,
    `what would have told them apart: ${separates}`,
    `as texts they are ${alike === 1 ? 'equal' : `${Math.round(alike * 100)}% alike or more`}${isGeneric ? ': the signature is generic' : ''}`,
  ];
}

function betweenLines({ steps, progress }: LoopExplained['between']): string[] {
  if (steps === 0) return [];
  const others = counted(steps, 'other step');
  if (progress.length === 0)
    return [`${others}, ${steps === 1 ? 'without' : 'none with'} known progress`];
  const forward = progress.map(({ step, what, brought }) => `step ${step}, ${what} (${brought})`);
  return [`${others}; progress at ${forward.join('; ')}`];
}

function nearlyLines(page: Page, { start, step, text, setting }: Nearly, paint: Paint): void {
  page.lines.push('');
  page.title(
    `Near-loop, ${stretch(start, step)}: it would be a loop with ${settingWords(setting)}`,
    paint.bold,
  );
  page.paragraph(`${sentence(text)}. Use --step ${step} to see why it is not a loop.`);
}

function adviceLines(page: Page, title: string, rows: readonly Advice[], paint: Paint): void {
  if (rows.length === 0) return;
  page.lines.push('');
  page.title(title, paint.bold);
  for (const { symptom, cause, remedy } of rows)
    page.item(`${symptom}: ${cause}. ${sentence(remedy)}.`, 0);
}

function range({ least, most }: NonNullable<LoopExplained['alike']>): string {
  const [low, high] = [Math.round(least * 100), Math.round(most * 100)];
  return low === high ? String(low) : `${low} to ${high}`;
}

/** An option as program code. */
function settingCode({ options = {}, without }: Setting): string {
  if (without) {
    const [names, off] = [
      without.map((name) => `'${name}'`).join(', '),
      without.map((name) => `"${name}": false`).join(', '),
    ];
    return `createGuard({ preset: without(${names}) }), or in unrut.config.json: "detectors": { ${off} }`;
  }
  const [[detector, values]] = Object.entries(options) as [[string, Record<string, number>]];
  const [[option, value]] = Object.entries(values) as [[string, number]];
  return `createGuard({ options: { '${detector}': { ${option}: ${value} } } }), or in unrut.config.json: "detectors": { "${detector}": { "${option}": ${value} } }`;
}
