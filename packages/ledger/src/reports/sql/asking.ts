/**
 * What the questions of a report are asked with. Both ledgers have the same tables of figures, so
 * both are asked the same: SQL that SQLite and Postgres understand, with `$1` for the first value.
 */
export interface Asking {
  ask<Row extends object>(sql: string, ...values: readonly unknown[]): Promise<Row[]>;
  dialect: SqlDialect;
}

/** Reads in one transaction. */
export type Read = <T>(act: (asking: Asking) => Promise<T>) => Promise<T>;

/** What the two say in different words. */
export interface SqlDialect {
  /** The condition that every question begins with: whose rows may be seen. */
  scope(row: string): string;
  /** Epoch milliseconds of a time, and the time of such. */
  milliseconds(time: string): string;
  time(milliseconds: string): string;
  /** The day of an hour. */
  day(hour: string): string;
  /** Whether a text has another in it. */
  contains(text: string, part: string): string;
  /** A column that no index is to be chosen for. */
  aside(column: string): string;
  /** The column that stands for a session in rows about it. */
  key: string;
  /** A value of it, made of what a sender gives as such. */
  keyIn(given: string): string;
  /** The number of a session's project. */
  project(row: string): string;
}

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

/** A number, whatever the driver makes of a sum. */
export const summed = (column: string, name: string): string =>
  `CAST(coalesce(sum(${column}), 0) AS double precision) AS ${name}`;
