/** A column of a timeline: moments by kind, moments in a loop, and the highest rung. */
export interface Bin {
  from: number;
  to: number;
  kinds: Record<string, number>;
  looping: number;
  rung: number;
}

export interface Span {
  start: number;
  end: number;
}

/** Puts moments `from` to before `to` into at most this many columns of equal length. */
export function binsOf(
  letters: string,
  acts: string,
  bursts: readonly Span[],
  { from, to }: { from: number; to: number },
  most: number,
): Bin[] {
  const size = Math.max(1, Math.ceil((to - from) / Math.max(1, most)));
  const inLoop = new Uint8Array(letters.length);
  for (const { start, end } of bursts) inLoop.fill(1, start, end + 1);
  const bins: Bin[] = [];
  for (let first = from; first < to; first += size) {
    const bin: Bin = {
      from: first,
      to: Math.min(to, first + size),
      kinds: {},
      looping: 0,
      rung: 0,
    };
    for (let i = first; i < bin.to; i++) {
      const letter = letters[i] ?? '?';
      if (inLoop[i] && letter !== 'u') bin.looping++;
      bin.kinds[letter] = (bin.kinds[letter] ?? 0) + 1;
      bin.rung = Math.max(bin.rung, Number(acts[i] ?? 0));
    }
    bins.push(bin);
  }
  return bins;
}

/**
 * Assigns bursts of loops to a limited number of lanes: loops that never overlap share one, and the
 * rest are in the last.
 */
export function lanesOf(loops: readonly (readonly Span[])[], most: number): Span[][] {
  const lanes: Span[][] = [];
  for (const bursts of loops) {
    const isFree = (lane: readonly Span[]): boolean =>
      bursts.every(({ start, end }) =>
        lane.every((taken) => end < taken.start || taken.end < start),
      );
    const lane = lanes.find(isFree) ?? (lanes.length < most ? undefined : lanes.at(-1));
    if (lane) lane.push(...bursts);
    else lanes.push([...bursts]);
  }
  return lanes;
}

export interface Tick {
  moment: number;
  /** Seconds since the first moment. */
  seconds: number;
}

/** The moments with an axis label, about equally far apart. */
export function ticksOf(
  seconds: readonly number[],
  { from, to }: { from: number; to: number },
  most: number,
): Tick[] {
  const count = Math.max(1, Math.min(most, to - from));
  return Array.from({ length: count }, (_, i) => {
    const moment = Math.min(to - 1, from + Math.round((i * (to - from)) / count));
    return { moment, seconds: seconds[moment] ?? 0 };
  });
}

/** Shorter silences are not worth a word. */
const LEAST_PAUSE = 600;

/**
 * The longest silences between two moments, oldest first: the moment after each, and how many
 * seconds it lasted.
 */
export function pausesIn(
  seconds: readonly number[],
  { from, to }: { from: number; to: number },
  most: number,
): { moment: number; lasted: number }[] {
  const found: { moment: number; lasted: number }[] = [];
  for (let i = from + 1; i < to; i++) {
    const lasted = (seconds[i] ?? 0) - (seconds[i - 1] ?? 0);
    if (lasted >= LEAST_PAUSE) found.push({ moment: i, lasted });
  }
  return found
    .sort((one, other) => other.lasted - one.lasted)
    .slice(0, most)
    .sort((one, other) => one.moment - other.moment);
}

/** A narrower or wider window around a moment, within the whole. */
export function zoomed(
  { from, to }: { from: number; to: number },
  around: number,
  factor: number,
  total: number,
): { from: number; to: number } {
  const length = Math.max(Math.min(10, total), Math.min(total, Math.round((to - from) * factor)));
  const start = Math.max(0, Math.min(total - length, Math.round(around - length / 2)));
  return { from: start, to: start + length };
}
