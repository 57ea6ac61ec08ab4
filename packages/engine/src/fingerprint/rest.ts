import type { TextAdded } from '../event.ts';

/** How the agent came to rest. */
export interface RestPrint {
  /** Something else runs for it, or will wake it. */
  waiting: boolean;
  /** Its message says that nothing is left to do. */
  nothingLeft: boolean;
  /** Its message says that it waits for somebody or something. */
  waitsForOthers: boolean;
  /** The user asked to wait for something, not only to work until something is done. */
  mayWait: boolean;
}

/** Longer messages report on something, whatever else they say. */
const LONGEST = 400;
const anyOf = (patterns: readonly RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => source).join('|'), 'i');

const NOTHING_LEFT = anyOf([
  /\bnothing (?:is )?(?:left|more|else|further|new|remaining|actionable)\b/,
  /\bnothing (?:that )?(?:(?:for me )?to (?:do|act on)|(?:I|we) can do)\b/,
  /\bno (?:further|more|other|remaining|outstanding) (?:work|actions?|steps?|tasks?|changes)\b/,
  /\bno (?:work|actions?|steps?|tasks?) (?:is|are|remains?|left)\b/,
  /\b(?:everything|all (?:of the )?(?:work|tasks?|steps|items|goals)(?: (?:of|in|on) \S+(?: \S+)?)?) (?:is|are|was|were) (?:already )?(?:done|complete|completed|finished)\b/,
  /\balready (?:done|complete|completed|finished)\b/,
]);
const WAITS = anyOf([
  /\b(?:waiting|blocked|held up) (?:for|on|by|until)\b/,
  /\bawaiting\b/,
  /\b(?:has|have|needs?) (?:still )?to (?:approve|answer|decide|review|sign off)\b/,
]);

export const readRest = ({ rest, text }: TextAdded, mayWait: boolean): RestPrint => ({
  waiting: rest !== 'idle',
  nothingLeft: text.length <= LONGEST && NOTHING_LEFT.test(text),
  waitsForOthers: text.length <= LONGEST && WAITS.test(text),
  mayWait,
});
