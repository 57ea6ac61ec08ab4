import { isObject } from '../json.ts';

/** Shorter lines occur in many texts by chance. */
const LINE = 24;
const MAX_LINES = 24;
/** The rest of longer arguments is not searched. */
const MAX_LENGTH = 16_384;

function stringsIn(args: unknown): string {
  if (typeof args === 'string') return args;
  if (!isObject(args)) return '';
  return Object.values(args)
    .filter((value) => typeof value === 'string')
    .join('\n');
}

/**
 * Whether most lines of a result were already in the arguments. Only lines of at least 24
 * characters count.
 */
export function isEcho(result: string, args: unknown): boolean {
  if (result.length < LINE) return false;
  const given = stringsIn(args);
  if (given.length < LINE) return false;
  const known = given.slice(0, MAX_LENGTH);
  let lines = 0;
  let echoed = 0;
  // Stops once the misses are half of the maximum: the rest can no longer form a majority.
  for (
    let start = 0;
    start < result.length && lines < MAX_LINES && (lines - echoed) * 2 < MAX_LINES;
  ) {
    const end = result.indexOf('\n', start);
    const line = result.slice(start, end < 0 ? result.length : end).trim();
    start = end < 0 ? result.length : end + 1;
    if (line.length < LINE) continue;
    lines++;
    const opening = line.slice(0, 120);
    if (opening.length <= known.length && known.includes(opening)) echoed++;
  }
  return lines > 0 && echoed * 2 > lines;
}
