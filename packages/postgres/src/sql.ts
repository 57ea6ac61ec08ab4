/** Pieces of statements that several queries have. */

/** Converts a time column to epoch milliseconds, and back. */
export const epochMilliseconds = (column: string): string =>
  `(extract(epoch FROM ${column}) * 1000)::double precision`;
export const timeOf = (value: string): string => `to_timestamp(${value}::double precision / 1000)`;

/** A driver's row as a record: without null columns, and with times in epoch milliseconds. */
export const recordIn = <T extends object>(row: object): T =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      value === null ? [] : [[name, value instanceof Date ? value.getTime() : value]],
    ),
  ) as T;
