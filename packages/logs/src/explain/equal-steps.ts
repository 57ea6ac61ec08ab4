import { jaccard, overlap } from '@unrut/engine/fingerprint';
import type { ExplainedStep, Followed, Raised } from './follow.ts';
import type { Equal, ExplainedLoop, LoopExplained } from './report.ts';

/** The size of a message's word sketch (text.ts). */
const VOCABULARY = 32;
/** Min share of common words for messages to be alike. */
const ALIKE = 0.2;

/** A way in which two steps can be equal: the compared fingerprint, and its name for a reader. */
interface Aspect {
  in: Equal['in'];
  of(step: ExplainedStep): { key: string; what: string } | null | undefined;
}

const ASPECTS: readonly Aspect[] = [
  { in: 'call', of: ({ seen: { call } }) => call && { key: call.key, what: call.label } },
  {
    in: 'target',
    of: ({ seen: { call } }) =>
      call?.target ? { key: call.target, what: call.targetLabel } : null,
  },
  {
    in: 'result',
    of: ({ seen: { result } }) =>
      result && {
        key: result.digest,
        what: result.known
          ? result.empty
            ? 'nothing found'
            : `${result.size} characters`
          : 'not known',
      },
  },
  {
    in: 'error',
    of: ({ seen: { result } }) =>
      result?.error ? { key: result.error.class, what: result.error.label } : null,
  },
  {
    in: 'words',
    of: ({ event, seen: { text } }) =>
      event.type === 'text-added' && text?.message
        ? { key: String(text.message.key), what: `${text.message.words} words` }
        : null,
  },
  {
    in: 'attempt',
    of: ({ seen: { task } }) =>
      task && { key: JSON.stringify(task), what: `${task.label}, ${task.status}` },
  },
  {
    in: 'signature',
    of: ({ seen: { output } }) => output && { key: output.key, what: output.signature },
  },
];

/** Groups of steps that are equal in some aspect; the largest groups of each aspect first. */
export function equalSteps(steps: readonly ExplainedStep[], most = 3): Equal[] {
  return ASPECTS.flatMap((aspect) => {
    const groups = new Map<string, Equal>();
    for (const step of steps) {
      const named = aspect.of(step);
      if (!named) continue;
      const group = groups.get(named.key) ?? { in: aspect.in, what: named.what, steps: [] };
      groups.set(named.key, group);
      group.steps.push(step.step);
    }
    return [...groups.values()]
      .filter((group) => group.steps.length > 1)
      .sort((one, other) => other.steps.length - one.steps.length)
      .slice(0, most);
  });
}

/** The aspects in which earlier steps equal this one. */
export const equalBefore = (steps: readonly ExplainedStep[], { step }: ExplainedStep): Equal[] =>
  equalSteps(
    steps.filter((each) => each.step <= step),
    Number.POSITIVE_INFINITY,
  ).flatMap((equal) =>
    equal.steps.includes(step)
      ? [{ ...equal, steps: equal.steps.filter((each) => each !== step) }]
      : [],
  );

/**
 * The last two neighbouring steps that differ, among steps with the same call, otherwise with the
 * same error or answer.
 */
export function neighbours(steps: readonly ExplainedStep[]): [ExplainedStep, ExplainedStep][] {
  const pairs: [ExplainedStep, ExplainedStep][] = [];
  const last = new Map<string, ExplainedStep>();
  for (const step of steps) {
    const name = step.seen.call?.key ?? step.event.type;
    const before = last.get(name);
    if (before) pairs.push([before, step]);
    last.set(name, step);
  }
  if (pairs.length > 0) return pairs;
  return steps.slice(1).map((step, i) => [steps[i]!, step]);
}

/**
 * The share of words that two messages, or the arguments of two calls of one tool, have in common;
 * null for other steps.
 */
function sharedWords({ seen: one }: ExplainedStep, { seen: other }: ExplainedStep): number | null {
  if (one.call && other.call) {
    if (one.call.tool !== other.call.tool) return null;
    return one.call.key === other.call.key ? 1 : jaccard(one.call.words, other.call.words);
  }
  const [said, again] = [one.text?.message, other.text?.message];
  if (!said || !again) return null;
  return said.key === again.key ? 1 : overlap(said.vocabulary, again.vocabulary, VOCABULARY);
}

/** How much the last step has in common with the earlier ones, if they are not all equal. */
export function alikeness(steps: readonly ExplainedStep[]): LoopExplained['alike'] {
  const last = steps.at(-1);
  const shares = steps.slice(0, -1).flatMap((step) => sharedWords(step, last!) ?? []);
  if (shares.length === 0 || shares.every((share) => share === 1)) return null;
  const rounded = (share: number): number => Math.round(share * 100) / 100;
  return { least: rounded(Math.min(...shares)), most: rounded(Math.max(...shares)) };
}

/** Signals in a stretch from the detectors of a loop. */
export const signalsOf = ({ signals }: Followed, loop: ExplainedLoop): Raised[] =>
  signals.filter(
    ({ step, signal }) =>
      step >= loop.start &&
      step <= loop.end &&
      [loop.detector, ...loop.also].includes(signal.detector),
  );

/** The repeating steps of a loop: those with a fingerprint that the evidence names. */
export function membersOf(followed: Followed, loop: ExplainedLoop): ExplainedStep[] {
  const raised = signalsOf(followed, loop);
  const main = raised.filter(({ signal }) => signal.detector === loop.detector);
  const keys = new Set(main.flatMap(({ signal }) => signal.evidence.keys));
  const targets = new Set(main.flatMap(({ signal }) => signal.evidence.target ?? []));
  const inside = followed.steps.filter(({ step }) => step >= loop.start && step <= loop.end);
  const named = inside.filter((step) => marksOf(step).some((mark) => keys.has(mark)));
  if (named.length > 1) return named;
  const onTarget = inside.filter(
    ({ seen: { call } }) => call?.target && targets.has(call.target) && call.verb === 'write',
  );
  if (onTarget.length > 1) return onTarget;
  const thoughts = main.some(({ byThought }) => byThought)
    ? inside.flatMap(({ thought }) => thought ?? [])
    : [];
  if (thoughts.length > 1) return likeLast(thoughts, main);
  return likeLast(inside, main);
}

/** The steps that are like the last signalled one; all steps if there are none. */
function likeLast(
  steps: readonly ExplainedStep[],
  raised: readonly { step: number }[],
): ExplainedStep[] {
  const last = steps.findLast((step) => raised.some((each) => each.step === step.step));
  const alike = steps.filter((step) => last && isAlike(step, last));
  return alike.length > 1 ? alike : [...steps];
}

/** Messages that share a fifth of their words; otherwise steps of the same kind. */
function isAlike(one: ExplainedStep, other: ExplainedStep): boolean {
  if (one.event.type !== other.event.type) return false;
  const share = sharedWords(one, other);
  return share === null || share >= ALIKE;
}

/** The names by which evidence may refer to a step. */
function marksOf({ seen: { call, result, output, task } }: ExplainedStep): string[] {
  return [call?.key, result?.error && `error:${result.error.class}`, output?.key, task?.key].filter(
    (mark) => typeof mark === 'string',
  );
}
