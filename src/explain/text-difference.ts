import { type Piece, piecesOf } from '../fingerprint/noise-pieces.ts';
import { inContext, noiseName } from './noise-name.ts';
import type { Change } from './report.ts';

/** More lines are not compared. */
const MOST_LINES = 4000;

interface Line {
  text: string;
  pieces: Piece[];
  /** Equal where the lines are, listed noise aside; and with every value and quantity aside. */
  key: string;
  shape: string;
}

/** Where two texts differ, and what each place is taken for where results are compared. */
export function textDifference(before: string, after: string): Change[] {
  const [old, now] = withoutCommonEnds(before.split('\n').slice(0, MOST_LINES), after.split('\n').slice(0, MOST_LINES));
  const changes: Change[] = [];
  // Lines that are equal but for noise belong together, then those that say other numbers; of the rest the order decides.
  const rest = pair(
    old.map(readLine),
    now.map(readLine),
    ({ key }) => key,
    (one, other) => changes.push(...pieceChanges(one, other)),
  );
  const left = pair(
    rest[0],
    rest[1],
    ({ shape }) => shape,
    (one, other) => changes.push(...pieceChanges(one, other)),
  );
  for (let i = 0; i < Math.max(left[0].length, left[1].length); i++)
    changes.push({ ...withoutCommonWords(left[0][i]?.text ?? '', left[1][i]?.text ?? ''), as: 'text', counts: true });
  return changes;
}

/** Two texts without the words that both begin and end with; one of them stays, for a reader to know the place. */
export function withoutCommonWords(before: string, after: string): Pick<Change, 'before' | 'after'> {
  const [old, now] = [before.trim().split(/\s+/), after.trim().split(/\s+/)];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const cut = (words: readonly string[]): string => words.slice(Math.max(0, head - 1), words.length - tail).join(' ');
  return { before: cut(old), after: cut(now) };
}

function withoutCommonEnds(old: string[], now: string[]): [string[], string[]] {
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  return [old.slice(head, old.length - tail), now.slice(head, now.length - tail)];
}

function readLine(text: string): Line {
  const pieces = piecesOf(text);
  const fold = (isKept: (piece: Piece) => boolean): string =>
    pieces.map((piece) => (isKept(piece) ? piece.text.toLowerCase().replace(/\s+/g, '') : '\u0000')).join('');
  return { text, pieces, key: fold(({ counts }) => counts !== 'masked'), shape: fold(({ counts }) => counts === 'literal') };
}

/** Shows lines with an equal name to `found`, in order, and returns those that have no partner. An empty line is none. */
function pair(
  old: readonly Line[],
  now: readonly Line[],
  name: (line: Line) => string,
  found: (one: Line, other: Line) => void,
): [Line[], Line[]] {
  const waiting = Map.groupBy(old, name);
  const alone = now.filter((line) => {
    const partner = waiting.get(name(line))?.shift();
    if (partner) found(partner, line);
    return !partner && line.key !== '';
  });
  const left = new Set([...waiting.values()].flat());
  return [old.filter((line) => left.has(line) && line.key !== ''), alone];
}

const TAKEN_FOR = { value: 'a value', quantity: 'a quantity' } as const;

function pieceChanges(one: Line, other: Line): Change[] {
  return one.pieces.flatMap(({ text, counts }, i): Change[] => {
    if (counts === 'literal' || text === other.pieces[i]?.text || !other.pieces[i]) return [];
    const as = counts === 'masked' ? noiseName(text) : TAKEN_FOR[counts];
    return [{ before: inContext(one.pieces, i), after: inContext(other.pieces, i), as, counts: counts !== 'masked' }];
  });
}
