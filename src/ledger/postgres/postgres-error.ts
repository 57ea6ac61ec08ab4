import { UnrutError } from '../../errors.ts';

/** What `write_1` raises. */
export const STALE = 'UN001';
export const REPEATED = 'UN002';
export const DELETED = 'UN003';
/** No partition for a row. */
export const NO_DAY = '23514';
const DENIED = '42501';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: the fields of an error of Postgres that we read. */
export interface PostgresError extends Error {
  code?: string;
  detail?: string;
}

export const codeOf = (error: unknown): string | undefined => (error as PostgresError | null)?.code;

/** What to do about it, by the beginning of its code; the first that fits. */
const ADVICE: readonly (readonly [code: RegExp, advice: string])[] = [
  [/^(?:28|3D)/, 'Check role, password and name of the database.'],
  [/^(?:42|3F)/, 'Run unrut migrate.'],
  [/^25006/, 'It only reads: give the address of the primary.'],
  [/^(?:53|58|XX)/, 'Check its disk, memory and log.'],
];

/** What is wrong, in one line that has no secret: neither an address nor what was written. */
export function toPostgresFault(where: string, error: unknown, whereDenied = 'Grant unrut_server to the role of the servers.'): UnrutError {
  if (error instanceof UnrutError) return error;
  const { code, message } = error as PostgresError;
  const advice = code === DENIED ? whereDenied : adviceFor(error);
  const reason = (message || code || 'it does not answer').replace(/\s+/g, ' ').replace(/\.$/, '').slice(0, 200);
  return new UnrutError('ledger-unusable', `[postgres] Cannot use ${where}: ${reason}. ${advice}`, { cause: error });
}

function adviceFor(error: unknown): string {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError)
    return 'This is a fault of Unrut, not of the database: please report it.';
  return ADVICE.find(([beginning]) => beginning.test(codeOf(error) ?? ''))?.[1] ?? 'Try again; if it stays so, check that it is up.';
}

/** Postgres says so itself, and the connection is as it was. */
export const isOfStatement = (error: unknown): boolean => (error as { severity?: string } | null)?.severity === 'ERROR';
