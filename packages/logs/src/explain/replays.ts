import type { Detector } from '@unrut/engine/detectors/detector';
import { isAllowed } from '@unrut/engine/option';
import { without } from '@unrut/engine/presets';
import { type Raised, signalsUnder } from './follow.ts';
import { type ExplainedRun, presetIn, withOptions } from './read-run.ts';
import type { ExplainedLoop, Setting } from './report.ts';

/** Events played in all replays together: some ten seconds. */
const MAX_PLAYED = 100_000;
/**
 * A detector that was silent while others spoke may speak without them; no more than this many
 * in turn do.
 */
const MAX_ROUNDS = 4;

export interface Replays {
  /**
   * What is raised under another setting, up to a step, with one step left out; null when enough
   * has been played.
   */
  play(
    setting: Pick<Setting, 'options' | 'without'>,
    upTo?: number,
    leftOut?: number,
  ): Raised[] | null;
  /** A detector's threshold so much more or less; null where it cannot be. */
  step(detector: string, by: number): Pick<Setting, 'options' | 'now'> | null;
  /** What detectors raise with their threshold one less; null when enough has been played. */
  lowered(): Raised[] | null;
  /** Something was not played, for want of time. */
  readonly isSpent: boolean;
}

/**
 * Plays a run again and again, within bounds; only some detectors are listened to where they are
 * given.
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
  // A detector on trial is nobody's reason to change an option.
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

/**
 * How often something must come before a detector speaks: the first of its options that is a whole
 * number.
 */
export const thresholdOf = (
  detector: Detector | undefined,
): [option: string, value: number] | undefined =>
  Object.entries(detector?.options ?? {}).find((option): option is [string, number] =>
    Number.isInteger(option[1]),
  );

/**
 * What becomes of an alarm with the threshold of each detector that spoke one more and one less,
 * and without those detectors.
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

/** What was not tried, in a sentence. */
export const replayLimits = ({ isSpent }: Replays): string[] =>
  isSpent ? ['The run is long, so not every setting that might change the result was tried.'] : [];

/** In a few words: `stalling.calls 6 (now 5)`, `detectors.cycle false`. */
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
