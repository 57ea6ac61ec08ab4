import { aNumber, oneOf } from '@unrut/engine/schema/kinds';
import type { ListPlace } from '@unrut/ledger/reports/reports';
import { TIMES, timeGiven } from '@unrut/ledger/views/time-given';
import type { Context } from 'hono';
import * as v from 'valibot';

/**
 * Kinds of values in a query. Every query is checked before its route is asked, so routes only
 * read.
 */

export const wholeFrom = (from: number, to: number) => aNumber({ from, to, integer: true });

export const zeroOrOne = oneOf(['0', '1']);

const isEpoch = (given: string): boolean => /^\d{1,15}$/.test(given);

export const aTime = v.pipe(
  v.string(),
  v.check(
    (given) => isEpoch(given) || timeGiven(given, 0) !== undefined,
    `epoch milliseconds, ${TIMES}`,
  ),
);

/** A list with commas. */
export const namesOf = (known: readonly string[]) =>
  v.pipe(
    v.string(),
    v.check(
      (given) => given === '' || given.split(',').every((name) => known.includes(name)),
      `one or more of ${known.join(', ')}`,
    ),
  );

/** The name that is asked for: in the path or, as a path cannot hold `.` and `..`, in the query. */
export const nameIn = (context: Context, of = 'id'): string =>
  context.req.param(of) ?? context.req.query(of) ?? '';

/** A whole number of the query; `usual` where there is none. */
export const numberIn = (context: Context, name: string, usual: number): number =>
  Number(context.req.query(name) ?? usual);

/** Epoch milliseconds of `since`; `usual` where there is none. */
export function sinceIn(context: Context, now: number, usual = 0): number {
  const given = context.req.query('since');
  if (given === undefined) return usual;
  return isEpoch(given) ? Number(given) : (timeGiven(given, now) ?? usual);
}

/** Names of a list with commas; all that are known where nothing is said. */
export function namesIn<Name extends string>(
  context: Context,
  name: string,
  known: readonly Name[],
): readonly Name[] {
  const given = context.req.query(name);
  return given === undefined || given === '' ? known : (given.split(',') as Name[]);
}

/** What is given as `next`, to be given back as `cursor`. */
export const cursorText = ({ at, name, value }: ListPlace): string =>
  Buffer.from(JSON.stringify([at, name, value])).toString('base64url');

function cursorOf(given: string): ListPlace | undefined {
  try {
    const [at, name, value] = JSON.parse(Buffer.from(given, 'base64url').toString()) as unknown[];
    if (typeof at !== 'number' || typeof name !== 'string') return undefined;
    return typeof value === 'string' || typeof value === 'number'
      ? { at, name, value }
      : { at, name };
  } catch {
    return undefined;
  }
}

export const aCursor = v.pipe(
  v.string(),
  v.check((given) => cursorOf(given) !== undefined, 'the next value of an earlier response'),
);

/** The place that `cursor` stands for, if it is given. */
export const cursorIn = (context: Context): ListPlace | undefined =>
  cursorOf(context.req.query('cursor') ?? '');
