/** Steps as they come, 0, 1, 2 …, and what the source calls them: its own indices may leap. */
export interface Ordinals {
  /** The ordinal of one of the source's steps; a step that is not known yet takes the next one when it `isStep`. */
  of(index: number, isStep: boolean): number;
  /** What the source calls it. */
  index(ordinal: number): number;
  /** How many there are. */
  count(): number;
}

export function createOrdinals(): Ordinals {
  const indices: number[] = [];
  const known = new Map<number, number>();
  return {
    of(index, isStep) {
      const ordinal = known.get(index);
      if (ordinal !== undefined) return ordinal;
      if (!isStep) return indices.length;
      known.set(index, indices.length);
      return indices.push(index) - 1;
    },
    index: (ordinal) => indices[ordinal] ?? (indices.at(-1) ?? -1) + 1,
    count: () => indices.length,
  };
}
