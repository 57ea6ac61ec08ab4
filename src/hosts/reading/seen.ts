/** Remembers the last `most` names: whether this one has been seen before, and from now on it has. */
export function createSeen(most: number): (name: string) => boolean {
  const names = new Set<string>();
  return (name) => {
    if (names.has(name)) return true;
    names.add(name);
    if (names.size > most) names.delete(names.values().next().value!);
    return false;
  };
}
