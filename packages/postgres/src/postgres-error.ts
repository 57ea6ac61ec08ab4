import { UnrutError } from '@unrut/engine/errors';

/** The codes that `write_3` raises. */
export const STALE = 'UN001';
export const REPEATED = 'UN002';
export const DELETED = 'UN003';
/** No partition for a row. */
export const NO_DAY = '23514';
const DENIED = '42501';

/**
 * The fields of a Postgres error that we read; see
 * https://www.postgresql.org/docs/current/errcodes-appendix.html.
 */
export interface PostgresError extends Error {
  code?: string;
  detail?: string;
}

export const codeOf = (error: unknown): string | undefined => (error as PostgresError | null)?.code;

/**
 * Faults of the address, not of the database; retrying does not help. Matched by code and message;
 * the first match counts.
 */
const WRONG_ADDRESS: readonly (readonly [RegExp, advice: string])[] = [
  [
    /password must be a/,
    'It asks for a password: set PGPASSWORD, or put it into the address in the file of UNRUT_LEDGER_FILE.',
  ],
  [
    /^\w*(?:CERT|VERIFY)/,
    'Name the certificate of your authority with sslrootcert=FILE in the address, and the host by the name that its certificate has.',
  ],
  [
    /does not support SSL/,
    'Turn TLS on there, or add sslmode=disable to the address where nobody can listen.',
  ],
  [/^28.*no encryption/, 'It wants TLS: leave sslmode out of the address.'],
  [/^(?:28|3D)/, 'Check role, password and name of the database.'],
];

/** Advice for other faults, matched in the same way. */
const ADVICE: typeof WRONG_ADDRESS = [
  ...WRONG_ADDRESS,
  [/^(?:42|3F)/, 'Run unrut ledger migrate.'],
  [/^25006/, 'It only reads: give the address of the primary.'],
  [/^53300/, 'Raise its max_connections: each server takes up to ten.'],
  [/^(?:53|58|XX)/, 'Check its disk, memory and log.'],
];

/** Describes a fault in one line without secrets: neither the address nor the data. */
export function toPostgresFault(
  where: string,
  error: unknown,
  whereDenied = 'Grant unrut_server to the role of the servers.',
): UnrutError {
  if (error instanceof UnrutError) return error;
  const { code, message } = error as PostgresError;
  const advice = code === DENIED ? whereDenied : adviceFor(error);
  const reason = (message || code || 'it does not answer')
    .replace(/\s+/g, ' ')
    .replace(/\.$/, '')
    .slice(0, 200);
  return new UnrutError('ledger-unusable', `[postgres] Cannot use ${where}: ${reason}. ${advice}`, {
    cause: error,
  });
}

function adviceFor(error: unknown): string {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError)
    return 'This is a fault of Unrut, not of the database: please report it.';
  return adviceIn(ADVICE, error) ?? 'Try again; if it stays so, check that it is up.';
}

const adviceIn = (table: typeof ADVICE, error: unknown): string | undefined =>
  table.find(([what]) =>
    what.test(`${codeOf(error) ?? ''} ${(error as Error | null)?.message}`),
  )?.[1];

/** Whether only a different address can fix the fault. */
export const isWrongAddress = (error: unknown): boolean =>
  adviceIn(WRONG_ADDRESS, error) !== undefined;

/**
 * Codes of network failures, and of Postgres's classes for connections, resources, operators and
 * disks.
 */
const AWAY_CODE =
  /^(?:ECONN[A-Z]+|EPIPE|ETIMEDOUT|E(?:HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN|(?:08|53|57|58)[0-9A-Z]{3})$/;
/** Messages of the driver that carry no code. */
const AWAY_WORDS = /^(?:Connection terminated|timeout exceeded|Query read timeout|Client has )/;

/** Whether the database was unreachable or unable to work, which may be temporary. */
export const isAway = (error: unknown): boolean =>
  error instanceof Error && (AWAY_CODE.test(codeOf(error) ?? '') || AWAY_WORDS.test(error.message));

/** Postgres reported the error itself, so the connection is still usable. */
export const isOfStatement = (error: unknown): boolean =>
  (error as { severity?: string } | null)?.severity === 'ERROR';

const LOCK_NOT_AVAILABLE = '55P03';
const MAX_TRIES = 30;

/**
 * Retries while somebody locks a table for longer than other queries may wait for us, so that the
 * queries behind us go first.
 */
export async function whenFree<T>(act: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await act();
    } catch (error) {
      if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error;
      if (tries === MAX_TRIES)
        throw new UnrutError(
          'busy-ledger',
          '[postgres] Others have used the tables all the time. Try again.',
        );
      await new Promise((resolve) => setTimeout(resolve, 2000 * Math.random()));
    }
  }
}
