import { classOf, type SignatureClass, similarity } from '@unrut/engine/fingerprint';
import type { ExplainedStep } from './follow.ts';
import type { SignatureExplained } from './report.ts';

/** The content of a signature, and the values that separate signatures. */
const MADE_OF: Record<SignatureClass, [of: string, separates: string]> = {
  error: [
    'the kind of error and its file, without line numbers',
    'another error, another file, or other failing tests beside it',
  ],
  tests: ['how many tests fail, and which', 'another number of failing tests, or other names'],
  files: ['the files and what was done to them', 'another file, or something else done to it'],
  search: ['what was searched for', 'other words searched for'],
  text: ['the whole output, numbers aside', 'other words'],
};

/**
 * Min similarity of texts that look the same to a reader; unrelated texts have about 0.5 by this
 * measure.
 */
const ALIKE = 0.75;

/**
 * The signature that most of some steps share, and how specific it is; undefined for steps without
 * outputs.
 */
export function explainSignature(
  members: readonly ExplainedStep[],
  all: readonly ExplainedStep[],
): SignatureExplained | undefined {
  const groups = Map.groupBy(members.filter(isOutput), signatureOf);
  const [signature, same] = [...groups].reduce<[string, ExplainedStep[]]>(
    (most, each) => (each[1].length > most[1].length ? each : most),
    ['', []],
  );
  if (same.length < 2) return undefined;
  const kind = classOf(signature);
  const texts = same.map(({ seen }) => seen.output!.text);
  const alike = Math.min(...texts.slice(1).map((text, i) => similarity(texts[i]!, text)));
  const [madeOf, separates] = MADE_OF[kind];
  return {
    signature,
    madeOf,
    separates,
    has: all.filter((step) => isOutput(step) && signatureOf(step) === signature).length,
    of: all.filter(isOutput).length,
    alike: Math.floor(alike * 100) / 100,
    isGeneric: kind !== 'text' && alike < ALIKE,
  };
}

/**
 * The subject of an output regardless of its details: its files or its error; otherwise the whole
 * signature.
 */
export function subjectOf(signature: string): string {
  if (classOf(signature) === 'files') return /^file:[^:]*/.exec(signature)![0];
  return classOf(signature) === 'error' ? /^error:[^+~]*/.exec(signature)![0] : signature;
}

const isOutput = ({ seen }: ExplainedStep): boolean =>
  seen.output !== undefined && seen.output.signature !== '';
const signatureOf = ({ seen }: ExplainedStep): string => seen.output!.signature;
