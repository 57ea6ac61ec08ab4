import type { SqlDialect } from '../reports/sql/asking.ts';

/** SQLite's dialect. A file has one project. */
export const SQLITE: SqlDialect = {
  scope: () => 'true',
  milliseconds: (time) => time,
  time: (milliseconds) => milliseconds,
  day: (hour) => `(${hour} - ${hour} % 86400000)`,
  contains: (text, part) => `instr(${text}, ${part}) > 0`,
  aside: (column) => `+${column}`,
  key: 'session',
  keyIn: (given) => given,
  project: () => '1',
};

/** Translates a statement: no schema, other placeholders, and organisation 1. */
export const inItsWords = (sql: string): string =>
  sql
    .replaceAll('unrut.', '')
    .replaceAll(':org', '1')
    .replaceAll(/\$(\d)/g, '?$1');
