/**
 * A value that is built when first needed: a short process, such as a hook, needs few of the
 * tables.
 */
export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Longer texts are not names, and are not cached. */
const MAX_NAME_LENGTH = 200;

/** Caches up to `most` results by name: only few names are looked up, but often. */
export function remembering<T extends string | boolean | object | null>(
  find: (name: string) => T,
  most = 512,
): (name: string) => T {
  const found = new Map<string, T>();
  return (name) => {
    const known = found.get(name);
    if (known !== undefined) return known;
    const value = find(name);
    if (found.size >= most) found.clear();
    if (name.length <= MAX_NAME_LENGTH) found.set(name, value);
    return value;
  };
}
