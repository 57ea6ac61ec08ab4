import { isObject } from '../json.ts';

/** Shorter lines are in many texts by chance. */
const LINE = 24;
const MAX_LINES = 24;
/** More characters of the arguments are not searched. */
const MAX_LENGTH = 16_384;

function stringsIn(args: unknown): string {
  if (typeof args === 'string') return args;
  if (!isObject(args)) return '';
  return Object.values(args)
    .filter((value) => typeof value === 'string')
    .join('\n');
}

/** Whether most lines of a result were in the arguments already. Only lines that are long enough to be told apart count. */
export function isEcho(result: string, args: unknown): boolean {
  if (result.length < LINE) return false;
  const given = stringsIn(args);
  if (given.length < LINE) return false;
  const known = given.slice(0, MAX_LENGTH);
  let lines = 0;
  let echoed = 0;
  // With half of the most that are looked at missed, there is no way back.
  for (let start = 0; start < result.length && lines < MAX_LINES && (lines - echoed) * 2 < MAX_LINES; ) {
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
