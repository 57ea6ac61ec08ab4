import { counted, number } from '../figures.ts';
import { clip, MAX, shortName } from './bounds.ts';
import { type Html, type HtmlPiece, html } from './html.ts';
import { loopKindOf } from './kinds.ts';
import type { RankedRun } from './ranking.ts';

/** Every tenth cell says which step it is. */
const LABELLED = 10;

/** The steps of a run as a strip of cells, with its loops as brackets below. The script makes it a slider that tells each step. */
export function timeline({ run, loops }: RankedRun): HtmlPiece {
  if (run.timeline === '') return null;
  const size = Math.ceil(run.timeline.length / MAX.cells);
  const cells = binned(run.timeline, size);
  const cellOf = (step: number): number => Math.min(cells.length - 1, Math.max(0, Math.floor(step / size)));
  const drawn = brackets(loops, cellOf);
  const whats = new Map(loops.flatMap(({ loop }) => loop.repeats.map(({ step, what }) => [cellOf(step), what] as const)));
  const here = bracketsByCell(drawn, cells.length);
  const spoken = new Set(run.spoke.map(cellOf));
  const hidden = loops.length - drawn.length;
  return html`<div class="strip" role="img" aria-label="${inWords(run.timeline.length, loops)}" data-size="${size}" data-steps="${run.timeline.length}">${cells.map(
    (letter, i) => cell(letter, i, { size, here: here[i] ?? [], what: size === 1 ? whats.get(i) : undefined, isSpoken: spoken.has(i) }),
  )}</div>
<p class="readout" aria-hidden="true"></p>
${size > 1 && html`<p class="note">Each cell covers ${number(size)} steps and shows their most common kind.</p>`}
${hidden > 0 && html`<p class="note">${counted(hidden, 'overlapping loop')} not drawn.</p>`}`;
}

/** Of kinds that are equally frequent in a cell, the one that tells more is shown. */
const TELLING = ['e', '-', 'w', '?', 'u', 'n', 'm'];

/** The kind that most steps of each cell have. */
export function binned(letters: string, size: number): string[] {
  const cells: string[] = [];
  for (let from = 0; from < letters.length; from += size) {
    const tally = new Map<string, number>();
    for (const letter of letters.slice(from, from + size)) {
      const known = TELLING.includes(letter) ? letter : '?';
      tally.set(known, (tally.get(known) ?? 0) + 1);
    }
    cells.push(TELLING.toSorted((one, other) => (tally.get(other) ?? 0) - (tally.get(one) ?? 0))[0]!);
  }
  return cells;
}

function bracketsByCell(drawn: readonly Bracket[], cells: number): Bracket[][] {
  const here: Bracket[][] = Array.from({ length: cells }, () => []);
  for (const bracket of drawn) for (let i = bracket.start; i <= bracket.end; i++) here[i]?.push(bracket);
  return here;
}

interface Cell {
  size: number;
  here: readonly Bracket[];
  what: string | undefined;
  /** A person spoke before it. */
  isSpoken: boolean;
}

function cell(letter: string, i: number, { size, here, what, isSpoken }: Cell): Html {
  const label = i % LABELLED === 0 && html` data-step="${number(i * size)}"`;
  const known = what !== undefined && html` data-what="${shortName(what)}"`;
  const deepest = Math.max(-1, ...here.map(({ lane }) => lane));
  const lanes = Array.from({ length: deepest + 1 }, (_, lane) =>
    segment(
      here.find((bracket) => bracket.lane === lane),
      i,
    ),
  );
  return html`<i class="${loopKindOf(letter).name}${isSpoken ? ' spoken' : ''}"${label}${known}>${lanes}</i>`;
}

/** The part of a bracket below one cell; it says which loop it belongs to. */
function segment(bracket: Bracket | undefined, i: number): Html {
  if (!bracket) return html`<b></b>`;
  const { place, light, start, noticed, end } = bracket;
  const parts = [
    light ? 'bracket light' : 'bracket',
    i === start && 'start',
    i === noticed && 'noticed',
    i > noticed && 'after',
    i === end && 'end',
  ].filter(Boolean);
  return html`<b class="${parts.join(' ')}" data-loop="${place}"></b>`;
}

function inWords(steps: number, loops: RankedRun['loops']): string {
  const told = loops.map(
    ({ place, loop }) =>
      `${loop.light ? 'advice' : 'loop'} ${place} from step ${number(loop.start)} to ${number(loop.end)}, detected at step ${number(loop.firedAt)}`,
  );
  return clip(`Timeline of ${counted(steps, 'step')}: ${told.join('; ')}`, MAX.text);
}

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
  const freeFrom: number[] = new Array(MAX.lanes).fill(0);
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
