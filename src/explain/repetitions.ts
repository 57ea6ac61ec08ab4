import type { Followed, Step } from './follow.ts';
import { likeLast } from './members.ts';
import type { MissExplained } from './report.ts';
import { isOutput, signatureOf, subjectOf } from './signatures.ts';
import type { Voiced } from './what-if.ts';

/** Steps that repeat something, whether or not anybody called it a loop. */
export interface Repetition {
  kind: MissExplained['kind'];
  what: string;
  steps: Step[];
}

/** As a loop is at least three. */
const FEWEST = 3;
/** Repeats further apart than the longest round that is looked for are not one stretch. */
const FARTHEST = 8;
/** A shorter answer is a confirmation. */
const SHORTEST_ANSWER = 80;
const SHORTEST_PAGE = 200;
/** The share from which a result counts as progress (reader.ts). */
const NEW_FROM = 0.2;

/** The same call again, also with other numbers, the same error whatever the call, the same long answer to different calls, outputs about the same, and what detectors all but saw. */
export function repetitions({ steps }: Followed, voiced: readonly Voiced[]): Repetition[] {
  const calls = steps.filter(({ seen: { call, result } }) => call && result);
  return [
    ...stretches(
      calls,
      ({ seen }) => seen.call!.key,
      (first) => ({ kind: 'call', what: first.seen.call!.label }),
    ),
    ...stretches(
      calls,
      ({ seen }) => seen.call!.shape,
      (first) => ({ kind: 'numbers', what: first.seen.call!.label }),
    ).filter((each) => !isPaging(each)),
    ...stretches(
      calls,
      ({ seen }) => seen.result!.error?.class ?? null,
      ({ seen }) => ({ kind: 'error', what: `${seen.call!.tool}: ${seen.result!.error!.label}` }),
    ),
    ...stretches(calls, answerOf, ({ seen }) => ({ kind: 'answer', what: seen.call!.tool })),
    ...stretches(
      steps.filter(isOutput),
      (step) => subjectOf(signatureOf(step)),
      (first) => ({ kind: 'output', what: subjectOf(signatureOf(first)) }),
    ),
    ...allButSeen(steps, voiced),
  ];
}

/** Going through something that is long: most of the answers are long and new. */
function isPaging({ steps }: Repetition): boolean {
  const pages = steps.filter(({ seen: { result } }) => result!.size >= SHORTEST_PAGE && result!.novelty >= NEW_FROM);
  return pages.length * 2 > steps.length;
}

function answerOf({ seen }: Step): string | null {
  const { known, error, empty, size, digest } = seen.result!;
  const isAnswer = known && !error && seen.call!.verb !== 'write' && (empty || size >= SHORTEST_ANSWER);
  return isAnswer ? `${seen.call!.tool} ${empty ? 'empty' : digest}` : null;
}

/** Steps of one name that follow each other closely enough. */
function stretches(
  steps: readonly Step[],
  name: (step: Step) => string | null,
  about: (first: Step) => Pick<Repetition, 'kind' | 'what'>,
): Repetition[] {
  const found: Repetition[] = [];
  for (const group of Map.groupBy(steps, name).entries()) {
    if (group[0] === null) continue;
    let stretch: Step[] = [];
    const end = (): void => {
      if (stretch.length >= FEWEST) found.push({ ...about(stretch[0]!), steps: stretch });
      stretch = [];
    };
    for (const step of group[1]) {
      if (stretch.length > 0 && step.step - stretch.at(-1)!.step > FARTHEST) end();
      stretch.push(step);
    }
    end();
  }
  return found;
}

/** What a detector would have called a loop with an option at the nearest other value. */
function allButSeen(steps: readonly Step[], voiced: readonly Voiced[]): Repetition[] {
  return voiced.flatMap(({ notches, voices }) => {
    if (notches !== 1) return [];
    const spoken = voices.filter(({ light, count }) => !light && count >= FEWEST);
    // The last word on each stretch is about all of it.
    const last = new Map(spoken.map((voice) => [voice.since, voice]));
    return [...last.values()].map((voice): Repetition => {
      const inside = steps.filter((each) => each.step >= voice.since && each.step <= voice.step);
      const named = inside.filter(({ seen }) => seen.call && voice.keys.includes(seen.call.key));
      return { kind: 'detector', what: voice.text, steps: named.length > 1 ? named : likeLast(inside, [voice]) };
    });
  });
}
