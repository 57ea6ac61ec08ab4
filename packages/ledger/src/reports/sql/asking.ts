/**
 * The parameters of report queries. Both ledgers have the same tables of figures and run the same
 * SQL, with `$1` for the first value.
 */
export interface Asking {
  ask<Row extends object>(sql: string, ...values: readonly unknown[]): Promise<Row[]>;
  dialect: SqlDialect;
}

/** Reads in one transaction. */
export type Read = <T>(act: (asking: Asking) => Promise<T>) => Promise<T>;

/** SQL that differs between the two databases. */
export interface SqlDialect {
  /** The condition of every query that limits rows to the visible ones. */
  scope(row: string): string;
  /** Converts a time column to epoch milliseconds, and back. */
  milliseconds(time: string): string;
  time(milliseconds: string): string;
  /** The day of an hour. */
  day(hour: string): string;
  /** Whether a text has another in it. */
  contains(text: string, part: string): string;
  /** Wraps a column so that the planner uses no index on it. */
  aside(column: string): string;
  /** The column that identifies a session in related rows. */
  key: string;
  /** A value for that column, from the text of a sender. */
  keyIn(given: string): string;
  /** The number of a session's project. */
  project(row: string): string;
}

/** Follows every text that begins with another. */
export const LAST_CHARACTER = '\u{10ffff}';

/**
 * Collects the values of a statement and returns their placeholders; `before` is the number of
 * earlier values.
 */
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

/** A sum as a number, whatever type the driver returns. */
export const summed = (column: string, name: string): string =>
  `CAST(coalesce(sum(${column}), 0) AS double precision) AS ${name}`;
