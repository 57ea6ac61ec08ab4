import { UnrutError } from '@unrut/engine/errors';

/** See https://sqlite.org/rescode.html: the low byte of SQLite's error code. */
const BUSY = 5;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

const codeOf = (error: unknown): number =>
  ((error as { errcode?: number } | null)?.errcode ?? 0) & 0xff;

/** Somebody else is writing. */
export const isBusy = (error: unknown): boolean => codeOf(error) === BUSY;

/** The file is damaged, or not a database. */
export const isBroken = (error: unknown): boolean =>
  [CORRUPT, NOT_A_DATABASE].includes(codeOf(error));

/**
 * Converts an error of SQLite or the file system to a one-line message with advice; returns other
 * errors unchanged.
 */
export function toLedgerError(path: string, error: unknown): unknown {
  const { errno, errcode, errstr, message } = error as NodeJS.ErrnoException & {
    errcode?: number;
    errstr?: string;
  };
  if (errno === undefined && errcode === undefined) return error;
  const [reason, advice] = isBusy(error)
    ? ['others have been writing to it all the time', 'Try again.']
    : [
        errstr ?? message,
        'Check that its folder can be written to and has space, or set UNRUT_HOME to another folder.',
      ];
  return new UnrutError('ledger-unusable', `[sqlite] Cannot use ${path}: ${reason}. ${advice}`, {
    cause: error,
  });
}

/**
 * Retries while the database is busy, in cases in which SQLite does not wait, for at most this many
 * milliseconds.
 */
export function patiently<T>(milliseconds: number, act: () => T): T {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    try {
      return act();
    } catch (error) {
      if (!isBusy(error) || Date.now() >= deadline) throw error;
      pauseBriefly(5);
    }
  }
}

/** Waits without giving the turn away. */
export function pauseBriefly(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
