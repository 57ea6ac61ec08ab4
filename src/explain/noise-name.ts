import type { Piece } from '../fingerprint/noise-pieces.ts';

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

/** What a masked piece looks like to a reader; what is masked for its name or its place is plain noise. */
export const noiseName = (text: string): string => NAMES.find(([shape]) => shape.test(text))?.[1] ?? 'noise';

/** What needs no words around it to be understood. */
const SPEAKS_FOR_ITSELF = new Set(NAMES.map(([, name]) => name));

/** A piece as a reader understands it: a bare number or value with the words beside it. */
export function inContext(pieces: readonly Piece[], i: number): string {
  const { text, counts } = pieces[i]!;
  if (counts === 'masked' && SPEAKS_FOR_ITSELF.has(noiseName(text))) return text;
  const before = /\S{0,16}[^\w\n]{0,2}$/.exec(pieces[i - 1]?.text ?? '')?.[0] ?? '';
  const after = /^ ?[\w%]{0,12}/.exec(pieces[i + 1]?.text ?? '')?.[0] ?? '';
  return `${before}${text}${after}`.trim();
}
