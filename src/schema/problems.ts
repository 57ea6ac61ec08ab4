import { type BaseIssue, type GenericSchema, type InferOutput, safeParse } from 'valibot';
import { redact } from '../redact/redact.ts';
import { nearest } from './nearest.ts';

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

interface CheckOptions {
  /** What the value itself is called. */
  name?: string;
  /** Values that may be secret or private are not quoted. */
  isSecret?(path: Path): boolean;
}

/** What is wrong with a value, and what of it is sound. */
export function checkValue(
  schema: GenericSchema,
  value: unknown,
  options: CheckOptions = {},
): { sound: unknown; problems: ValueProblem[] } {
  const { issues = [], output } = safeParse(schema, value, { abortPipeEarly: true });
  const problems = issues.flatMap((issue) => problemsOf(issue, [], options));
  return { sound: problems.reduce<unknown>((sound, { path }) => without(sound, path), output), problems };
}

/** A value that is as it should be. Else throws what `wrong` makes of the first problem; a misspelt key comes before what is missing for it. */
export function parseValue<Schema extends GenericSchema>(
  schema: Schema,
  value: unknown,
  wrong: (text: string) => Error,
  options?: CheckOptions,
): InferOutput<Schema> {
  const { sound, problems } = checkValue(schema, value, options);
  const problem = problems.find(({ isUnknown }) => isUnknown) ?? problems[0];
  if (problem) throw wrong(problem.text);
  return sound as InferOutput<Schema>;
}

/** Of the alternatives of a union, the one that fits so far that its inner values can be judged counts. */
function problemsOf(issue: BaseIssue<unknown>, above: Path, options: CheckOptions): ValueProblem[] {
  const path = [...above, ...(issue.path ?? []).map(({ key }) => key as string | number)];
  const inner = issue.issues?.filter((each) => each.path) ?? [];
  return inner.length > 0 ? inner.flatMap((each) => problemsOf(each, path, options)) : [problemOf(issue, path, options)];
}

function problemOf({ type, message, input, expected }: BaseIssue<unknown>, path: Path, options: CheckOptions): ValueProblem {
  const name = keyText(path) || (options.name ?? '');
  if (type === 'never') {
    const meant = nearest(String(path.at(-1)), message.split(', '));
    const hint = meant ? `Did you mean \`${meant}\`?` : `Known: ${message || 'none'}.`;
    return { path, text: `Unknown key \`${name}\`. ${hint}`, isUnknown: true, ...(meant ? { meant } : {}) };
  }
  const meant = type === 'picklist' && typeof input === 'string' ? nearest(input, namesIn(expected)) : undefined;
  return {
    path,
    text: `Expected ${name && `\`${name}\` to be `}${message}, got ${got(input, options.isSecret?.(path))}.${meant ? ` Did you mean \`${meant}\`?` : ''}`,
  };
}

const namesIn = (expected: string | null): string[] => [...(expected ?? '').matchAll(/"([^"]*)"/g)].map(([, name]) => name!);

const LONGEST_SHOWN = 60;

/** What came: only its kind where it may be a secret. */
function got(value: unknown, isSecret = false): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'string') return isSecret ? 'a string (not shown)' : `\`${JSON.stringify(redact(value).slice(0, LONGEST_SHOWN))}\``;
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return `\`${value}\``;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** A list with one faulty item is left out as a whole: without the item it might say something else. */
function without(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { [key]: given, ...others } = value as Record<string | number, unknown>;
  const kept = rest.length > 0 ? without(given, rest) : undefined;
  return kept === undefined ? others : { ...others, [key]: kept };
}

/** A key as it is written in a program: `detectors.cycle.laps`, `skip[1]`, `tools["a b"].poll`. */
export const keyText = (path: Path): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : /^[\w$-]+$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`))
    .join('')
    .replace(/^\./, '');
