/** A stretch of a text: also in the one before, only in this one, or only in the one before. */
export interface DiffStretch {
  kind: 'same' | 'new' | 'gone';
  text: string;
}

/**
 * A table of 200 × 200 words takes well under a millisecond; beyond, what lies between the common
 * ends counts as changed.
 */
const MAX_COMPARED = 40_000;

/** A word or a sign; the white space after it is shown, not compared. */
interface Word {
  key: string;
  text: string;
}

function wordsOf(text: string): Word[] {
  const found = text.match(/(?:[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]|^)\s*/gu) ?? [];
  return found.filter(Boolean).map((word) => ({ key: word.trimEnd(), text: word }));
}

/**
 * What changed from one text to the next, word by word. Texts with little in common are called new
 * as a whole.
 */
export function wordDiff(before: string, after: string): DiffStretch[] {
  const old = wordsOf(before);
  const now = wordsOf(after);
  const { head, tail } = commonEnds(
    old.map(({ key }) => key),
    now.map(({ key }) => key),
  );
  const changes = middle(old.slice(head, old.length - tail), now.slice(head, now.length - tail));
  const common = head + tail + changes.filter(([kind]) => kind === 'same').length;
  if (common * 4 < Math.max(old.length, now.length))
    return now.length > 0 ? [{ kind: 'new', text: after }] : [{ kind: 'gone', text: before }];
  const same = (words: Word[]): Change[] => words.map(({ text }) => ['same', text]);
  return merged([...same(now.slice(0, head)), ...changes, ...same(now.slice(now.length - tail))]);
}

/** How many items two lists have in common at their beginning and at their end. */
export function commonEnds(
  old: readonly string[],
  now: readonly string[],
): { head: number; tail: number } {
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < now.length - head &&
    old.at(-1 - tail) === now.at(-1 - tail)
  )
    tail++;
  return { head, tail };
}

type Change = [kind: DiffStretch['kind'], text: string];

/** The longest common subsequence; what is gone stands before what came instead. */
function middle(old: readonly Word[], now: readonly Word[]): Change[] {
  const gone = ({ text }: Word): Change => ['gone', text];
  const added = ({ text }: Word): Change => ['new', text];
  if (old.length * now.length > MAX_COMPARED) return [...old.map(gone), ...now.map(added)];
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      const next = (i + 1) * width + j;
      lengths[i * width + j] =
        old[i]!.key === now[j]!.key
          ? lengths[next + 1]! + 1
          : Math.max(lengths[next]!, lengths[i * width + j + 1]!);
    }
  }
  const changes: Change[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < now.length) {
    if (old[i]!.key === now[j]!.key) {
      changes.push(['same', now[j]!.text]);
      i++;
      j++;
    } else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)
      changes.push(gone(old[i++]!));
    else changes.push(added(now[j++]!));
  }
  return [...changes, ...old.slice(i).map(gone), ...now.slice(j).map(added)];
}

function merged(changes: readonly Change[]): DiffStretch[] {
  const stretches: DiffStretch[] = [];
  for (const [kind, text] of changes) {
    const last = stretches.at(-1);
    if (last?.kind === kind) last.text += text;
    else stretches.push({ kind, text });
  }
  return stretches;
}
