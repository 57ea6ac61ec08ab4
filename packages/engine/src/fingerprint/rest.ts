import type { TextAdded } from '../event.ts';

/** How the agent came to rest. */
export interface RestPrint {
  /** Something else runs for it, or will wake it. */
  waiting: boolean;
  /** Its message says that nothing is left to do. */
  nothingLeft: boolean;
  /** The user asked to wait for something, not only to work until something is done. */
  mayWait: boolean;
}

/** Longer messages report on something, whatever else they say. */
const LONGEST = 400;
const NOTHING_LEFT =
  /\bnothing (?:is )?(?:(?:left|more|else|further|new|remaining|actionable)\b|(?:for me )?to (?:do|act on)\b)|\bno (?:further|more|other|remaining|outstanding) (?:work|actions?|steps?|tasks?|changes)\b|\b(?:everything|all (?:of the )?(?:work|tasks?|steps|items)) (?:is|are|was|were) (?:already )?(?:done|complete|completed|finished)\b|\balready (?:done|complete|completed|finished)\b/i;

export const readRest = ({ rest, text }: TextAdded, mayWait: boolean): RestPrint => ({
  waiting: rest !== 'idle',
  nothingLeft: text.length <= LONGEST && NOTHING_LEFT.test(text),
  mayWait,
});
