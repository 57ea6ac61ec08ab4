import type { Detector } from '@unrut/engine/detectors/detector';
import type { ExplainedStep, Followed, Raised } from './follow.ts';
import { LEDGER } from './read-ledger-run.ts';
import { presetIn } from './read-run.ts';
import { type Replays, thresholdOf } from './replays.ts';
import type { Quiet } from './report.ts';
import { pollsOtherwise, stepBrought } from './step-brought.ts';

/**
 * Why each detector that raised nothing kept quiet: how far it came, found with lower and lower
 * thresholds, and what ended it.
 */
export function quietNets(followed: Followed, replays: Replays): Quiet[] {
  const spoke = new Set(followed.signals.map(({ signal }) => signal.detector));
  const silent = replays.listened.filter(({ name }) => !spoke.has(name));
  const others = presetIn(followed.run).detectors.flatMap(({ name, yields }) =>
    yields ? [] : [name],
  );
  const [nets, specific] = [
    silent.filter(({ yields }) => yields),
    silent.filter(({ yields }) => !yields),
  ];
  const come = new Map([
    ...nearestCome(specific, 1, replays, (by) => replays.lowered(by)),
    // A net gives way to the others: alone, it shows what it saw.
    ...nearestCome(nets, 0, replays, (by) => {
      const options = Object.assign(
        {},
        ...nets.map(({ name }) => replays.step(name, -by)?.options),
      );
      return replays.play({ options, without: others });
    }),
  ]);
  const quiet = silent.map((detector): Quiet => {
    const [option, threshold = 0] = thresholdOf(detector) ?? [];
    const about = {
      detector: detector.name,
      ...(option === undefined ? {} : { option, threshold }),
    };
    const { by, raised } = come.get(detector.name) ?? {};
    if (!raised)
      return {
        ...about,
        why: replays.isSpent
          ? TOO_LONG
          : (detector.yields && barren(followed)) || 'Quiet at any threshold',
      };
    const why = by === 0 ? gaveWay(raised, followed) : whatEnded(raised, followed);
    return { ...about, reached: threshold - by!, step: raised.step, why };
  });
  const share = ({ reached = 0, threshold = 1 }: Quiet): number => reached / threshold;
  return quiet.sort((one, other) => share(other) - share(one));
}

const TOO_LONG = 'The run is too long to try lower thresholds';

/** Of nets: the longest stretch of calls that brought nothing, none of which counts. */
function barren({ steps }: Followed): string | undefined {
  let longest: ExplainedStep[] = [];
  let stretch: ExplainedStep[] = [];
  for (const step of steps) {
    if (!step.seen.call || step.seen.neutral) continue;
    stretch = step.seen.progress ? [] : [...stretch, step];
    if (stretch.length > longest.length) longest = stretch;
  }
  if (longest.length < 2) return undefined;
  const [from, to] = [longest[0]!.step, longest.at(-1)!.step];
  return `${longest.length} calls brought nothing (steps ${from} to ${to}), but a look at something else, or what is merely confirmed, is no sign of a loop`;
}

type Come = Map<string, { by: number; raised: Raised }>;

/**
 * By detector: the least that its threshold must be lowered by, and where it speaks then, the
 * longest streak first.
 */
function nearestCome(
  detectors: readonly Detector[],
  from: number,
  replays: Replays,
  play: (by: number) => Raised[] | null,
): Come {
  const found: Come = new Map();
  const open = (by: number): Detector[] =>
    detectors.filter(({ name }) => !found.has(name) && replays.step(name, -by) !== null);
  for (let by = from; open(by).length > 0; by++) {
    const raised = play(by);
    if (!raised) break;
    for (const { name } of open(by)) {
      const own = raised.filter(({ signal }) => signal.detector === name && signal.count > 1);
      own.sort((one, other) => other.signal.count - one.signal.count);
      if (own[0]) found.set(name, { by, raised: own[0] });
    }
  }
  return found;
}

function gaveWay({ since, step }: Raised, { signals }: Followed): string {
  const names = signals
    .filter((each) => each.step >= since && each.since <= step)
    .map(({ signal }) => signal.detector);
  return names.length === 0
    ? 'it gave way to a witness'
    : `it gave way to ${[...new Set(names)].join(', ')}`;
}

/** What came next, so that it was not one more. */
function whatEnded({ step }: Raised, { run, steps }: Followed): string {
  const next = steps.find((each) => each.step > step);
  const end = next?.step ?? Number.POSITIVE_INFINITY;
  if (
    run.events.some(
      (each) => each.event.type === 'user-spoke' && each.step >= step && each.step <= end,
    )
  )
    return `then ${run.format === LEDGER ? 'the run was resumed' : 'the user spoke'}, which resets all counts`;
  if (!next) return 'then the run ended';
  const { what, progress, neutral, brought } = stepBrought(next);
  const did = `then step ${next.step}, ${what},`;
  if (progress) return `${did} made progress (${progress})`;
  if (pollsOtherwise(next.seen)) return `${did} gave another answer`;
  if (neutral) return `${did} neither counted nor cleared (${neutral})`;
  return `${did} was not one more${brought === '' ? '' : ` (${brought})`}`;
}
