import { diffArrays } from 'diff';

/** A stretch of a text: also in the one before, only in this one, or only in the one before. */
export interface DiffStretch {
  kind: 'same' | 'new' | 'gone';
  text: string;
}

/** Texts that differ in more words count as new; finding this many changes takes 40 ms. */
const MAX_CHANGED = 1000;

/** A word or a sign, with the white space after it, which is shown but not compared. */
const wordsOf = (text: string): string[] =>
  (text.match(/(?:[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]|^)\s*/gu) ?? []).filter(Boolean);

/**
 * The differences between two texts, word by word. If they have little in common, the whole text
 * counts as new.
 */
export function wordDiff(before: string, after: string): DiffStretch[] {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const parts = diffArrays(old, now, {
    comparator: (one, other) => one.trimEnd() === other.trimEnd(),
    maxEditLength: MAX_CHANGED,
  });
  const stretches = (parts ?? []).map(({ added, removed, value }): DiffStretch => {
    const kind = added ? 'new' : removed ? 'gone' : 'same';
    return { kind, text: value.join('') };
  });
  const common = (parts ?? [])
    .filter(({ added, removed }) => !added && !removed)
    .reduce((sum, { count }) => sum + count, 0);
  if (common * 4 >= Math.max(old.length, now.length)) return stretches;
  return now.length > 0 ? [{ kind: 'new', text: after }] : [{ kind: 'gone', text: before }];
}
