import { UnrutError } from '@unrut/engine/errors';

/** Limits of a ledger's size; the least recently written sessions are deleted first. */
export interface Retention {
  /** Deletes sessions without a new entry for this many days. Default: 30. */
  days?: number;
  /** Approximate maximum size of the file in megabytes. Default: 200. */
  megabytes?: number;
}

/** In milliseconds and bytes. */
export interface Limits {
  age: number;
  size: number;
}

const DAY = 24 * 60 * 60 * 1000;

/** The retention as numbers. Throws if one is invalid. */
export function limitsOf({ days = 30, megabytes = 200 }: Retention = {}): Limits {
  for (const [name, value] of Object.entries({ days, megabytes }))
    if (!(value >= 1))
      throw new UnrutError(
        'bad-option',
        `[sqlite] retention.${name}: expected a number from 1 up, got ${value}.`,
      );
  return { age: days * DAY, size: megabytes * 2 ** 20 };
}
