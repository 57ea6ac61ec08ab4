import type { Item } from '../frameworks/dialect.ts';

/**
 * Letters of messages that are remembered, so that a history is read once: to compare is faster
 * than to read.
 */
const MAX_LETTERS = 32 << 20;
/** Conversations whose messages at one place are remembered. */
const MAX_AT_ONCE = 16;

interface Known {
  message: unknown;
  items: readonly Item[];
}

/** By the place in the list. */
let known: Known[][] = [];
let letters = 0;

/**
 * The items of a message at a place in its list, as `read` gives them; the same items for the same
 * message.
 */
export function itemsOnce(
  message: unknown,
  place: number,
  read: (message: unknown, place: number) => Item[],
): readonly Item[] {
  const before = known[place];
  if (before)
    for (let i = 0; i < before.length; i++)
      if (isSame(before[i]!.message, message)) return before[i]!.items;
  const items = read(message, place);
  const size = lettersIn(message);
  letters += size;
  if (letters > MAX_LETTERS) [known, letters] = [[], size];
  while (known.length <= place) known.push([]);
  const here = known[place]!;
  here.unshift({ message, items });
  if (here.length > MAX_AT_ONCE) letters -= lettersIn(here.pop()!.message);
  return items;
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return false;
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false;
    for (let i = 0; i < one.length; i++) if (!isSame(one[i], other[i])) return false;
    return true;
  }
  // Lists of their names would cost more than all comparisons together.
  let names = 0;
  for (const name in one) {
    names++;
    if (!isSame((one as Fields)[name], (other as Fields)[name])) return false;
  }
  for (const _ in other) names--;
  return names === 0;
}

type Fields = Readonly<Record<string, unknown>>;

function lettersIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  return Object.values(value).reduce<number>((sum, each) => sum + lettersIn(each), 16);
}
