import { ORDINAL } from './gist.ts';
import { anyOf, BYTE_UNITS, DONE_WORDS, PLACE_WORDS, TIME_UNITS, TRY_WORDS } from './lexicon.ts';

const COUNT =
  /(?<![\w.:/-])(\d{1,7})(?:\s*(?:\/|of)\s*(\d{1,7}))?(%?)\s+([a-z]+)|\b([a-z]+)\s*[:=]\s*(\d{1,7})(?![\w.:%/-])/gi;
const OF =
  /(?<![\w.:/-])(\d{1,7})\s*(?:\/|\bof\b)\s*(\d{1,7})(?![\w.:/-])|(\d{1,3}(?:\.\d+)?)%\s+(?:done|complete|completed|of|coverage|covered|finished|progress)/gi;
/** Numbers next to these words are positions, times or names, not counts. */
const NO_COUNT = new RegExp(
  `^(?:pid|process|port|round|at|in|after|took|time|duration|elapsed|am|pm|day|ago|exit|code|status|version|v|id|seed|step|and|or|to|the|is|was|on|for|of|${anyOf(PLACE_WORDS, TRY_WORDS, TIME_UNITS, BYTE_UNITS)})$`,
);
/** These counts rise when things go well. */
const BETTER_HIGHER = new RegExp(`^(?:fixed|ok|resolved|covered|${anyOf(DONE_WORDS)})$`);

/**
 * Whether a count in `after` shows that work moved on since `before`: less is left, or more is
 * done.
 */
export function movedOn(before: string, after: string): boolean {
  const earlier = countsIn(before);
  for (const [name, count] of countsIn(after)) {
    const was = earlier.get(name);
    if (was === undefined) continue;
    if (name.startsWith('+') ? count > was : count < was) return true;
  }
  return false;
}

/**
 * Every count, keyed by its noun and its position among the counts of that noun. `+` marks counts
 * that should rise.
 */
function countsIn(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (name: string, value: number): void => {
    let key = `${name}#1`;
    for (let i = 2; counts.has(key); i++) key = `${name}#${i}`;
    if (counts.size < 200) counts.set(key, value);
  };
  for (const [, number, whole, percent, after, before, value] of text.matchAll(COUNT)) {
    const noun = (after ?? before)!.toLowerCase().replace(/s$/, '');
    if (percent || whole !== undefined || NO_COUNT.test(noun)) continue;
    add(
      BETTER_HIGHER.test((after ?? before)!.toLowerCase()) ? `+${noun}` : noun,
      Number(number ?? value),
    );
  }
  for (const [, part, whole, percent] of text.matchAll(OF))
    add(percent === undefined ? `+of ${whole}` : '+%', Number(part ?? percent));
  for (const [, noun, , number] of text.matchAll(ORDINAL))
    add(`+${noun!.toLowerCase()} no`, Number(number));
  return counts;
}
