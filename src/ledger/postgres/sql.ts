/** Pieces of statements that several queries have. */

/** Epoch milliseconds of a time, and the time of such. */
export const epochMilliseconds = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::double precision`;
export const timeOf = (value: string): string => `to_timestamp(${value}::double precision / 1000)`;

/** Follows every text that begins with another. */
export const LAST_CHARACTER = '\u{10ffff}';

/** Values of a statement, which are named by their places; `before` is how many others it has. */
export class Values {
  readonly list: unknown[] = [];
  readonly #before: number;

  constructor(before = 0) {
    this.#before = before;
  }

  add(value: unknown): string {
    return `$${this.#before + this.list.push(value)}`;
  }
}
