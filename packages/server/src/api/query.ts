import { aNumber, oneOf } from '@unrut/engine/schema/kinds';
import type { ListPlace } from '@unrut/ledger/reports/reports';
import { TIMES, timeGiven } from '@unrut/ledger/views/time-given';
import * as v from 'valibot';
import { isInSeconds, NOT_SECONDS } from '../latest-time.ts';
import { explained, maybe, text } from '../route/schema-words.ts';

/** Parameters that several routes have in their query. */

export const wholeFrom = (from: number, to: number) => aNumber({ from, to, integer: true });

export const zeroOrOne = (description: string) => maybe(explained(oneOf(['0', '1']), description));

/** Max number of results. */
export const limitOf = (usual: number, most: number) =>
  v.optional(explained(wholeFrom(1, most), `Max number of results (default ${usual}).`), usual);

const isEpoch = (given: string): boolean => /^\d{1,15}$/.test(given);

export const sinceParam = maybe(
  explained(
    v.pipe(
      v.string(),
      v.check(
        (given) => isEpoch(given) || timeGiven(given, 0) !== undefined,
        `epoch milliseconds, ${TIMES}`,
      ),
      v.check((given) => !isEpoch(given) || !isInSeconds(Number(given)), NOT_SECONDS),
    ),
    'Only what happened since: epoch milliseconds, 30m, 24h, 7d, 2w or a date.',
  ),
);

/** Parses `since` to epoch milliseconds; returns `usual` if it is missing. */
export function sinceTime(given: string | undefined, now: number, usual = 0): number {
  if (given === undefined) return usual;
  return isEpoch(given) ? Number(given) : (timeGiven(given, now) ?? usual);
}

/** Filters for the origin of sessions; an empty value selects sessions without one. */
export const originParams = {
  host: maybe(text("The agent's program.")),
  model: maybe(text('The model.')),
  release: maybe(text('The release of the agent or its prompt.')),
  repo: maybe(text('The repository.')),
  team: maybe(text('The team.')),
  person: maybe(text('The person who runs the agent.')),
};

/** Parses a comma-separated list of names. */
export const namesOf = <const Name extends string>(known: readonly Name[]) =>
  maybe(
    v.pipe(
      v.string(),
      v.check(
        (given) => given === '' || given.split(',').every((name) => known.includes(name as Name)),
        `one or more of ${known.join(', ')}`,
      ),
      v.transform((given): readonly Name[] =>
        given === '' ? known : (given.split(',') as Name[]),
      ),
      v.description(`Comma-separated list of ${known.join(', ')}.`),
    ),
  );

/** Encodes a position as the text of `next`, which clients send back as `cursor`. */
export const cursorText = ({ at, name, value }: ListPlace): string =>
  Buffer.from(JSON.stringify([at, name, value])).toString('base64url');

function cursorOf(given: string): ListPlace | undefined {
  try {
    const [at, name, value] = JSON.parse(Buffer.from(given, 'base64url').toString()) as unknown[];
    if (typeof at !== 'number' || typeof name !== 'string') return undefined;
    const isSorted = typeof value === 'string' || typeof value === 'number';
    return isSorted ? { at, name, value } : { at, name };
  } catch {
    return undefined;
  }
}

export const cursorParam = maybe(
  v.pipe(
    v.string(),
    v.check((given) => cursorOf(given) !== undefined, 'the next value of an earlier response'),
    v.transform(cursorOf),
    v.description('The next value of an earlier response.'),
  ),
);

/** A name in a path. */
export const nameParam = (of = 'The full name') =>
  text(`${of}, URL-encoded; \`.\` and \`..\` are written as %252E and %252E%252E.`);
