import { TIMELINE } from '../../views/timeline.ts';

/** A kind of step: how it is called in the page's style, and what it means. */
export interface LoopKind {
  name: string;
  meaning: string;
}

/** Their look is in `style-timeline.ts`: each has a colour and a shape of its own. */
const NAMES: Record<keyof typeof TIMELINE, string> = {
  u: 'person',
  m: 'message',
  n: 'new',
  '-': 'nothing',
  e: 'failed',
  w: 'wait',
  b: 'blocked',
  '?': 'unknown',
};

const KINDS = new Map<string, LoopKind>(
  Object.entries(NAMES).map(([letter, name]) => [
    letter,
    { name, meaning: TIMELINE[letter as keyof typeof TIMELINE] },
  ]),
);
const UNKNOWN: LoopKind = { name: NAMES['?'], meaning: TIMELINE['?'] };

/** All of them, in the order in which they are explained. */
export const kinds: readonly LoopKind[] = [...KINDS.values()];

/** What a character of a timeline stands for. */
export const loopKindOf = (letter: string): LoopKind => KINDS.get(letter) ?? UNKNOWN;
