/** What a user's message says about repetition. Only these marks are kept, not the text. */
export interface Requested {
  /** How many times something is to be done; 0 if the message names no count. */
  times: number;
  /** The message asks to wait for something, to poll it, or to keep trying. */
  waits: boolean;
  /** Only "until" says so, which may name the end of the agent's own work. */
  until?: true;
  /** It names a single thing, and no list of them. Not set if there is no text. */
  single?: true;
  /** It names several things, which are to be gone through. */
  lists?: true;
  /** It asks to watch something that others change, so looking at it again is what it asks for. */
  watches?: true;
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
  eleven: 11,
  twelve: 12,
  'a dozen': 12,
  'two dozen': 24,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  'a hundred': 100,
  hundred: 100,
};
const COUNT = new RegExp(
  String.raw`\b(\d{1,4}|${Object.keys(NUMBERS).join('|')})(?:\s*x\b|[ -]+(?:more |consecutive |separate |test |successful |identical )*(?:times|mal|veces|fois|runs|samples|attempts|iterations|repetitions|repeats|measurements|trials|executions|data ?points|readings|rolls|tries)\b)|\b(twice|thrice)\b|(?<=[\s(])[x×]\s?(\d{1,4})\b`,
  'gi',
);
/** Multiples and limits are not requests to repeat something. */
const NOT_A_REQUEST =
  /(?:\b(?:at most|no more than|up to|fails?|failed|ran|was|were|took|last|past)\s+(?:\w+\s+)?)$/i;
/** The count is meant for several things, such as two versions. How many is not known. */
const EACH = /^\s*(?:each|apiece|per|for (?:each|both|every)|of each|with each)\b/i;
const OF_EACH = 4;
const COMPARES = /^\s*(?:faster|slower|bigger|larger|smaller|longer|shorter|more|less|as |the )/i;
const WAITS =
  /\b(?:wait(?:ing)? (?:for|until|till)|poll(?:ing)?|keep (?:trying|checking|polling|asking|watching|waiting|an eye)|watch (?:it|the|for)|monitor|every \d+ (?:s|sec|seconds?|min|minutes?)|as soon as|let me know when|tell me when)\b/i;
const UNTIL = /\buntil\b/i;

/** Others act, or the user wants something to be looked at again and again. */
const WATCHES: readonly RegExp[] = [
  /\bwait(?:ing)? (?:for|until|till)\b(?! (?:my|me|user|the user|approval|confirmation|instructions)\b)/i,
  /\bkeep (?:trying|checking|polling|asking|watching|waiting|monitoring|an eye)\b/i,
  /\b(?:log|check|poll|read|sample|record|report|measure|query|watch|ping|look|fetch)\b[^.\n]{0,60}\bevery (?:\d+ )?(?:s|secs?|seconds?|mins?|minutes?|hours?|half)\b/i,
  /\b(?:as soon as|let me know when|tell me when)\b(?! (?:you|done|finished|it'?s|it is|everything|all)\b)/i,
  // Somebody or something else is at work, or is about to be.
  /\b(?:ci|pipeline(?: run \w+)?|deploy(?:ment)?|rollout|release|export|import|upload|download|migration|backup|restore|training|render(?:ing)?|colleague|co-?worker|team ?mate|customer|operator)\b[^.,;\n]{0,30}\b(?:is|are) (?:still |just |already |now |currently |being )*(?:rolling|running(?! into| out| slow)|publishing|pushing|building|deploying|writing|entering|filling|editing|uploading|downloading|copying|processing|going(?! wrong)|under ?way|in progress|on (?:its|the|his|her|their) way)\b/i,
  /\b(?:I|(?!You|We|It|This|That|These|They|The|Which|Who)[A-Z][a-z]+|colleague|teammate|admin|somebody|someone)(?:'ll| will| is going to| is about to| am going to| am about to) (?:soon |then |also )?(?:push|publish|send|answer|reply|approve|upload|enter|plug)\b/,
  /\b(?:colleague|co-?worker|team ?mate|customer|somebody|someone)\b[^\n]{0,60}\b(?:right now|at the moment|meanwhile)\b/i,
  /\b(?:when|once|as soon as) (?:it'?s|it is|they'?re|they are|(?:the |all )?[\w/.-]+(?: [\w/.-]+)? (?:is|are|has|have)) (?:been )?(?:live|up again|back up|there|merged|published|on the registry|green|approved|answered|replied|arrived|caught up|rolled out|released)\b/i,
  /(?:^|[.!?:;\n]\s*|\bplease )(?:watch|observe|monitor) (?:it|the|this|that|these|my|our|for|\w+\.\w+)\b/i,
  /\b(?:in|from) (?:another|a different|a second|my(?: own)?) (?:terminal|window|shell|tab|console|process|machine)\b/i,
];
const COPIES =
  /\b(?:repeat(?:s|ed|ing|edly)?|over and over|copies of|filler|dummy (?:text|data|file)|placeholder text|lorem|(?:large|big|huge|long) (?:test )?(?:file|text|string|input|payload)|\d+ ?(?:[km]b|kilobytes|megabytes|lines|rows|sentences|paragraphs|entries|records|copies|words|characters))\b/i;

/** Several things that are to be gone through one by one. */
const LIST =
  /\b(?:each|every|all|both|lists?|following|these|those|(?<!how )many|several|inventory|manifest|names|files|paths|modules|packages|which of|any of)\b|\b\d{2,}\b|,[^,\n]{1,80},|(?:^|\n)\s*(?:[-*•]|\d+[.)])\s[^\n]*\n\s*(?:[-*•]|\d+[.)])\s/i;

/** The largest count that the message asks for. */
function timesIn(said: string): number {
  let times = 0;
  for (const match of said.matchAll(COUNT)) {
    if (NOT_A_REQUEST.test(said.slice(Math.max(0, match.index - 32), match.index))) continue;
    const rest = said.slice(match.index + match[0].length);
    if (COMPARES.test(rest)) continue;
    const word = (match[1] ?? match[2] ?? match[3]!).toLowerCase();
    const number = (NUMBERS[word] ?? Number(word)) * (EACH.test(rest) ? OF_EACH : 1);
    times = Math.max(times, Math.min(MAX_TIMES, number));
  }
  return times;
}

/** Reads the marks out of a user's message. */
export function readRequested(text: string | undefined): Requested {
  if (typeof text !== 'string' || text === '') return NOTHING_REQUESTED;
  const said = text.slice(0, MAX_LENGTH);
  const watches = WATCHES.some((words) => words.test(said));
  const waits = watches || WAITS.test(said);
  const until = !waits && UNTIL.test(said);
  return {
    times: timesIn(said),
    waits: waits || until,
    ...(until ? { until } : {}),
    ...(LIST.test(said) ? { lists: true } : { single: true }),
    ...(watches ? { watches } : {}),
    ...(COPIES.test(said) ? { copies: true } : {}),
  };
}

/** Repetition in an answer that the user asked for, up to twice as often. Nobody asks for thoughts. */
export const isRequested = (
  { requested = 0 }: { requested?: number },
  channel: 'answer' | 'thinking',
  count: number,
): boolean => channel === 'answer' && count <= 2 * requested;
