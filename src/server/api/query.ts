import type { Context } from 'hono';
import { cut } from '../../text/printable.ts';
import { TIMES, timeGiven } from '../../views/time-given.ts';
import { Refusal } from '../refusal.ts';

const wrong = (name: string, expected: string, got: string): Refusal =>
  new Refusal(400, 'bad-query', `Expected ${name} to be ${expected}, got ${cut(got, 60) || 'nothing'}.`);

/** The name that is asked for: in the path or, as a path cannot hold `.` and `..`, in the query. */
export const nameIn = (context: Context): string => context.req.param('id') ?? context.req.query('id') ?? '';

/** A whole number of the query, within bounds; `usual` where there is none. */
export function numberIn(context: Context, name: string, usual: number, [least, most]: readonly [number, number]): number {
  const given = context.req.query(name);
  if (given === undefined) return usual;
  const value = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw wrong(name, `a whole number from ${least} to ${most}`, given);
}

/** Epoch milliseconds of `since`; `usual` where there is none. */
export function sinceIn(context: Context, now: number, usual = 0): number {
  const given = context.req.query('since');
  if (given === undefined) return usual;
  const time = /^\d{1,15}$/.test(given) ? Number(given) : timeGiven(given, now);
  if (time !== undefined) return time;
  throw wrong('since', `epoch milliseconds, ${TIMES}`, given);
}

/** Names of a list with commas, each one of those that are known; all of them where nothing is said. */
export function namesIn<Name extends string>(context: Context, name: string, known: readonly Name[]): readonly Name[] {
  const given = context.req.query(name);
  if (given === undefined || given === '') return known;
  const names = given.split(',');
  const strange = names.find((each) => !known.includes(each as Name));
  if (strange !== undefined) throw wrong(name, `one or more of ${known.join(', ')}`, strange);
  return names as Name[];
}

/** A place in a list: a number, and what tells those of the same number apart. */
export interface Cursor {
  at: number;
  name: string;
}

/** What is given as `next`, to be given back as `cursor`. */
export const cursorText = ({ at, name }: Cursor): string => Buffer.from(JSON.stringify([at, name])).toString('base64url');

/** The place that `cursor` stands for, if it is given. */
export function cursorIn(context: Context): Cursor | undefined {
  const given = context.req.query('cursor');
  if (given === undefined) return undefined;
  try {
    const [at, name] = JSON.parse(Buffer.from(given, 'base64url').toString()) as unknown[];
    if (typeof at === 'number' && typeof name === 'string') return { at, name };
  } catch {
    // It is refused like any other.
  }
  throw wrong('cursor', 'the next value of an earlier response', given);
}
