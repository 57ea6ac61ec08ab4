import type { Range } from '../option.ts';
import { redact } from '../redact/redact.ts';
import { nearestName } from '../text/nearest-name.ts';

export type Path = readonly (string | number)[];

/** One thing that is wrong with a value. */
export interface ValueProblem {
  path: Path;
  /** A sentence: what was expected, what came, what may have been meant. */
  text: string;
  isUnknown?: true;
  /** The key that was probably meant by an unknown one. */
  meant?: string;
}

/** A key that nothing is known of. */
export function unknownKey(path: Path, known: readonly string[]): ValueProblem {
  const meant = nearestName(String(path.at(-1)), known);
  const hint = meant ? `Did you mean \`${meant}\`?` : `Known: ${known.join(', ') || 'none'}.`;
  return {
    path,
    text: `Unknown key \`${keyText(path)}\`. ${hint}`,
    isUnknown: true,
    ...(meant ? { meant } : {}),
  };
}

interface Circumstances {
  /** Names that could have been meant. */
  names?: readonly string[];
  /** What the value itself is called. */
  name?: string | undefined;
  /** It is not to be quoted. */
  isSecret?: boolean | undefined;
}

/** A value that is not what it should be. */
export function notExpected(
  path: Path,
  words: string,
  value: unknown,
  { names = [], name = '', isSecret }: Circumstances = {},
): ValueProblem {
  const called = typeof path[0] === 'number' ? `${name}${keyText(path)}` : keyText(path) || name;
  const meant = typeof value === 'string' ? nearestName(value, names) : undefined;
  const hint = meant ? ` Did you mean \`${meant}\`?` : '';
  return {
    path,
    text: `Expected ${called && `\`${called}\` to be `}${words}, got ${got(value, isSecret)}.${hint}`,
  };
}

export const namesWords = (names: readonly string[]): string => `one of ${names.join(', ')}`;

export function numberWords({
  from = -Infinity,
  to = Infinity,
  integer = false,
}: Range & { integer?: boolean }): string {
  const kind = integer ? 'an integer' : 'a number';
  return to < Infinity
    ? `${kind} from ${from} to ${to}`
    : from > -Infinity
      ? `${kind} of at least ${from}`
      : kind;
}

const MAX_SHOWN_LENGTH = 60;

/** What came: only its kind where it may be a secret. */
function got(value: unknown, isSecret = false): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'string')
    return isSecret
      ? 'a string (not shown)'
      : `\`${JSON.stringify(redact(value).slice(0, MAX_SHOWN_LENGTH))}\``;
  if (value === null || typeof value === 'number' || typeof value === 'boolean')
    return `\`${value}\``;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** A key as it is written in a program: `detectors.cycle.laps`, `skip[1]`, `tools["a b"].poll`. */
export const keyText = (path: Path): string =>
  path
    .map((part) =>
      typeof part === 'number'
        ? `[${part}]`
        : /^[\w$-]+$/.test(part)
          ? `.${part}`
          : `[${JSON.stringify(part)}]`,
    )
    .join('')
    .replace(/^\./, '');
