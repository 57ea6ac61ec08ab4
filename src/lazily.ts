/** A value that is made when it is first asked for: a short process, such as a hook, needs few of the tables there are. */
export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Longer texts are no names, and are looked at each time. */
const MAX_NAME_LENGTH = 200;

/** What is found for a name, remembered for up to `most` of them: few are asked for, and those often. */
export function remembering<T extends string | boolean | object | null>(find: (name: string) => T, most = 512): (name: string) => T {
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
