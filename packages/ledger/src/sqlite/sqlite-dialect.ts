import type { SqlDialect } from '../reports/sql/asking.ts';

/** What SQLite says in its own words. A file has one project. */
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

/** Tables have no schema, places of values another sign, and the organisation is 1. */
export const inItsWords = (sql: string): string =>
  sql
    .replaceAll('unrut.', '')
    .replaceAll(':org', '1')
    .replaceAll(/\$(\d)/g, '?$1');
