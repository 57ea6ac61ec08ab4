import { printable, wrap } from '@unrut/engine/text/printable';
import { counted } from './figures.ts';
import type { Suggestion } from './scan-report.ts';
import type { Sheet } from './table.ts';

const MAX_RUNS = 5;

/** A suggested change and its reason, for a terminal. */
export function suggestionText(
  suggestions: readonly Suggestion[],
  { paint, width }: Sheet,
): string[] {
  if (suggestions.length === 0)
    return ['No suggestions: no loop with a known remedy recurs in several runs.'];
  const title = `${counted(suggestions.length, 'suggestion')}. Nothing is changed by itself; check each before you apply it.`;
  return [
    ...wrap(title, width).map(paint.bold),
    ...suggestions.flatMap((suggestion, i) => [
      '',
      ...wrap(
        `${i + 1}. ${suggestion.rule}: ${counted(suggestion.wastedSteps, 'wasted step')} in ${counted(suggestion.runs.length, 'loop')}`,
        width,
      ).map(paint.yellow),
      ...wrap(printable(suggestion.text), width, 3),
      ...wrap(`${placeOf(suggestion)}:`, width, 3),
      ...changeLines(suggestion),
      ...wrap(paint.dim(`From ${runsOf(suggestion)}.`), width, 3),
    ]),
  ];
}

/** The same in Markdown. */
export const suggestionMarkdown = (suggestions: readonly Suggestion[]): string[] =>
  suggestions.length === 0
    ? []
    : [
        '',
        '### Suggestions',
        ...suggestions.flatMap((suggestion) => [
          '',
          `- ${suggestion.rule}, from ${counted(suggestion.runs.length, 'loop')}. ${placeOf(suggestion)}:`,
          '',
          ...fenced(changeLines(suggestion)),
        ]),
      ];

/** A code fence longer than any in its content. */
function fenced(lines: readonly string[]): string[] {
  const longest = Math.max(2, ...lines.map((line) => /`{3,}/.exec(line)?.[0].length ?? 0));
  const fence = '`'.repeat(longest + 1);
  return [`  ${fence}`, ...lines, `  ${fence}`];
}

function placeOf({ file, under, repository }: Suggestion): string {
  if (file === '') return 'Run';
  const where =
    repository === undefined || file.startsWith('~') ? '' : ` of ${printable(repository)}`;
  return `Add${under ? ` to ${under.join('.')}` : ''} in ${printable(file)}${where}`;
}

const changeLines = ({ patch, add }: Suggestion): string[] =>
  (patch ?? add)
    .trimEnd()
    .split('\n')
    .map((line) => `     ${printable(line)}`);

function runsOf({ runs }: Suggestion): string {
  const named = runs
    .slice(0, MAX_RUNS)
    .map(({ id, start, end }) => `${printable(id)} (steps ${start} to ${end})`);
  const more = runs.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
