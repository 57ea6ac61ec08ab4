import type { Detector } from '../detectors/detector.ts';
import { isAdvice } from '../detectors/index.ts';
import { createGuard } from '../guard.ts';
import type { Imported } from '../importers/source.ts';
import { recommended } from '../presets.ts';
import { createNumbers } from './follow.ts';
import { presetIn, type Run } from './read-run.ts';
import type { Counting } from './report.ts';
import { type Variant, variantsOf } from './variants.ts';

/** What of a run is played: its events, under the options in force. */
export type Played = Pick<Run, 'events' | 'options'>;

/** What a variant said at a step of the source. */
export interface Voice {
  step: number;
  since: number;
  count: number;
  light: boolean;
  text: string;
  keys: readonly string[];
}

export interface Voiced extends Variant {
  voices: Voice[];
}

export interface WhatIfOptions {
  /** Only variants of these detectors. */
  detectors?: readonly string[] | undefined;
  /** Options that are changed as well. */
  options?: Readonly<Record<string, object>>;
  /** Steps that are left out of the run. */
  leftOut?: ReadonlySet<number>;
  /** The last step that is played. */
  upTo?: number;
}

/**
 * What every detector would have said with one option changed: all variants watch the same run side by side. The nets watch it a second
 * time, since they are silent while the others, as they are, speak.
 */
export function whatIf(run: Played, { detectors, options = {}, leftOut, upTo }: WhatIfOptions = {}): Voiced[] {
  const inForce = presetIn(run).detectors.map((each) => ({ ...each, options: { ...each.options, ...options[each.name] } }));
  // A detector on trial is nobody's reason to turn a screw.
  const wanted = inForce.filter(({ name, status }) => (detectors ? detectors.includes(name) : status === 'stable'));
  const played = run.events.filter(({ step }) => !leftOut?.has(step) && (upTo === undefined || step <= upTo));
  const firm = wanted.filter((each) => !each.yields).flatMap(variantsOf);
  const nets = wanted.filter((each) => each.yields).flatMap(variantsOf);
  return [
    ...listen(played, firm, []),
    ...(nets.length === 0
      ? []
      : listen(
          played,
          nets,
          inForce.filter((each) => !each.yields),
        )),
  ];
}

function listen(events: readonly Imported[], variants: ReturnType<typeof variantsOf>, beside: readonly Detector[]): Voiced[] {
  const byName = new Map(variants.map(({ variant, copy }) => [copy.name, { ...variant, voices: [] as Voice[] }]));
  if (byName.size === 0) return [];
  const guard = createGuard({
    preset: { ...recommended, detectors: [...beside, ...variants.map(({ copy }) => copy)], recoveries: [] },
  });
  const numbers = createNumbers();
  for (const imported of events) {
    const verdict = guard.observe(imported.event);
    const { step } = imported;
    numbers.set(verdict.step, step);
    for (const signal of verdict.signals) {
      const voiced = byName.get(signal.detector);
      if (!voiced || signal.agent !== undefined) continue;
      voiced.voices.push({
        step,
        since: numbers.of(signal.since, step),
        count: signal.count,
        light: isAdvice({ detector: voiced.detector, variant: signal.variant }),
        text: signal.text,
        keys: signal.evidence.keys,
      });
    }
  }
  return [...byName.values()];
}

/** Whether a variant speaks between two steps; advice counts only when asked for. */
export const speaksIn = ({ voices }: Voiced, start: number, end: number, orAdvises: boolean): boolean =>
  voices.some(({ step, light }) => step >= start && step <= end && (orAdvises || !light));

/** How far detectors had counted at a step: the highest number at which each speaks there, of an option that asks for a count. */
export function countingAt(voiced: readonly Voiced[], step: number): Counting[] {
  const highest = new Map<string, Counting & { count: number }>();
  for (const { detector, option, was, value, voices } of voiced) {
    const voice = voices.find((each) => each.step === step);
    if (!voice || typeof value !== 'number' || typeof was !== 'number') continue;
    const name = `${detector} ${option}`;
    const { since, count } = voice;
    if ((highest.get(name)?.reached ?? 1) < value) highest.set(name, { detector, option, reached: value, needed: was, since, count });
  }
  // Where the number is what was counted, the option asks for that count.
  const counting = [...highest.values()].filter(({ reached, count }) => reached === count);
  return counting
    .filter((each) => !counting.some((other) => other.detector === each.detector && other.reached > each.reached))
    .map(({ count, ...each }) => each);
}
