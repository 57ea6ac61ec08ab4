/**
 * A bounded list of named values, most recently used last. Plain JSON, so it can be part of a
 * state.
 */
export type Recent<T> = [name: string, value: T][];

/** The value of this name. It becomes the most recently used. */
export function recall<T>(list: Recent<T>, name: string): T | undefined {
  for (let i = list.length - 1; i >= 0; i--) {
    if (list[i]![0] !== name) continue;
    const entry = list[i]!;
    if (i !== list.length - 1) {
      list.splice(i, 1);
      list.push(entry);
    }
    return entry[1];
  }
  return undefined;
}

/**
 * Stores a value as the most recently used. If there are then more than `most`, drops the least
 * recently used.
 */
export function remember<T>(list: Recent<T>, name: string, value: T, most: number): T {
  if (recall(list, name) !== undefined) list[list.length - 1]![1] = value;
  else {
    list.push([name, value]);
    if (list.length > most) list.shift();
  }
  return value;
}

/**
 * Stores a value in a map as the newest entry. If there are then more than `most`, drops the oldest
 * and passes it to `gone`.
 */
export function keepIn<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  value: Value,
  most: number,
  gone?: (value: Value) => void,
): Value {
  map.delete(key);
  map.set(key, value);
  if (map.size <= most) return value;
  const [oldest, last] = map.entries().next().value!;
  map.delete(oldest);
  gone?.(last);
  return value;
}

/**
 * Returns a function that tells whether a name was seen before and remembers it. Keeps the last
 * `most` names.
 */
export function createSeen(most: number): (name: string) => boolean {
  const names = new Map<string, true>();
  return (name) => {
    if (names.has(name)) return true;
    keepIn(names, name, true, most);
    return false;
  };
}

/** Appends to a list and drops its first item if there are more than `most`. */
export function push<T>(list: T[], item: T, most: number): void {
  list.push(item);
  if (list.length > most) list.shift();
}
