import type { ComponentChildren, JSX } from 'preact';

/** A column: its heading, its content, and whether that is numeric. */
export interface Column<T> {
  head: string;
  of: (row: T) => ComponentChildren;
  isFigure?: boolean;
  /** Sentences stand in it, which need room. */
  isLong?: boolean;
  /** Hidden on narrow screens. */
  isMinor?: boolean;
  /** An explanation of the heading. */
  meaning?: string;
}

export interface TableProps<T> {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  /** The text of an empty table. */
  none: string;
  /** Of its heading. Default: 2. */
  level?: 2 | 3 | 4;
}

/**
 * Rows with a caption and headings. The first column names the row; on narrow screens, the table
 * scrolls.
 */
export function Table<T>({ caption, columns, rows, none, level = 2 }: TableProps<T>): JSX.Element {
  const Heading = `h${level}` as const;
  if (rows.length === 0)
    return (
      <>
        <Heading>{caption}</Heading>
        <p class="note">{none}</p>
      </>
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, so the keyboard must reach it.
    <section class="scrolls" tabIndex={0} aria-label={caption}>
      <table class="rows">
        <caption>
          <Heading>{caption}</Heading>
        </caption>
        <thead>
          <tr>
            {columns.map(({ head, meaning, ...kind }) => (
              <th key={head} scope="col" class={lookOf(kind)} title={meaning}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>
              {columns.map(({ head, of, ...kind }, place) =>
                place === 0 ? (
                  <th key={head} scope="row">
                    {of(row)}
                  </th>
                ) : (
                  <td key={head} class={lookOf(kind)}>
                    {of(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const lookOf = ({
  isFigure,
  isLong,
  isMinor,
}: Pick<Column<unknown>, 'isFigure' | 'isLong' | 'isMinor'>): string | undefined =>
  [isFigure ? 'figure' : isLong && 'long', isMinor && 'minor'].filter(Boolean).join(' ') ||
  undefined;
