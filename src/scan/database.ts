import { UnrutError } from '../errors.ts';

/** The records of an SQLite file that an agent keeps its runs in. */
export function databaseRecords(_file: string): Iterable<unknown> {
  throw new UnrutError('not-text', 'it is an SQLite database of no agent that is known');
}
