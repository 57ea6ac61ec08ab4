/** A value that is made when it is first asked for: a short process, such as a hook, needs few of the tables there are. */
export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
