import { redact } from '../redact/redact.ts';
import { assertOptions, optionChecks } from '../schema/checks.ts';
import { failingTests } from './failing-tests.ts';
import { failuresIn } from './failures.ts';
import { listed, maskNumbers, slug, tag } from './gist.ts';
import { changeIn, searchIn } from './output-action.ts';
import { errorKeyOf, errorsIn } from './output-error.ts';
import { plainOutput } from './plain-output.ts';
import { scanLines } from './scan.ts';

/** What a signature is about. */
export type SignatureClass = 'error' | 'tests' | 'files' | 'search' | 'text';

const CLASSES: Record<string, SignatureClass> = {
  error: 'error',
  'test-fail': 'tests',
  file: 'files',
  search: 'search',
};
const SIGNATURE = /^(?:error|test-fail|file|search|text):\S*$/;
const MAX_LENGTH = 200;
/**
 * A longer output is more than a sentence or two, so a digest of the whole is added to its
 * signature.
 */
const LONG_OUTPUT = 160;
const MAX_LINE_LENGTH = 400;

const outputCheck = optionChecks.keysOf({
  output: optionChecks.text,
  previous: optionChecks.listOf(optionChecks.text),
  threshold: optionChecks.number({ integer: true, from: 1 }),
});

/**
 * The core action or error of an output, in at most 200 characters. Equal signatures mean the same
 * outcome. In order of preference: an error, failing tests, changed files, a search, a digest of
 * the whole with numbers and noise masked. Empty for an empty output.
 */
export function extractSignature(output: string): string {
  assertOptions('extractSignature:', { output: output ?? null }, outputCheck);
  if (output.length <= MAX_LENGTH && SIGNATURE.test(output)) return redact(output);
  return signatureOf(redact(plainOutput(output)));
}

/** The signature of an output that is already plain and redacted. */
export function signatureOf(text: string): string {
  if (text.trim() === '') return '';
  const signature =
    failureOf(text) ??
    actionOf(text) ??
    `text:${slug(text.replace(/[\d_]+/g, ' '), 5)}~${digest(text)}`;
  return signature.length <= MAX_LENGTH
    ? signature
    : `${signature.slice(0, MAX_LENGTH - 8)}~${tag(signature)}`;
}

/** A signature for people: without its class, and without the hashes that only make it distinct. */
export function signatureInWords(signature: string): string {
  const gist = signature
    .slice(signature.indexOf(':') + 1)
    .replace(/~[a-z]{6}(?![a-z])/g, '')
    .replace(/\+test-fail:/g, ', failing tests: ')
    .replace(/^(\d+)-(?=.)/, '$1, ')
    .replace(/,?\+(\d+)/g, ' and $1 more')
    .replace(/^x(\d+)|\+x(\d+)/g, (_, all, more) => (all ? `${all} errors` : `, ${more} errors`))
    .replace(/~/g, ', ');
  const [file, ...rest] = gist.split(':');
  // A file keeps its name; in the rest, hyphens become spaces.
  const words =
    rest.length > 0 && file!.includes('.')
      ? [file!, ...rest.map(spaced)]
      : [file!, ...rest].map(spaced);
  return words
    .join(' ')
    .replace(/,(?=\S)/g, ', ')
    .trim();
}

const spaced = (words: string): string => words.replaceAll('-', ' ');

export const classOf = (signature: string): SignatureClass =>
  CLASSES[signature.slice(0, signature.indexOf(':'))] ?? 'text';

/**
 * Whether an output (or its signature) equals each of the `threshold` - 1 before it. `previous`
 * holds their signatures, newest last.
 */
export function detectOutputLoop(current: string, previous: string[], threshold = 3): boolean {
  assertOptions(
    'detectOutputLoop:',
    { output: current ?? null, previous: previous ?? null, threshold },
    outputCheck,
  );
  const signature = extractSignature(current);
  const recent = threshold > 1 ? previous.slice(1 - threshold) : [];
  return (
    signature !== '' &&
    recent.length >= threshold - 1 &&
    recent.every((earlier) => earlier === signature || earlier === current)
  );
}

function failureOf(text: string): string | null {
  const lines = text
    .split('\n')
    .map((line) => (line.length > MAX_LINE_LENGTH ? line.slice(0, MAX_LINE_LENGTH) : line));
  const tests = failingTests(lines);
  const count = failuresIn(text) ?? tests.names.length;
  const failing = count > 0 && (tests.names.length > 0 || /\bfail/i.test(text));
  const errors = errorsIn(lines).filter((error) => !(failing && error.ofTest));
  const names = tests.names.length > 0 ? `-${listed(tests.names, 3)}` : '';
  const reason = tests.reason === '' ? '' : `~${tests.reason}`;
  const told = failing ? `test-fail:${count}${names}${reason}` : '';
  if (errors.length > 0) {
    const stated = !failing && count > 1 ? `+x${count}` : '';
    return `error:${errorKeys(errors)}${stated}${failing ? `+${told}` : ''}`;
  }
  if (failing) return names === '' && text.length > LONG_OUTPUT ? `${told}~${digest(text)}` : told;
  return count > 0 ? `error:x${count}~${digest(text)}` : null;
}

/** The first error in full, and how many others there are. */
function errorKeys(errors: ReturnType<typeof errorsIn>): string {
  const [first, ...others] = errors.map(errorKeyOf);
  return others.length > 0
    ? `${first}+${others.length}~${tag(others.sort().join('\n'))}`
    : `${first}`;
}

function actionOf(text: string): string | null {
  const rest = text.length > LONG_OUTPUT ? `~${digest(text)}` : '';
  const change = changeIn(text);
  if (change !== null) return `file:${change}${rest}`;
  const search = searchIn(text);
  return search === null ? null : `search:${search}${rest}`;
}

const digest = (text: string): string => tag(scanLines(maskNumbers(text), 0).shape);
