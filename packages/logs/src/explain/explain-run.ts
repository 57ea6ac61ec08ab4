import { firstAndLast } from '../scan/repeats.ts';
import { advice } from './advice.ts';
import { differenceOf } from './differences.ts';
import { alikeness, equalSteps, membersOf, neighbours, signalsOf } from './equal-steps.ts';
import { type ExplainedStep, type Followed, followRun } from './follow.ts';
import { aboutRun, type ExplainedRun, presetIn } from './read-run.ts';
import { createReplays, type Replays, replayLimits, tried } from './replays.ts';
import type { Difference, ExplainedLoop, LoopExplained, Nearly, RunExplained } from './report.ts';
import { explainSignature } from './signatures.ts';
import { stepBrought, wentForward } from './step-brought.ts';

const MAX_PROGRESS = 3;
/** Loops that are described in full. */
const MAX_LOOPS = 12;
/** Max number of repeats to compare. */
const MAX_COMPARED = 40;

/** Explains why stretches of a run are loops, why others are not, and what would change that. */
export function explainRun(run: ExplainedRun, detectors?: readonly string[]): RunExplained {
  const followed = followRun(run, detectors);
  const replays = createReplays(run, detectors);
  const { loops, count } = followed;
  const nearly = nearlyCalled(followed, replays);
  const explained = loops.slice(0, MAX_LOOPS).map((loop) => explainLoop(loop, followed, replays));
  const limits = [...run.limits, ...replayLimits(replays)];
  if (loops.length > MAX_LOOPS)
    limits.push(`Only the first ${MAX_LOOPS} of ${loops.length} loops are explained.`);
  return {
    version: 1,
    run: aboutRun(run),
    steps: count,
    loops: explained,
    nearly,
    tooOften: advice(explained),
    limits,
  };
}

/**
 * Stretches that would be loops if a threshold were lower by one. Of overlapping stretches, the one
 * with the most repeats counts.
 */
function nearlyCalled({ loops }: Followed, replays: Replays): Nearly[] {
  const known = loops.map(({ start, end }) => ({ start, end }));
  const raised = (replays.lowered() ?? []).filter(
    ({ advice, signal }) => !advice && signal.count > 1,
  );
  raised.sort((one, other) => other.signal.count - one.signal.count || one.step - other.step);
  return raised.flatMap(({ step, since: start, signal: { detector, count, text } }) => {
    if (known.some((each) => step >= each.start && start <= each.end)) return [];
    known.push({ start, end: step });
    return [
      {
        detector,
        start,
        step,
        count,
        text,
        setting: { ...replays.step(detector, -1), effect: 'seen', speaks: [detector] },
      },
    ];
  });
}

function explainLoop(loop: ExplainedLoop, followed: Followed, replays: Replays): LoopExplained {
  const { advice, start, end } = loop;
  const members = membersOf(followed, loop);
  const repeats = new Set(members.map(({ step }) => step));
  const others = followed.steps.filter(
    (each) => each.step >= start && each.step <= end && !repeats.has(each.step),
  );
  const speaking = new Set(
    signalsOf(followed, loop)
      .filter((raised) => advice || !raised.advice)
      .map(({ signal }) => signal.detector),
  );
  const signature = explainSignature(members, followed.steps);
  return {
    ...loop,
    equal: equalSteps(members),
    ...(signature ? { signature } : {}),
    alike: alikeness(members),
    differs: differing(members),
    steps: firstAndLast(members).map(stepBrought),
    count: members.length,
    between: {
      steps: others.length,
      progress: others.filter(wentForward).slice(0, MAX_PROGRESS).map(stepBrought),
    },
    inForce: Object.fromEntries(
      presetIn(followed.run).detectors.flatMap(({ name, options }) =>
        speaking.has(name) ? [[name, options]] : [],
      ),
    ),
    settings: tried(loop, [...speaking], replays),
  };
}

/** The first neighbouring repeats with masked differences; otherwise the first that differ. */
function differing(members: readonly ExplainedStep[]): Difference | null {
  const differences = neighbours(members.slice(0, MAX_COMPARED)).flatMap(
    ([one, other]) => differenceOf(one, other) ?? [],
  );
  return (
    differences.find(({ result, arguments: changed }) =>
      [...result, ...changed].some(({ counts }) => !counts),
    ) ??
    differences[0] ??
    null
  );
}
