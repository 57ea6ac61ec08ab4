import { printable } from '@unrut/engine/text/printable';
import { counted, number } from '@unrut/ledger/report/figures';
import { clip, MAX } from '@unrut/ledger/report/html/bounds';
import { duration } from '@unrut/ledger/report/html/times';
import type { JSX } from 'preact';
import { isKnownTime } from '../known-time.ts';
import { wordDiff } from './word-diff.ts';

/** A repeated step. In scanned runs, its input and output are known. */
export interface Repeat {
  step?: number;
  at?: number;
  what: string;
  brought: string;
  tokens?: number;
  input?: string;
  output?: string;
}

const lines = (text = ''): string => text.split('\n').map(printable).join('\n');

const ROWS: [title: string, of: (repeat: Repeat) => string][] = [
  ['What', ({ what }) => printable(what)],
  ['Input', ({ input }) => lines(input)],
  ['Output', ({ output }) => lines(output)],
  ['Outcome', ({ brought }) => printable(brought)],
  ['Cost', ({ tokens }) => (tokens === undefined ? '' : counted(tokens, 'token'))],
];

interface RepeatsProps {
  name: string;
  repeats: readonly Repeat[];
  /** How many there were in all. */
  count: number;
}

/**
 * Repeated steps side by side, with what changed from each to the next marked. A round has a table
 * for each of its steps.
 */
export const RepeatsTable = ({ name, repeats, count }: RepeatsProps): JSX.Element => (
  <>
    {linedUp(repeats).map((steps) => (
      <SideBySide key={steps[0]?.step} name={name} repeats={steps} count={count} />
    ))}
  </>
);

/**
 * Groups steps with the same call into one table. If that leaves a single step, all are compared.
 */
function linedUp(repeats: readonly Repeat[]): Repeat[][] {
  const groups = [...Map.groupBy(repeats, ({ what }) => what).values()];
  return groups.every((group) => group.length > 1) ? groups : [[...repeats]];
}

function SideBySide({ name, repeats: all, count }: RepeatsProps): JSX.Element {
  const half = MAX.columns / 2;
  const repeats = all.length <= MAX.columns ? all : [...all.slice(0, half), ...all.slice(-half)];
  const rows = ROWS.filter(([, of]) => repeats.some((repeat) => of(repeat) !== ''));
  const gap = count > repeats.length ? widestGap(repeats) : -1;
  const label = clip(`${name}: ${printable(repeats[0]?.what ?? '')}, repeat by repeat`, MAX.name);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, so the keyboard must reach it.
    <section class="side-by-side" tabIndex={0} aria-label={label}>
      <table>
        <thead>
          <tr>
            <td />
            {repeats.map((repeat, i) => (
              <>
                {i === gap && (
                  <th scope="col" class="gap">
                    {number(count - repeats.length)} more
                  </th>
                )}
                <th scope="col">
                  Step {number(repeat.step ?? 0)} <span>{later(repeat, repeats[i - 1])}</span>
                </th>
              </>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([title, of]) => (
            <tr key={title} class={title === 'Outcome' ? 'brought' : undefined}>
              <th scope="row">{title}</th>
              {repeats.map((repeat, i) => (
                <>
                  {i === gap && <td class="gap" />}
                  <td>
                    <Changed text={of(repeat)} before={i === 0 ? undefined : of(repeats[i - 1]!)} />
                  </td>
                </>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The index of omitted steps between the first and last ones; -1 if all are equally far apart. */
function widestGap(repeats: readonly Repeat[]): number {
  const gaps = repeats.map(({ step = 0 }, i) => (i === 0 ? 0 : step - (repeats[i - 1]!.step ?? 0)));
  const widest = Math.max(...gaps);
  return widest > Math.min(...gaps.slice(1)) ? gaps.indexOf(widest) : -1;
}

const later = ({ at }: Repeat, before: Repeat | undefined): string => {
  if (before === undefined) return 'first';
  return at !== undefined && before.at !== undefined && isKnownTime(at) && isKnownTime(before.at)
    ? `${duration(at - before.at)} later`
    : '';
};

/**
 * A stretch of words that did not change is folded when it is longer than this; so much of both its
 * ends is kept.
 */
const FOLDED = 160;
const KEPT = 50;

/** A text with its new parts marked. */
function Changed({ text, before }: { text: string; before: string | undefined }): JSX.Element {
  if (text === before) return <span class="same">{text === '' ? 'nothing' : 'the same'}</span>;
  if (text === '') return <span class="note">nothing</span>;
  if (before === undefined) return <>{text}</>;
  const stretches = wordDiff(before, text);
  // Only white space differs.
  if (stretches.every(({ kind }) => kind === 'same'))
    return <span class="same">nearly the same</span>;
  return (
    <>
      {stretches.map(({ kind, text: words }, i) => {
        if (kind === 'same') return folded(words, i === 0, i === stretches.length - 1);
        if (kind === 'new')
          return (
            <>
              <mark key={i}>{words.trimEnd()}</mark>
              {words.slice(words.trimEnd().length)}
            </>
          );
        // The new text is sufficient; the replaced words are in the preceding column.
        return stretches[i + 1]?.kind === 'new' ? null : <del key={i}>{clip(words, KEPT)}</del>;
      })}
    </>
  );
}

/** At the ends of a cell only the side towards the change is kept. */
function folded(words: string, isFirst: boolean, isLast: boolean): string {
  if (words.length <= FOLDED) return words;
  const start = isFirst ? '' : words.slice(0, KEPT).replace(/\S+$/, '');
  const end = isLast ? '' : words.slice(-KEPT).replace(/^\S+/, '');
  return `${start.trimEnd()} ⋯ ${end.trimStart()}`;
}
