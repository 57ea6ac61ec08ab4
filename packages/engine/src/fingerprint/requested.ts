/** What a user's message says about repetition. Only these marks are kept, not the text. */
export interface Requested {
  /** How many times something is to be done; 0 if the message names no count. */
  times: number;
  /** The message asks to wait for something, to poll it, or to keep trying. */
  waits: boolean;
  /** The message asks for text that repeats, or for a lot of it. */
  copies?: true;
}

export const NOTHING_REQUESTED: Requested = { times: 0, waits: false };

const MAX_LENGTH = 20_000;
const MAX_TIMES = 1000;
const NUMBERS: Readonly<Record<string, number>> = {
  twice: 2,
  thrice: 3,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  fifty: 50,
  hundred: 100,
};
const COUNT = new RegExp(
  String.raw`\b(\d{1,4}|a hundred|${Object.keys(NUMBERS).join('|')})(?:\s*x\b|[ -]+(?:more |consecutive |separate |test |successful |identical )*(?:times|runs|samples|attempts|iterations|repetitions|repeats|measurements|trials|executions|data ?points|readings|rolls|tries)\b)|\b(twice|thrice)\b`,
  'gi',
);
/** Multiples and limits are not requests to repeat something. */
const NOT_A_REQUEST =
  /(?:\b(?:at most|no more than|up to|fails?|failed|ran|was|were|took|last|past)\s+(?:\w+\s+)?)$/i;
const COMPARES = /^\s*(?:faster|slower|bigger|larger|smaller|longer|shorter|more|less|as |the )/i;
const WAITS =
  /\b(?:wait(?:ing)? (?:for|until|till)|until|poll(?:ing)?|keep (?:trying|checking|polling|asking|watching|waiting|an eye)|watch (?:it|the|for)|monitor|every \d+ (?:s|sec|seconds?|min|minutes?)|as soon as|let me know when|tell me when)\b/i;

const COPIES =
  /\b(?:repeat(?:s|ed|ing|edly)?|over and over|copies of|filler|dummy (?:text|data|file)|placeholder text|lorem|(?:large|big|huge|long) (?:test )?(?:file|text|string|input|payload)|\d+ ?(?:[km]b|kilobytes|megabytes|lines|rows|sentences|paragraphs|entries|records|copies|words|characters))\b/i;

/** Reads the marks out of a user's message. */
export function readRequested(text: string | undefined): Requested {
  if (typeof text !== 'string' || text === '') return NOTHING_REQUESTED;
  const said = text.slice(0, MAX_LENGTH);
  let times = 0;
  for (const match of said.matchAll(COUNT)) {
    if (NOT_A_REQUEST.test(said.slice(Math.max(0, match.index - 32), match.index))) continue;
    if (COMPARES.test(said.slice(match.index + match[0].length))) continue;
    const word = (match[1] ?? match[2]!).toLowerCase().replace('a hundred', 'hundred');
    times = Math.max(times, Math.min(MAX_TIMES, NUMBERS[word] ?? Number(word)));
  }
  return { times, waits: WAITS.test(said), ...(COPIES.test(said) ? { copies: true } : {}) };
}
