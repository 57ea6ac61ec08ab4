import { RETIRED } from '@unrut/engine/detectors';
import { RUNGS } from '@unrut/engine/event';
import type { Path, ValueProblem } from '@unrut/engine/schema/sentences';

/** The setting that replaces an invalid one until it is fixed. */
interface Precaution {
  /** As a config would say it. */
  values: object;
  words: string;
}

const RECORD_ONLY: Precaution = {
  values: { shadow: true },
  words: 'Unrut runs in record-only mode',
};

const ONLY_NOTES: Precaution = {
  values: { skip: RUNGS.filter((rung) => rung !== 'note') },
  words: 'Unrut only adds notes',
};

/** For a detector whose ladder is unknown: notes only. */
export const NOTE_ALONE = { first: 'note', highest: 'note' } as const;

/** Keys that decide whether Unrut acts at all; an empty path means a whole file. */
const WHETHER: readonly unknown[] = [undefined, 'preset', 'shadow'];
/** Keys that decide how strongly Unrut may act. */
const HOW_FAR: readonly unknown[] = ['attended', 'skip'];
const PIECES: readonly unknown[] = ['detectors', 'recoveries'];

/**
 * The precaution for an invalid setting, if ignoring it could make Unrut act against the user's
 * intent. It is as narrow as the setting: an invalid detector setting turns off only that detector.
 */
function precautionFor(problem: ValueProblem): Precaution | undefined {
  const { path, isUnknown, meant } = problem;
  if ((isUnknown && meant === undefined) || successorOf(problem)) return undefined;
  const [key, name, option] = meant === undefined ? path : [...path.slice(0, -1), meant];
  if (WHETHER.includes(key)) return RECORD_ONLY;
  if (HOW_FAR.includes(key)) return ONLY_NOTES;
  if (!PIECES.includes(key)) return undefined;
  if (name === undefined) return ONLY_NOTES;
  if (option === undefined)
    return { values: { [key!]: { [name]: false } }, words: `\`${name}\` is off` };
  return option === 'rungs'
    ? {
        values: { [key!]: { [name]: { rungs: NOTE_ALONE } } },
        words: `\`${name}\` only adds notes`,
      }
    : undefined;
}

/** The detector that replaced an unknown, earlier one. */
const successorOf = ({ path: [key, name, ...inner], isUnknown }: ValueProblem) =>
  isUnknown && key === 'detectors' && inner.length === 0 ? RETIRED.get(String(name)) : undefined;

/** The precautions for all of these problems, merged. */
export const precautionsFor = (problems: readonly ValueProblem[]): object[] =>
  problems.flatMap((problem) => precautionFor(problem)?.values ?? []);

/** Introduces the consequence of an invalid setting. */
export const UNTIL_FIXED = 'Until this is fixed,';

/** The problem and its consequence, in one line. */
export function problemLine(problem: ValueProblem): string {
  const successor = successorOf(problem);
  if (successor)
    return `\`${problem.path.join('.')}\` is retired: \`${successor}\` sees what it saw. Ignored.`;
  const precaution = precautionFor(problem);
  return `${problem.text} ${precaution ? `${UNTIL_FIXED} ${precaution.words}.` : 'Ignored.'}`;
}

/** Each name in `allow` is a separate permission. */
export const isLoose = ([key, ...inner]: Path): boolean => key === 'allow' && inner.length === 0;

/** A command and an address may hold secrets. */
export const mayHoldSecret = ([key]: Path): boolean => key === 'notify';
