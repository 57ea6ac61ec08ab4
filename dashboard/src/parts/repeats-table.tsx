import type { JSX } from 'preact';
import { counted, number } from '../../../src/report/figures.ts';
import { duration } from '../../../src/report/html/times.ts';
import { wordDiff } from '../../../src/report/html/word-diff.ts';
import type { MomentRow } from '../../../src/server/api/answers.ts';
import { printable } from '../../../src/text/printable.ts';
import { isKnownTime } from '../known-time.ts';

const ROWS: [title: string, of: (moment: MomentRow) => string][] = [
  ['What', ({ what }) => printable(what)],
  ['Outcome', ({ brought }) => printable(brought)],
  ['Cost', ({ tokens }) => (tokens === undefined ? '' : counted(tokens, 'token'))],
];

/** Repeated steps side by side, with what changed from each to the next marked. `count` is how many there were in all. */
export function RepeatsTable({ name, repeats, count }: { name: string; repeats: readonly MomentRow[]; count: number }): JSX.Element {
  const rows = ROWS.filter(([, of]) => repeats.some((moment) => of(moment) !== ''));
  const gap = count > repeats.length ? Math.ceil(repeats.length / 2) : -1;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, so the keyboard must reach it.
    <section class="side-by-side" tabIndex={0} aria-label={`${name}, repeat by repeat`}>
      <table>
        <thead>
          <tr>
            <td />
            {repeats.map((moment, i) => (
              <>
                {i === gap && (
                  <th scope="col" class="gap">
                    {number(count - repeats.length)} more
                  </th>
                )}
                <th scope="col">
                  Step {number(moment.step ?? 0)} <span>{later(moment, repeats[i - 1])}</span>
                </th>
              </>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([title, of]) => (
            <tr key={title} class={title === 'Outcome' ? 'brought' : undefined}>
              <th scope="row">{title}</th>
              {repeats.map((moment, i) => (
                <>
                  {i === gap && <td class="gap" />}
                  <td>
                    <Changed text={of(moment)} before={i === 0 ? undefined : of(repeats[i - 1]!)} />
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

const later = (moment: MomentRow, before: MomentRow | undefined): string =>
  before === undefined ? 'first' : [before, moment].every(({ at }) => isKnownTime(at)) ? `${duration(moment.at - before.at)} later` : '';

/** A text with what is new in it marked. */
function Changed({ text, before }: { text: string; before: string | undefined }): JSX.Element {
  if (text === before) return <span class="same">{text === '' ? 'nothing' : 'the same'}</span>;
  if (text === '') return <span class="same">nothing</span>;
  if (before === undefined) return <>{text}</>;
  return (
    <>
      {wordDiff(before, text).map(({ kind, text: words }, i) => {
        if (kind === 'same') return words;
        return kind === 'new' ? <mark key={i}>{words}</mark> : <del key={i}>{words}</del>;
      })}
    </>
  );
}
