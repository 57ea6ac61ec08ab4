import { MOST } from './bounds.ts';

/** What has to be known of a loop to draw it: its place in the list, and its steps. */
export interface DrawnLoop {
  place: number;
  loop: { light: boolean; start: number; firedAt: number; end: number };
}

/** A loop as a bracket below a timeline: the cells where it starts, was noticed and ends, and how far below it is drawn. */
export interface Bracket {
  place: number;
  light: boolean;
  start: number;
  noticed: number;
  end: number;
  lane: number;
}

/** Finds each loop a lane in which it meets no other; loops for which there is none are not drawn. `cellOf` gives a step's cell. */
export function brackets(loops: readonly DrawnLoop[], cellOf: (step: number) => number): Bracket[] {
  const drawn: Bracket[] = [];
  const freeFrom: number[] = new Array(MOST.lanes).fill(0);
  const byStart = loops.toSorted((one, other) => one.loop.start - other.loop.start || other.loop.end - one.loop.end);
  for (const { place, loop } of byStart) {
    const start = cellOf(loop.start);
    const end = Math.max(start, cellOf(loop.end));
    const lane = freeFrom.findIndex((free) => free <= start);
    if (lane < 0) continue;
    freeFrom[lane] = end + 1;
    drawn.push({ place, light: loop.light, start, noticed: Math.min(end, Math.max(start, cellOf(loop.firedAt))), end, lane });
  }
  return drawn;
}
