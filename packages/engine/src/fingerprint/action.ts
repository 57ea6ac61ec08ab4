import type { ActionFinished } from '../event.ts';
import { hash64 } from '../hash.ts';
import type { CallPrint } from '../prints.ts';
import { push } from '../recent.ts';

/** What detectors see of a screen action, and the state of the screen after it. */
export interface ActionPrint {
  kind: 'click' | 'drag' | 'move-view' | 'other';
  /** Equal for the same type and parameters. The agent's reasoning is ignored. */
  key: string;
  /** Where the action took place, in pixels; for a drag, also where it ended. */
  points: [x: number, y: number][];
  /** How far apart two clicks may be and still count as the same click, in pixels. */
  tolerance: number;
  /** The role and name of the element acted on, as a hash; empty if the page names none. */
  target: string;
  /** The key of the action as a call. */
  call: string;
  /** Equal for screens that show the same; null if nothing but the address is known. */
  state: string | null;
}

const CLICKS = new Set([
  'click',
  'left_click',
  'right_click',
  'middle_click',
  'double_click',
  'triple_click',
]);
const DRAGS = new Set(['drag', 'left_click_drag']);
const VIEW_MOVES = new Set(['scroll', 'scroll_down', 'scroll_up', 'wait']);
const KEY_PRESSES = new Set(['key_press', 'keypress', 'key', 'press', 'send_keys']);
/** Keys that only move the view, by their full names. */
const PAGE_KEYS = /^(?:page_?(?:down|up)|next|prior|space|(?:arrow_?)?(?:down|up|left|right))$/i;

/** 8 px cover a trembling hand; 0.4 % of the diagonal is the same on a larger screen. */
const SMALLEST_TOLERANCE = 8;
const TOLERANCE_PER_DIAGONAL = 0.004;
const MAX_REASONING_LENGTH = 1000;
/** Buttons are large; links are small and close together. The first match counts. */
const TOLERANCE_BY_TARGET: readonly [RegExp, number][] = [
  [/\b(?:dropdown|drop-down|select|combobox|listbox|option|menu ?item)\b/i, 0.75],
  [/\blink\b/i, 0.5],
  [/\b(?:button|submit)\b/i, 1.5],
];

/**
 * Reads an action whose call print is already known. `frames` holds the recent pictures, and this
 * one is added to it.
 */
export function readActionPrint(
  event: ActionFinished,
  call: CallPrint,
  frames: string[],
  seed: number,
): ActionPrint {
  const { type, reasoning, ...parameters } = event.action;
  const points = pointsOf(parameters);
  return {
    kind: kindOf(type, parameters),
    key: hash64(`${call.key} ${points.join(' ')}`, seed),
    points,
    tolerance: toleranceOf(event.screen?.viewport, event.target?.role || reasoning),
    target: call.target ?? '',
    call: call.key,
    state: stateOf(event.screen, frames, seed),
  };
}

function kindOf(
  type: string,
  { keys, text, key }: { [name: string]: unknown },
): ActionPrint['kind'] {
  if (CLICKS.has(type)) return 'click';
  if (DRAGS.has(type)) return 'drag';
  if (VIEW_MOVES.has(type)) return 'move-view';
  if (!KEY_PRESSES.has(type)) return 'other';
  const pressed = [keys ?? text ?? key].flat();
  return pressed.length > 0 &&
    pressed.every((each) => typeof each === 'string' && PAGE_KEYS.test(each))
    ? 'move-view'
    : 'other';
}

const pair = (x: unknown, y: unknown): [number, number][] =>
  typeof x === 'number' && typeof y === 'number' ? [[x, y]] : [];
const pairOf = (given: unknown): [number, number][] =>
  Array.isArray(given) ? pair(given[0], given[1]) : [];

/** Understands our own format, Anthropic's and OpenAI's. */
function pointsOf({
  x,
  y,
  end_x,
  end_y,
  coordinate,
  start_coordinate,
  path,
}: {
  [name: string]: unknown;
}): [number, number][] {
  const along = Array.isArray(path) ? (path as { x?: unknown; y?: unknown }[]) : [];
  const ends = along.length > 1 ? [along[0], along.at(-1)] : [];
  return [
    ...pair(x, y),
    ...pairOf(start_coordinate),
    ...pairOf(coordinate),
    ...ends.flatMap((each) => pair(each?.x, each?.y)),
    ...pair(end_x, end_y),
  ];
}

function toleranceOf(
  viewport: { width: number; height: number } | undefined,
  said: unknown,
): number {
  const diagonal = viewport ? Math.hypot(viewport.width, viewport.height) : 0;
  const plain = Math.max(SMALLEST_TOLERANCE, Math.round(TOLERANCE_PER_DIAGONAL * diagonal) || 0);
  if (typeof said !== 'string') return plain;
  const start = said.slice(0, MAX_REASONING_LENGTH);
  return plain * (TOLERANCE_BY_TARGET.find(([pattern]) => pattern.test(start))?.[1] ?? 1);
}

/** Null without a picture: the address alone does not tell what is shown. */
function stateOf(screen: ActionFinished['screen'], frames: string[], seed: number): string | null {
  const { url = '', frame, detail } = screen ?? {};
  const shown = detail ?? (frame === undefined ? undefined : sameFrame(frame, frames, seed));
  return shown === undefined ? null : hash64(`${url} ${shown}`, seed);
}

/**
 * A clock, a caret or a spinner flips about one bit in 64; different screens differ in a quarter of
 * the bits.
 */
const TURNED_BITS = 1 / 64;
const MAX_FRAMES = 8;
const HASH = /^[0-9a-f]{16,64}$/i;

/**
 * The recent picture that differs from this one in only a few bits, or else this one. Only the
 * first picture of each kind is kept, so that slow changes add up.
 */
export function sameFrame(frame: string, frames: string[], seed: number): string {
  const given = HASH.test(frame) ? frame : hash64(frame, seed);
  const known = frames.find((each) => isNear(each, given));
  if (known !== undefined) return known;
  push(frames, given, MAX_FRAMES);
  return given;
}

/** Whether two perceptual hashes (hexadecimal) differ in so few bits that they show the same. */
export function isNear(one: string, other: string): boolean {
  if (one === other) return true;
  if (one.length !== other.length || !HASH.test(one) || !HASH.test(other)) return false;
  const most = Math.ceil(one.length * 4 * TURNED_BITS);
  let turned = 0;
  for (let i = 0; i < one.length && turned <= most; i++) {
    for (
      let rest = Number.parseInt(one[i]!, 16) ^ Number.parseInt(other[i]!, 16);
      rest !== 0;
      rest &= rest - 1
    )
      turned++;
  }
  return turned <= most;
}
