import type { Firing, Level, Stretch, Truth } from './run.ts';

/** Firings at most this many steps apart are one alarm. */
export const MAX_GAP = 3;
/** An alarm this many steps after a stretch still belongs to it. */
const GRACE = 2;

/** An episode of firings that a person would take for one alarm. */
export interface Alarm {
  from: number;
  to: number;
  firings: readonly Firing[];
}

/** Firings of one run, as alarms in order. */
export function alarmsOf(firings: readonly Firing[]): Alarm[] {
  const alarms: { from: number; to: number; firings: Firing[] }[] = [];
  for (const firing of firings.toSorted((a, b) => a.step - b.step)) {
    const last = alarms.at(-1);
    if (last && firing.step - last.to <= MAX_GAP) {
      last.to = firing.step;
      last.firings.push(firing);
    } else alarms.push({ from: firing.step, to: firing.step, firings: [firing] });
  }
  return alarms;
}

/** The firings that count at a level. */
export const atLevel = (firings: readonly Firing[], level: Level): readonly Firing[] =>
  level === 'warn' ? firings : firings.filter((firing) => firing.level === 'act');

/** Advice in the midst of honest work is no alarm as long as it stays a note. */
export const isAlarm = ({ note, level }: Firing): boolean => !note || level === 'act';

/** Whether a step belongs to one of these stretches, or comes right after. */
export const belongsTo = (stretches: readonly Stretch[], step: number): boolean =>
  stretches.some(({ start, end }) => step >= start && step <= end + GRACE);

/**
 * The labels' judgement of an alarm: it touches a loop; it does not; it touches only a borderline
 * stretch, which counts neither way; or it is unknown.
 */
export type Judgement = 'right' | 'false' | 'neutral' | 'unknown';

/** Judges one alarm by the labels of its run. */
export function judge({ firings }: Pick<Alarm, 'firings'>, truth: Truth): Judgement {
  switch (truth.kind) {
    case 'unlabelled':
      return 'unknown';
    case 'verdict':
      return truth.looping ? 'right' : 'false';
    case 'spans':
      if (firings.some(({ step }) => belongsTo(truth.loops, step))) return 'right';
      return firings.some(({ step }) => belongsTo(truth.borderline, step)) ? 'neutral' : 'false';
  }
}
