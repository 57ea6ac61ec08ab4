import { UnrutError } from '@unrut/engine/errors';
import { isObject } from '@unrut/engine/json';
import type { Loop, Stretch, Truth } from './run.ts';

/** One line of `labels.jsonl`. */
export interface Label {
  id: string;
  source: string;
  /** The round in which it was drawn; null if the label does not say. */
  round: number | null;
  truth: Truth;
}

/** Reads one label; `where` is its file and line, `set` the source of a label that names none. */
export function readLabel(value: unknown, where: string, set: string): Label {
  if (!isObject(value)) throw wrong(where, 'a label as JSON object', value);
  const { id, source = set } = value;
  if (typeof id !== 'string' || !/^[\w.-]+$/.test(id))
    throw wrong(where, 'id as the name of a trajectory file', id);
  if (typeof source !== 'string') throw wrong(where, 'source as text', source);
  const { round = null } = value;
  if (round !== null && !(Number.isSafeInteger(round) && (round as number) > 0))
    throw wrong(where, 'round as 1, 2, …', round);
  return { id, source, round: round as number | null, truth: readTruth(value, where) };
}

function readTruth(label: Record<string, unknown>, where: string): Truth {
  const { loops, borderline = [], looping } = label;
  if (looping !== undefined && loops !== undefined)
    throw wrong(where, 'either loops or looping', 'both');
  if (looping !== undefined) {
    if (typeof looping !== 'boolean') throw wrong(where, 'looping as true or false', looping);
    return { kind: 'verdict', looping };
  }
  if (loops === undefined) return { kind: 'unlabelled' };
  if (!Array.isArray(loops)) throw wrong(where, 'loops as a list', loops);
  if (!Array.isArray(borderline)) throw wrong(where, 'borderline as a list', borderline);
  return {
    kind: 'spans',
    loops: loops.map((loop: unknown, i) => readLoop(loop, `${where}: loops[${i}]`)),
    borderline: borderline.map((stretch: unknown, i) =>
      readStretch(stretch, `${where}: borderline[${i}]`),
    ),
  };
}

function readLoop(value: unknown, where: string): Loop {
  const stretch = readStretch(value, where);
  const { kind = 'unnamed', stuck_at: stuckAt } = value as Record<string, unknown>;
  if (!isStep(stuckAt) || stuckAt < stretch.start || stuckAt > stretch.end)
    throw wrong(where, 'stuck_at from start to end', stuckAt);
  return { ...stretch, stuckAt, kind: String(kind) };
}

function readStretch(value: unknown, where: string): Stretch {
  if (!isObject(value)) throw wrong(where, 'an object', value);
  const { start, end, note = '' } = value;
  if (!isStep(start)) throw wrong(where, 'start as a step', start);
  if (!isStep(end) || end < start) throw wrong(where, 'end as a step, not before start', end);
  return { start, end, note: String(note) };
}

const isStep = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

/** The error for an invalid corpus, in one line. */
export const wrong = (where: string, expected: string, got: unknown): UnrutError =>
  new UnrutError(
    'unreadable',
    `${where}: expected ${expected}, got ${String(JSON.stringify(got)).slice(0, 60)}.`,
  );
