import { hash64 } from '../hash.ts';
import type { Item } from './dialect.ts';

const MAX_TEXTS = 5000;

/** Names what stands in a history, so that it is known again in the next request. Each text and object is read once. */
export function createPrinter(): (item: Item) => string {
  const texts = new Map<string, string>();
  const objects = new WeakMap<object, string>();

  function printOf(value: unknown): string {
    if (typeof value !== 'object' || value === null) {
      const text = String(value);
      if (text.length < 64) return text;
      let print = texts.get(text);
      if (print === undefined) {
        if (texts.size >= MAX_TEXTS) texts.clear();
        print = hash64(text);
        texts.set(text, print);
      }
      return print;
    }
    let print = objects.get(value);
    if (print === undefined) {
      print = hash64(JSON.stringify(value) ?? '');
      objects.set(value, print);
    }
    return print;
  }

  return (item) => {
    if (item.kind === 'call') return `c ${item.id} ${item.tool} ${printOf(item.args)}`;
    if (item.kind === 'result') return `r ${item.id} ${printOf(item.result)} ${printOf(item.error)}`;
    return `u ${printOf(item.text)}`;
  };
}
