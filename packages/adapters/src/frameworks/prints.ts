import { hash64 } from '@unrut/engine/hash';
import type { Item } from './dialect.ts';

/** Letters of texts that are remembered. */
const MAX_LETTERS = 32 << 20;

/**
 * Hashes items of a history, so that they are recognised in the next request. Each text and object
 * is hashed once.
 */
export function createPrinter(): (item: Item) => string {
  /** By their length and their ends: to compare long texts is much faster than to hash them. */
  const texts = new Map<string, { text: string; print: string }>();
  let letters = 0;
  const items = new WeakMap<Item, string>();
  const objects = new WeakMap<object, string>();

  function printOf(value: unknown): string {
    if (typeof value !== 'object' || value === null) {
      const text = String(value);
      if (text.length < 64) return text;
      const ends = `${text.length} ${text.slice(0, 20)}${text.slice(-20)}`;
      const known = texts.get(ends);
      if (known?.text === text) return known.print;
      letters += text.length;
      if (letters > MAX_LETTERS) {
        texts.clear();
        letters = text.length;
      }
      const print = hash64(text);
      texts.set(ends, { text, print });
      return print;
    }
    let print = objects.get(value);
    if (print === undefined) {
      print = hash64(JSON.stringify(value) ?? '');
      objects.set(value, print);
    }
    return print;
  }

  const printed = (item: Item): string => {
    if (item.kind === 'call') return `c ${item.id} ${item.tool} ${printOf(item.args)}`;
    if (item.kind === 'result')
      return `r ${item.id} ${printOf(item.result)} ${printOf(item.error)}`;
    return `u ${printOf(item.text)}`;
  };

  return (item) => {
    const known = items.get(item);
    if (known !== undefined) return known;
    const print = printed(item);
    items.set(item, print);
    return print;
  };
}
