import type { Loop } from '../scan/report.ts';
import { advice } from './advice.ts';
import { differenceOf } from './differences.ts';
import { alikeness, equalSteps, neighbours } from './equal-steps.ts';
import { type Followed, follow, type Step } from './follow.ts';
import { keepQuiet } from './keep-quiet.ts';
import { membersOf, signalsOf } from './members.ts';
import { misses } from './misses.ts';
import { aboutRun, presetIn, type Run } from './read-run.ts';
import type { Difference, LoopExplained, RunExplained } from './report.ts';
import { explainSignature } from './signatures.ts';
import { stepBrought, wentForward } from './step-brought.ts';
import { createWorkshop, limitsOf, type Workshop } from './workshop.ts';

const FIRST = 3;
const MOST_STEPS = 6;
const MOST_PROGRESS = 3;
/** Loops of which everything is told. */
const MOST_LOOPS = 12;
/** Repeats that are looked at for what differs between them. */
const MOST_COMPARED = 40;

/** Why things in a run were called loops, why others were not, and what would change that. */
export function explainRun(run: Run, detectors?: readonly string[]): RunExplained {
  const followed = follow(run, detectors);
  const workshop = createWorkshop(followed, detectors);
  const { loops } = followed.trajectory;
  const explained = loops.slice(0, MOST_LOOPS).map((loop) => explainLoop(loop, followed, workshop));
  const missed = misses(followed, workshop);
  const limits = [...run.limits, ...limitsOf(workshop)];
  if (loops.length > MOST_LOOPS) limits.push(`Of ${loops.length} loops the first ${MOST_LOOPS} are explained.`);
  return {
    version: 1,
    run: aboutRun(run),
    steps: followed.trajectory.steps || followed.steps.length,
    loops: explained,
    misses: missed.misses,
    missesLeftOut: missed.leftOut,
    ...advice(explained, missed.misses),
    limits,
  };
}

function explainLoop(loop: Loop, followed: Followed, workshop: Workshop): LoopExplained {
  const { detector, variant, also, light, start, firedAt, end, text } = loop;
  const members = membersOf(followed, loop);
  const repeats = new Set(members.map(({ step }) => step));
  const others = followed.steps.filter((each) => each.step >= start && each.step <= end && !repeats.has(each.step));
  const speaking = new Set(
    signalsOf(followed, loop)
      .filter((raised) => light || !raised.light)
      .map(({ signal }) => signal.detector),
  );
  const signature = explainSignature(members, followed.steps);
  return {
    detector,
    variant,
    also,
    light,
    start,
    firedAt,
    end,
    text,
    equal: equalSteps(members),
    ...(signature ? { signature } : {}),
    alike: alikeness(members),
    differs: differing(members),
    steps: [...members.slice(0, FIRST), ...members.slice(FIRST).slice(FIRST - MOST_STEPS)].map(stepBrought),
    count: members.length,
    between: {
      steps: others.length,
      progress: others.filter(wentForward).slice(0, MOST_PROGRESS).map(stepBrought),
    },
    inForce: Object.fromEntries(
      presetIn(followed.run).detectors.flatMap(({ name, options }) => (speaking.has(name) ? [[name, options]] : [])),
    ),
    settings: keepQuiet({ start, end, light, detectors: [...speaking], members }, workshop),
  };
}

/** The first neighbouring repeats in which something was masked; else the first that differ at all. */
function differing(members: readonly Step[]): Difference | null {
  const differences = neighbours(members.slice(0, MOST_COMPARED)).flatMap(([one, other]) => differenceOf(one, other) ?? []);
  return (
    differences.find(({ result, arguments: changed }) => [...result, ...changed].some(({ counts }) => !counts)) ?? differences[0] ?? null
  );
}
