import { anyOf, DONE_WORDS } from './lexicon.ts';

/** A summary is at the beginning or the end of an output. */
const WINDOW = 2048;

const WORDS = `ok|${anyOf(DONE_WORDS)}`;
/** `12 passed`, `12 tests passed`, `12 rows imported`. */
const BEFORE = new RegExp(
  String.raw`(?<![\w.:/-])(\d{1,7}) (?:(?!failed|failing|errors?)[a-z]+ ){0,1}(?:${WORDS})\b`,
  'gi',
);
/** `Passed: 12`, `ok=12`, `imported 12 rows`, `Ran 12 tests`. */
const AFTER = new RegExp(
  String.raw`\b(?:${WORDS}|ran)(?:[ \t]*[:=])?[ \t]*(\d{1,7})(?![\w.:%/-])`,
  'gi',
);
/** `(12/60)`, `step 12 of 60`. Attempts are counted too, but more of them are no progress. */
const PART_OF =
  /(?<![\w.:/-])(?<!\b(?:attempt|retry|try|tries|retries|after)[ #(]{1,2})(\d{1,7})(?:\/| of )(\d{1,7})(?![\w.:/-])/gi;

/**
 * How much a result says is done, if it says so: `12 passed`, `imported 12 rows`, `(12/60)`;
 * otherwise null. Examines only the head and the tail.
 */
export function doneIn(text: string): number | null {
  const ends =
    text.length <= 2 * WINDOW ? text : `${text.slice(0, WINDOW)}\n${text.slice(-WINDOW)}`;
  let most: number | null = null;
  for (const pattern of [BEFORE, AFTER, PART_OF])
    for (const [, count] of ends.matchAll(pattern)) most = Math.max(most ?? 0, Number(count));
  return most;
}
