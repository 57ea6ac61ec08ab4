import { TIMELINE } from '../../views/timeline.ts';

/** A kind of step: its CSS name and its meaning. */
export interface LoopKind {
  name: string;
  meaning: string;
}

/** `style-timeline.ts` gives each a colour and a shape. */
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

/** All kinds, in the order of the legend. */
export const kinds: readonly LoopKind[] = [...KINDS.values()];

/** The kind that a timeline letter stands for. */
export const loopKindOf = (letter: string): LoopKind => KINDS.get(letter) ?? UNKNOWN;
