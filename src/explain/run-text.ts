import { counted } from '../report/figures.ts';
import type { Paint } from '../text/paint.ts';
import { createPage, differenceLines, eachOf, equalLines, type Page, quietLines, settingLine, stretch } from './page.ts';
import type { Advice, LoopExplained, MissExplained, RunExplained } from './report.ts';
import { settingCode } from './setting.ts';

export interface TextOptions {
  paint: Paint;
  /** Columns. */
  width: number;
  /** How an option is given, where not to `createGuard`. */
  howToSet?: string | undefined;
}

/** Near misses that are shown; the others are in the JSON. */
const MOST_MISSES = 3;
/** A smaller share of common words is no likeness. */
const WORTH_TELLING = 0.2;

/** A run explained, for a terminal: loops, then near misses, then what to do about them. */
export function runText(explained: RunExplained, { paint, width, howToSet }: TextOptions): string[] {
  const { run, loops, misses, missesLeftOut, tooOften, notFound, limits } = explained;
  const page = createPage(paint, width);
  page.title(`${run.id}: ${countOf(loops)} in ${counted(explained.steps, 'step')}`, paint.bold);
  page.title(`${run.file} (${run.format})`, paint.dim);
  for (const [i, loop] of loops.entries()) loopLines(page, i + 1, loop, paint);
  for (const miss of misses.slice(0, MOST_MISSES)) missLines(page, miss, paint);
  const more = Math.max(0, misses.length - MOST_MISSES) + missesLeftOut;
  if (more > 0) page.lines.push('', `Some repetition in ${more} more ${more === 1 ? 'place' : 'places'}: see --json.`);
  if (loops.length + misses.length === 0) page.lines.push('', 'Nothing in it repeats three times.');
  adviceLines(page, 'Found too often?', tooOften, paint);
  adviceLines(page, 'Not found?', notFound, paint);
  const settings = [...loops, ...misses].flatMap((each) => each.settings ?? []).filter(({ options }) => options);
  const example = settings.find(({ options }) => Object.keys(options!).length === 1);
  const how = howToSet ?? (example && `An option is given as ${settingCode(example)}.`);
  if (how !== undefined && settings.length > 0) {
    page.lines.push('');
    page.title(how, paint.dim);
  }
  if (limits.length > 0) page.lines.push('');
  for (const limit of limits) page.item(limit, 0);
  return page.lines;
}

function countOf(loops: readonly LoopExplained[]): string {
  const notes = loops.filter(({ light }) => light).length;
  const real = loops.length - notes;
  const found = real === 0 ? 'no loop' : counted(real, 'loop');
  return notes === 0 ? found : `${found} and ${counted(notes, 'note')}`;
}

function loopLines(page: Page, rank: number, loop: LoopExplained, paint: Paint): void {
  const { detector, variant, start, end, firedAt, light, also, text, alike, steps, count, between, inForce, settings } = loop;
  page.lines.push('');
  page.title(
    `${rank}. ${light ? 'A note' : 'A loop'}, ${stretch(start, end)}: ${detector} (${variant}), seen at step ${firedAt}`,
    light ? paint.bold : paint.yellow,
  );
  page.paragraph(`${capital(text)}.${also.length > 0 ? ` Also seen as ${also.join(', ')}.` : ''}`);
  page.beside('Equal', equalLines(loop.equal));
  page.beside('Signature', signatureLines(loop.signature));
  if (alike && alike.least >= WORTH_TELLING) page.beside('Alike', [`the last shares ${range(alike)} % of its words with the others`]);
  page.beside('Differs', differenceLines(loop.differs));
  page.steps('Brought', steps, count);
  page.beside('Between', betweenLines(between));
  page.beside(
    'In force',
    Object.entries(inForce).map(([name, options]) => {
      const values = Object.entries(options).map((each) => each.join(' '));
      return `${name}: ${values.join(', ')}`;
    }),
  );
  quietLines(page, light ? 'If this note is needless' : 'If this is no loop', settings);
}

function signatureLines(signature: LoopExplained['signature']): string[] {
  if (!signature) return [];
  const { madeOf, separates, has, of, alike, isGeneric } = signature;
  return [
    `${has} of ${counted(of, 'output')} have it. It is made of ${madeOf}`,
    `what would have separated them: ${separates}`,
    `as texts they are ${alike === 1 ? 'equal' : `${Math.round(alike * 100)} % alike or more`}${isGeneric ? ': the signature is generic' : ''}`,
  ];
}

function betweenLines({ steps, progress }: LoopExplained['between']): string[] {
  if (steps === 0) return [];
  const others = counted(steps, 'other step');
  if (progress.length === 0) return [`${others}, ${steps === 1 ? 'which is not' : 'none of which is'} known to have brought anything`];
  const forward = progress.map(({ step, what, brought }) => `step ${step}, ${what} (${brought})`);
  return [`${others}; progress at ${forward.join('; ')}`];
}

const TITLES: Record<MissExplained['kind'], (times: number) => string> = {
  call: (times) => `the same call ${times} times`,
  numbers: (times) => `the same call but for numbers ${times} times`,
  error: (times) => `the same error ${times} times`,
  answer: (times) => `the same answer ${times} times`,
  output: (times) => `${times} outputs about the same`,
  detector: (times) => `${times} steps alike`,
};

function missLines(page: Page, miss: MissExplained, paint: Paint): void {
  const { kind, what, start, end, repeats, steps, because, settings } = miss;
  page.lines.push('');
  page.title(`Not called a loop, ${stretch(start, end)}: ${TITLES[kind](repeats.length)}`, paint.bold);
  page.paragraph(kind === 'detector' ? `${capital(what)}.` : `\`${what}\``);
  page.steps('Brought', steps, repeats.length);
  page.beside('Differs', differenceLines(miss.differs));
  page.beside(
    'Because',
    because.map(({ text }) => text),
  );
  if (settings.length === 0) page.paragraph('If this is a loop: no single option would have found it.');
  else page.under(`If this is a loop, ${eachOf(settings)} would have found it:`, settings.map(settingLine));
}

function adviceLines(page: Page, title: string, rows: readonly Advice[], paint: Paint): void {
  if (rows.length === 0) return;
  page.lines.push('');
  page.title(title, paint.bold);
  for (const { symptom, cause, remedy } of rows) page.item(`${symptom}: ${cause}. ${capital(remedy)}.`, 0);
}

function range({ least, most }: NonNullable<LoopExplained['alike']>): string {
  const [low, high] = [Math.round(least * 100), Math.round(most * 100)];
  return low === high ? String(low) : `${low} to ${high}`;
}

const capital = (text: string): string => (text === '' ? '' : text[0]!.toUpperCase() + text.slice(1));
