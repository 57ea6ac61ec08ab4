import { isDeepStrictEqual } from 'node:util';
import { UnrutError } from '@unrut/engine/errors';
import { isObject } from '@unrut/engine/json';
import { insertInto, readJson, removeAt, replaceAt } from './edit-json.ts';
import type { Edit } from './order.ts';

/** A single value of ours in a JSON settings file, at this path. */
export function jsonEntry(path: string, names: readonly string[], value: object): Edit {
  const holders = names.slice(0, -1);
  const own = names.at(-1)!;

  /** The value at the first names; undefined if there is none. */
  function at(text: string, depth: number): unknown {
    let found = readJson(text, path);
    for (const name of names.slice(0, depth)) {
      if (!isObject(found)) return undefined;
      found = found[name];
    }
    return found;
  }
  function checked(text: string): string {
    for (let depth = 0; depth <= holders.length; depth++) {
      const found = at(text, depth);
      if (found !== undefined && !isObject(found))
        throw new UnrutError(
          'unreadable',
          `${path}: expected ${names.slice(0, depth).join('.') || 'the file'} to be an object, got something else. Nothing was changed.`,
        );
    }
    return text;
  }

  return {
    path,
    add(text) {
      let result = checked(text === undefined || text.trim() === '' ? '{}\n' : text);
      for (let depth = 1; depth <= holders.length; depth++)
        if (at(result, depth) === undefined)
          result = insertInto(result, names.slice(0, depth - 1), {}, names[depth - 1]);
      const found = at(result, names.length);
      if (found === undefined) return insertInto(result, holders, value, own);
      return isDeepStrictEqual(found, value) ? result : replaceAt(result, names, value);
    },
    remove(text) {
      if (at(checked(text), names.length) === undefined) return text;
      let result = removeAt(text, names);
      for (let depth = holders.length; depth > 0; depth--)
        if (isDeepStrictEqual(at(result, depth), {}))
          result = removeAt(result, names.slice(0, depth));
      return isDeepStrictEqual(readJson(result, path), {}) ? undefined : result;
    },
  };
}
