import { UnrutError } from '../errors.ts';
import { piecesOf } from '../fingerprint/noise-pieces.ts';
import { jaccard } from '../fingerprint/words.ts';
import { excerpt, inputOf, outputOf } from '../scan/excerpt.ts';
import { argumentChanges, differenceOf, resultText } from './differences.ts';
import { equalBefore } from './equal-steps.ts';
import { nearestOf } from './find-with.ts';
import { type Followed, follow, type Step } from './follow.ts';
import { keepQuiet } from './keep-quiet.ts';
import { inContext, noiseName } from './noise-name.ts';
import { aboutRun, type Run } from './read-run.ts';
import type { Counting, Masked, Near, Setting, StepExplained } from './report.ts';
import { optionSetting } from './setting.ts';
import { stepBrought } from './step-brought.ts';
import { countingAt, whatIf } from './what-if.ts';
import { createWorkshop, limitsOf, type Workshop } from './workshop.ts';

/** Calls that share fewer of their words are not near. */
const NEAR = 0.5;
const MOST_NEAR = 3;
const MOST_EXAMPLES = 6;
/** What a step cleared shows in the next few steps. */
const AFTERWARDS = 3;

/** What one step looked like, what it was equal to, what it brought, who was counting, and what would change the verdict there. */
export function explainStep(run: Run, number: number, detectors?: readonly string[]): StepExplained {
  const upTo = number + AFTERWARDS;
  const followed = follow({ ...run, events: run.events.filter((each) => each.step <= upTo) }, detectors);
  const { steps, signals, plans } = followed;
  const step = stepAt(run, followed, number);
  const workshop = createWorkshop(followed, detectors);
  const here = signals.filter((raised) => raised.step === number);
  const settings = settingsAt(step, followed, workshop);
  const name = nameOf(step);
  const before = steps.findLast((each) => each.step < number && name !== undefined && nameOf(each) === name);
  return {
    version: 1,
    run: aboutRun(run),
    step: {
      ...stepBrought(step),
      input: inputOf(step.event),
      output: outputOf(step.event) || excerpt(isResult(step) ? resultText(step.event) : ''),
    },
    equal: equalBefore(steps, step),
    near: nearSteps(steps, step),
    noise: noiseIn(step),
    differs: before ? differenceOf(before, step) : null,
    cleared: clearedBy(step, followed, workshop, upTo, detectors),
    counting: countingAt(workshop.voiced, number).filter(({ reached, needed }) => reached < needed),
    signals: here.map(({ signal: { detector, variant, count, rung, text } }) => ({ detector, variant, count, rung, text })),
    plans: plans.filter((plan) => plan.step === number),
    settings,
    limits: [...run.limits, ...limitsOf(workshop)],
  };
}

/** Steps of one name are compared: the same call, or outputs that came to the same. */
const nameOf = ({ seen: { call, output } }: Step): string | undefined => call?.key ?? output?.key;

const isResult = ({ seen: { result, output } }: Step): boolean => (result ?? output) !== undefined;

function stepAt(run: Run, { steps }: Followed, number: number): Step {
  const step = steps.find((each) => each.step === number);
  if (step) return step;
  const all = follow(run).steps;
  throw new UnrutError('usage', `--step takes a step of the run, ${all[0]?.step ?? 0} to ${all.at(-1)?.step ?? 0}; got ${number}.`);
}

/** Earlier calls of the same tool with other arguments, the most alike first. */
function nearSteps(steps: readonly Step[], step: Step): Near[] {
  const { call } = step.seen;
  if (!call) return [];
  return steps
    .flatMap((each) => {
      const other = each.seen.call;
      if (each.step >= step.step || !other || other.tool !== call.tool || other.key === call.key) return [];
      return [{ each, alike: other.shape === call.shape ? 1 : jaccard(other.words, call.words) }];
    })
    .filter(({ alike }) => alike >= NEAR)
    .sort((one, other) => other.alike - one.alike || other.each.step - one.each.step)
    .slice(0, MOST_NEAR)
    .map(({ each, alike }) => ({
      step: each.step,
      what: each.seen.call!.label,
      alike: Math.round(alike * 100) / 100,
      differs: argumentChanges(each, step),
    }));
}

function noiseIn(step: Step): StepExplained['noise'] {
  if (!isResult(step)) return { examples: [], count: 0 };
  const masked: Masked[] = resultText(step.event)
    .split('\n')
    .flatMap((line) => {
      const pieces = piecesOf(line);
      return pieces.flatMap(({ text, counts }, i) =>
        counts === 'masked' ? [{ text: excerpt(inContext(pieces, i), 60), as: noiseName(text) }] : [],
      );
    });
  const examples = masked.filter(({ text }, i) => masked.findIndex((each) => each.text === text) === i).slice(0, MOST_EXAMPLES);
  return { examples, count: masked.length };
}

/** What would be counted on in the next steps if this one had not been made. */
function clearedBy(step: Step, { run, steps }: Followed, workshop: Workshop, upTo: number, detectors?: readonly string[]): Counting[] {
  if (!step.seen.progress && step.event.type !== 'user-spoke') return [];
  const without = whatIf(run, { detectors, upTo, leftOut: new Set([step.step]) });
  const next = steps.filter((each) => each.step > step.step && each.step <= upTo);
  const cleared = new Map<string, Counting>();
  for (const { step: after } of next) {
    const counting = countingAt(workshop.voiced, after);
    for (const each of countingAt(without, after)) {
      const isGoingOn = counting.some(({ detector, reached }) => detector === each.detector && reached >= each.reached);
      if (each.since < step.step && !isGoingOn && !cleared.has(each.detector)) cleared.set(each.detector, each);
    }
  }
  return [...cleared.values()];
}

/** Where something spoke: what would have kept it quiet at this step. Where nothing did: what would have made it speak. */
function settingsAt(step: Step, { signals }: Followed, workshop: Workshop): Setting[] | null {
  const { step: number } = step;
  const here = signals.filter((raised) => raised.step === number);
  if (here.length > 0) {
    const light = here.every((raised) => raised.light);
    const detectors = [...new Set(here.filter((raised) => light || !raised.light).map(({ signal }) => signal.detector))];
    return keepQuiet({ start: number, end: number, light, detectors, members: [step] }, workshop);
  }
  const speaking = workshop.voiced.flatMap((each) => {
    const voices = each.voices.filter(({ step: spoken, count, light }) => spoken === number && count > 1 && !light);
    return each.notches > 0 && voices.length > 0 ? [{ ...each, voices, all: each.voices }] : [];
  });
  return nearestOf(speaking).map((each) => optionSetting([each], each.voices[0]!.text));
}
