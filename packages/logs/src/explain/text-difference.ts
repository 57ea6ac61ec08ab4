import { isLineNumber, type Piece, piecesOf } from '@unrut/engine/fingerprint';
import { type ChangeObject, diffArrays } from 'diff';
import type { StepChange } from './report.ts';

/** More lines are not compared. */
const MAX_LINES = 4000;
/** Max number of changes to search for; this many take 40 ms. */
const MAX_CHANGED = { maxEditLength: 1000 };

interface Line {
  text: string;
  pieces: Piece[];
  /**
   * Equal for lines that differ only in listed noise; and for those that differ in any value or
   * quantity.
   */
  key: string;
  shape: string;
}

/** The differences between two texts, and how each counts when results are compared. */
export function textDifference(before: string, after: string): StepChange[] {
  const changes: StepChange[] = [];
  let left = changedLines(
    before.split('\n').slice(0, MAX_LINES),
    after.split('\n').slice(0, MAX_LINES),
  );
  // Lines equal except for noise are paired first, then those with other numbers; the rest are
  // paired in order.
  for (const name of ['key', 'shape'] as const)
    left = pair(...left, name, (one, other) => changes.push(...pieceChanges(one, other)));
  for (let i = 0; i < Math.max(left[0].length, left[1].length); i++)
    changes.push({
      ...withoutCommonWords(left[0][i]?.text ?? '', left[1][i]?.text ?? ''),
      as: 'text',
      counts: true,
    });
  return changes;
}

/** The lines that only the first text has, and those that only the second has. */
function changedLines(old: string[], now: string[]): [Line[], Line[]] {
  const gone: Line[] = [];
  const added: Line[] = [];
  const parts = diffArrays(old, now, MAX_CHANGED) ?? [
    { removed: true, added: false, count: old.length },
    { removed: false, added: true, count: now.length },
  ];
  let [oldAt, nowAt] = [0, 0];
  for (const part of parts) {
    if (!part.added && !part.removed) {
      oldAt += part.count;
      nowAt += part.count;
      continue;
    }
    for (let i = 0; i < part.count; i++)
      if (part.removed) gone.push(readLine(oldAt++, old));
      else added.push(readLine(nowAt++, now));
  }
  return [gone, added];
}

/** Removes the common beginning and end of two texts, except for one word of context. */
export function withoutCommonWords(
  before: string,
  after: string,
): Pick<StepChange, 'before' | 'after'> {
  const [old, now] = [before.trim().split(/\s+/), after.trim().split(/\s+/)];
  const parts = diffArrays(old, now, MAX_CHANGED) ?? [];
  const head = commonIn(parts[0]);
  const tail = commonIn(parts.slice(1).at(-1));
  const cut = (words: readonly string[]): string =>
    words.slice(Math.max(0, head - 1), words.length - tail).join(' ');
  return { before: cut(old), after: cut(now) };
}

const commonIn = (part: ChangeObject<string[]> | undefined): number =>
  part && !part.added && !part.removed ? part.count : 0;

function readLine(i: number, lines: readonly string[]): Line {
  const text = lines[i]!;
  const pieces = piecesOf(
    text,
    isLineNumber(leadingNumber(text), leadingNumber(lines[i - 1]), leadingNumber(lines[i + 1])),
  );
  const fold = (isKept: (piece: Piece) => boolean): string =>
    pieces
      .map((piece) => (isKept(piece) ? piece.text.toLowerCase().replace(/\s+/g, '') : '\u0000'))
      .join('');
  return {
    text,
    pieces,
    key: fold(({ counts }) => counts !== 'masked'),
    shape: fold(({ counts }) => counts === 'literal'),
  };
}

/** The number at the start of a line, before a tab. */
const leadingNumber = (line = ''): number => Number(/^ *(\d+)\t/.exec(line)?.[1] ?? Number.NaN);

/**
 * Passes lines with equal names to `found`, in order, and returns the unpaired ones. Empty lines
 * are ignored.
 */
function pair(
  old: Line[],
  now: Line[],
  name: 'key' | 'shape',
  found: (one: Line, other: Line) => void,
): [Line[], Line[]] {
  const waiting = Map.groupBy(old, (line) => line[name]);
  const alone = now.filter((line) => {
    const partner = waiting.get(line[name])?.shift();
    if (partner) found(partner, line);
    return !partner && line.key !== '';
  });
  const left = new Set([...waiting.values()].flat());
  return [old.filter((line) => left.has(line) && line.key !== ''), alone];
}

const TAKEN_FOR = { value: 'a value', quantity: 'a quantity' } as const;

function pieceChanges(one: Line, other: Line): StepChange[] {
  return one.pieces.flatMap(({ text, counts }, i): StepChange[] => {
    if (counts === 'literal' || text === other.pieces[i]?.text || !other.pieces[i]) return [];
    const as = counts === 'masked' ? noiseName(text) : TAKEN_FOR[counts];
    return [
      {
        before: inContext(one.pieces, i),
        after: inContext(other.pieces, i),
        as,
        counts: counts !== 'masked',
      },
    ];
  });
}

const NAMES: readonly [RegExp, string][] = [
  [/^\d{4}-\d\d-\d\dt/i, 'time'],
  [/^\d{1,2}(?::\d\d){1,2}(?:[.,]\d+)?$/, 'time'],
  [/^\d{10}(?:\d{3})?$/, 'time'],
  [/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i, 'id'],
  [/^0x/i, 'address'],
  [/^(?:tmp|var\/folders|private\/var)\//, 'temporary path'],
  [/^localhost:/i, 'port'],
  [/^[\d.]+(?:ns|us|ms|s|m|h|sec|secs|min|mins|hr|hrs)(?:[\d.]+[a-z]+)*$/i, 'duration'],
];

/** How a masked piece is shown; pieces masked by their name or position are plain noise. */
const noiseName = (text: string): string =>
  NAMES.find(([shape]) => shape.test(text))?.[1] ?? 'noise';

/** Kinds of noise that need no context. */
const SPEAKS_FOR_ITSELF = new Set(NAMES.map(([, name]) => name));

/** A piece for display: a bare number or value gets the adjacent words. */
function inContext(pieces: readonly Piece[], i: number): string {
  const { text, counts } = pieces[i]!;
  if (counts === 'masked' && SPEAKS_FOR_ITSELF.has(noiseName(text))) return text;
  const before = /\S{0,16}[^\w\n]{0,2}$/.exec(pieces[i - 1]?.text ?? '')?.[0] ?? '';
  const after = /^ ?[\w%]{0,12}/.exec(pieces[i + 1]?.text ?? '')?.[0] ?? '';
  return `${before}${text}${after}`.trim();
}
