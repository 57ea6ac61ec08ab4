import type { Detector } from '@unrut/engine/detectors/detector';
import { isAllowed } from '@unrut/engine/option';
import { without } from '@unrut/engine/presets';
import { type Raised, signalsUnder } from './follow.ts';
import { type ExplainedRun, presetIn, withOptions } from './read-run.ts';
import type { ExplainedLoop, Setting } from './report.ts';

/** Max number of events in all replays: about ten seconds. */
const MAX_PLAYED = 100_000;
/** Without the detectors that fired, others may fire; max rounds of leaving out more. */
const MAX_ROUNDS = 4;

export interface Replays {
  /**
   * The signals under another setting, up to a step, with one step left out; null after the limit
   * of replays.
   */
  play(
    setting: Pick<Setting, 'options' | 'without'>,
    upTo?: number,
    leftOut?: number,
  ): Raised[] | null;
  /** A detector's threshold changed by this amount; null if the result is invalid. */
  step(detector: string, by: number): Pick<Setting, 'options' | 'now'> | null;
  /** The signals with each threshold lower by one; null after the limit of replays. */
  lowered(): Raised[] | null;
  /** Something was not played, for want of time. */
  readonly isSpent: boolean;
}

/**
 * Replays a run repeatedly, within limits; if detectors are given, only their signals are
 * collected.
 */
export function createReplays(
  run: ExplainedRun,
  detectors?: readonly string[],
  max = MAX_PLAYED,
): Replays {
  const inForce = presetIn(run);
  let played = 0;
  let isSpent = false;
  let lowered: Raised[] | null | undefined;
  // Options are not suggested because of detectors on trial.
  const listened = inForce.detectors.filter(({ name, status }) =>
    detectors ? detectors.includes(name) : status === 'stable',
  );
  const replays: Replays = {
    play({ options, without: names = [] }, upTo = Number.POSITIVE_INFINITY, leftOut) {
      const events = run.events.filter(({ step }) => step <= upTo && step !== leftOut);
      if (played + events.length > max) isSpent = true;
      if (isSpent) return null;
      played += events.length;
      return signalsUnder(
        without(withOptions(inForce, options ?? {}), ...names),
        events,
        detectors,
      );
    },
    step(name, by) {
      const detector = inForce.detectors.find((each) => each.name === name);
      const [option, now] = thresholdOf(detector) ?? ['', 0];
      const isFine =
        detector !== undefined && isAllowed(detector.declared[option] ?? { from: 1 }, now + by);
      return !isFine
        ? null
        : { options: { [name]: { [option]: now + by } }, now: { [name]: { [option]: now } } };
    },
    lowered() {
      const options = Object.assign(
        {},
        ...listened.map(({ name }) => replays.step(name, -1)?.options),
      );
      const isListened = ({ signal }: Raised): boolean =>
        listened.some(({ name }) => name === signal.detector);
      lowered ??= replays.play({ options })?.filter(isListened) ?? null;
      return lowered;
    },
    get isSpent() {
      return isSpent;
    },
  };
  return replays;
}

/** The threshold of a detector: its first option that is a whole number. */
export const thresholdOf = (
  detector: Detector | undefined,
): [option: string, value: number] | undefined =>
  Object.entries(detector?.options ?? {}).find((option): option is [string, number] =>
    Number.isInteger(option[1]),
  );

/**
 * The fate of an alarm if each threshold of its detectors is one higher or lower, and without these
 * detectors.
 */
export function tried(
  { start, end, advice }: Pick<ExplainedLoop, 'start' | 'end' | 'advice'>,
  names: readonly string[],
  replays: Replays,
): Setting[] {
  const tryOut = (setting: Pick<Setting, 'options' | 'now' | 'without'>): Setting[] => {
    const heard = replays
      .play(setting, end)
      ?.filter((each) => each.step >= start && (advice || !each.advice));
    if (!heard) return [];
    const speaks = [...new Set(heard.map(({ signal }) => signal.detector))];
    return [
      {
        ...setting,
        effect:
          speaks.length === 0 ? 'quiet' : `seen at step ${heard[0]!.step}, by ${speaks.join(', ')}`,
        speaks,
      },
    ];
  };
  const stepped = names.flatMap((name) =>
    ([1, -1] as const).flatMap((by) => replays.step(name, by) ?? []).flatMap(tryOut),
  );
  const left = [...names];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const [setting] = tryOut({ without: [...left] });
    if (!setting || setting.speaks.length === 0) return [...stepped, ...(setting ? [setting] : [])];
    left.push(...setting.speaks);
  }
  return stepped;
}

/** A sentence about settings that were not tried. */
export const replayLimits = ({ isSpent }: Replays): string[] =>
  isSpent ? ['The run is long, so not every setting that might change the result was tried.'] : [];

/** In short form: `stalling.calls 6 (now 5)`, `detectors.cycle false`. */
export function settingWords({ options, now, without: names }: Setting): string {
  if (names) return names.map((name) => `detectors.${name} false`).join(' and ');
  return Object.entries(options ?? {})
    .flatMap(([detector, values]) =>
      Object.entries(values).map(
        ([option, value]) => `${detector}.${option} ${value} (now ${now?.[detector]?.[option]})`,
      ),
    )
    .join(' and ');
}
