/** A bounded list of named things, the most recently used last. Plain JSON, so it can be part of a state. */
export type Recent<T> = [name: string, value: T][];

/** The thing of this name, which thereby becomes the most recent. */
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

/** Keeps the thing as the most recent; beyond `most`, the least recently used goes. */
export function remember<T>(list: Recent<T>, name: string, value: T, most: number): T {
  if (recall(list, name) !== undefined) list[list.length - 1]![1] = value;
  else {
    list.push([name, value]);
    if (list.length > most) list.shift();
  }
  return value;
}

/** Keeps a thing in a map as the most recent; beyond `most`, the least recently kept goes, and `gone` is told of it. */
export function keepIn<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number, gone?: (value: Value) => void): Value {
  map.delete(key);
  map.set(key, value);
  if (map.size <= most) return value;
  const [oldest, last] = map.entries().next().value!;
  map.delete(oldest);
  gone?.(last);
  return value;
}

/** Remembers the last `most` names: whether this one has been seen before, and from now on it has. */
export function createSeen(most: number): (name: string) => boolean {
  const names = new Map<string, true>();
  return (name) => {
    if (names.has(name)) return true;
    keepIn(names, name, true, most);
    return false;
  };
}

/** Appends to a plain list and drops from its front beyond `most`. */
export function push<T>(list: T[], item: T, most: number): void {
  list.push(item);
  if (list.length > most) list.shift();
}
