import { UnrutError } from '@unrut/engine/errors';
import { type Fingerprint, jaccard, mayChange, similarity } from '@unrut/engine/fingerprint';
import { counted } from '@unrut/ledger/report/figures';
import { excerpt, inputOf, outputOf } from '../scan/excerpt.ts';
import { argumentChanges, differenceOf, resultText } from './differences.ts';
import { equalBefore } from './equal-steps.ts';
import { type ExplainedStep, type Followed, followRun, type Raised } from './follow.ts';
import { LEDGER } from './read-ledger-run.ts';
import { aboutRun, type ExplainedRun } from './read-run.ts';
import { createReplays, type Replays, replayLimits, tried } from './replays.ts';
import type { Near, Setting, StepExplained } from './report.ts';
import { subjectOf } from './signatures.ts';
import { stepBrought } from './step-brought.ts';

/** Min share of common words for calls to be near. */
const NEAR = 0.5;
const MAX_NEAR = 3;
/** Max number of steps after which a cleared signal would have come. */
const AFTERWARDS = 3;

/**
 * Explains one step: its fingerprint, equal steps, its result, and what would change the verdict.
 */
export function explainStep(
  run: ExplainedRun,
  number: number,
  detectors?: readonly string[],
): StepExplained {
  const upTo = number + AFTERWARDS;
  const followed = followRun(
    { ...run, events: run.events.filter((each) => each.step <= upTo) },
    detectors,
  );
  const { steps, signals, witnesses, plans } = followed;
  const step = stepAt(run, followed, number);
  const replays = createReplays(followed.run, detectors);
  const here = signals.filter((raised) => raised.step === number);
  const name = nameOf(step);
  const before = steps.findLast(
    (each) => each.step < number && name !== undefined && nameOf(each) === name,
  );
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
    differs: before ? differenceOf(before, step) : null,
    between: before ? betweenSteps(before, step, followed) : [],
    cleared: clearedBy(step, followed, replays),
    signals: here.map(({ signal: { detector, variant, count, rung, text, price, evidence } }) => ({
      detector,
      variant,
      count,
      rung,
      text,
      ...(evidence.rule === undefined ? {} : { rule: evidence.rule }),
      ...(price ? { price } : {}),
    })),
    witnesses: witnesses.flatMap(({ step, ...each }) => (step === number ? [each] : [])),
    plans: plans.filter((plan) => plan.step === number),
    settings: settingsAt(number, here, replays),
    limits: [...run.limits, ...replayLimits(replays)],
  };
}

/** The name under which steps are compared: the call, or the subject of the output. */
const nameOf = ({ seen: { call, output } }: ExplainedStep): string | undefined =>
  call?.key ?? output?.key;

const isResult = ({ seen: { result, output } }: ExplainedStep): boolean =>
  (result ?? output) !== undefined;

function stepAt(run: ExplainedRun, { steps }: Followed, number: number): ExplainedStep {
  const step = steps.find((each) => each.step === number);
  if (step) return step;
  const all = followRun(run).steps;
  throw new UnrutError(
    'usage',
    `--step takes a step of the run, ${all[0]?.step ?? 0} to ${all.at(-1)?.step ?? 0}; got ${number}.`,
  );
}

/**
 * Earlier calls of the same tool with other arguments, and outputs on the same subject with other
 * results, the most alike first.
 */
function nearSteps(steps: readonly ExplainedStep[], step: ExplainedStep): Near[] {
  return steps
    .flatMap((each) =>
      each.step < step.step
        ? [{ each, alike: Math.round(nearness(each.seen, step.seen) * 100) / 100 }]
        : [],
    )
    .filter(({ alike }) => alike >= NEAR)
    .sort((one, other) => other.alike - one.alike || other.each.step - one.each.step)
    .slice(0, MAX_NEAR)
    .map(({ each, alike }) => {
      const [before = '', after = ''] = [each.seen.output?.signature, step.seen.output?.signature];
      const differs =
        before === ''
          ? argumentChanges(each, step)
          : [{ name: 'signature', before, after, as: '', counts: true }];
      return { step: each.step, what: each.seen.call?.label ?? before, alike, differs };
    });
}

/** The share of words that two calls or outputs have in common, unless they are equal. */
function nearness(
  { call: other, output: was }: Fingerprint,
  { call, output }: Fingerprint,
): number {
  if (call && other?.tool === call.tool && other.key !== call.key)
    return other.shape === call.shape ? 1 : jaccard(other.words, call.words);
  const isNear =
    output &&
    was &&
    output.key !== was.key &&
    subjectOf(output.signature) === subjectOf(was.signature);
  return isNear ? similarity(was.text, output.text) : 0;
}

/** The reasons between two equal steps for which they do not count as a repetition. */
function betweenSteps(
  before: ExplainedStep,
  step: ExplainedStep,
  { run, steps }: Followed,
): string[] {
  const told: string[] = [];
  const spoke = run.events.find(
    (each) => each.event.type === 'user-spoke' && each.step >= before.step && each.step < step.step,
  );
  const who = run.format === LEDGER ? 'the run was resumed after' : 'the user spoke at';
  if (spoke) told.push(`${who} step ${spoke.step}, which resets all counts`);
  const changes = steps.filter(({ step: number, seen: { progress, call, result } }) => {
    const isBetween = number > before.step && number < step.step;
    return (
      isBetween &&
      (progress ??
        (step.seen.call && call && result && !result.error && mayChange(call, step.seen.call)))
    );
  });
  const [first] = changes.map(stepBrought);
  const brought = `${counted(changes.length, 'step')} made progress or could have changed something`;
  if (first) told.push(`${brought}, such as step ${first.step}, ${first.what} (${first.brought})`);
  return told;
}

/** The detectors that would have fired in the next steps without this one. */
function clearedBy(
  { step, event, seen }: ExplainedStep,
  { signals }: Followed,
  replays: Replays,
): StepExplained['cleared'] {
  if (!seen.progress && event.type !== 'user-spoke') return [];
  const without = replays.play({}, step + AFTERWARDS, step) ?? [];
  const isSpoken = ({ step: at, signal }: Raised): boolean =>
    signals.some((each) => each.step === at && each.signal.detector === signal.detector);
  const fresh = without.filter(
    (raised) => raised.step > step && raised.since < step && !isSpoken(raised),
  );
  return [...Map.groupBy(fresh, ({ signal }) => signal.detector)].map(([detector, [first]]) => ({
    detector,
    step: first!.step,
  }));
}

/**
 * At a signal: its fate under other settings. Elsewhere: whether a threshold lower by one would
 * have raised a signal.
 */
function settingsAt(number: number, here: readonly Raised[], replays: Replays): Setting[] {
  if (here.length > 0) {
    const advice = here.every((raised) => raised.advice);
    const detectors = new Set(
      here.filter((raised) => advice || !raised.advice).map(({ signal }) => signal.detector),
    );
    return tried({ start: number, end: number, advice }, [...detectors], replays);
  }
  return (replays.lowered() ?? [])
    .filter(({ step, advice, signal }) => step === number && !advice && signal.count > 1)
    .map(({ signal: { detector, text } }) => ({
      ...replays.step(detector, -1),
      effect: text,
      speaks: [detector],
    }));
}
