import { type BaseIssue, type GenericSchema, type InferOutput, safeParse } from 'valibot';
import { notExpected, type Path, unknownKey, type ValueProblem } from './sentences.ts';

interface CheckOptions {
  /** What the value itself is called. */
  name?: string;
  /** Values that may be secret or private are not quoted. */
  isSecret?(path: Path): boolean;
  /** Items of this list have nothing to do with each other: a faulty one is left out alone. */
  isLoose?(list: Path): boolean;
}

/** What is wrong with a value, and what of it is sound. */
export function checkValue(
  schema: GenericSchema,
  value: unknown,
  options: CheckOptions = {},
): { sound: unknown; problems: ValueProblem[] } {
  const { issues = [], output } = safeParse(schema, value, { abortPipeEarly: true });
  const problems = issues.flatMap((issue) => problemsOf(issue, [], options));
  // From the last to the first, so that the places of the other items of a list do not change.
  const sound = problems.reduceRight<unknown>(
    (left, { path }) => without(left, path, [], options),
    output,
  );
  return { sound, problems };
}

/**
 * A value that is as it should be. Else throws what `wrong` makes of the first problem; a misspelt
 * key comes before what is missing for it.
 */
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

/**
 * Of the alternatives of a union, the one that fits so far that its inner values can be judged
 * counts.
 */
function problemsOf(issue: BaseIssue<unknown>, above: Path, options: CheckOptions): ValueProblem[] {
  const path = [...above, ...(issue.path ?? []).map(({ key }) => key as string | number)];
  const inner = issue.issues?.filter((each) => each.path) ?? [];
  return inner.length > 0
    ? inner.flatMap((each) => problemsOf(each, path, options))
    : [problemOf(issue, path, options)];
}

function problemOf(
  { type, message, input, expected }: BaseIssue<unknown>,
  path: Path,
  options: CheckOptions,
): ValueProblem {
  if (type === 'never') return unknownKey(path, message === '' ? [] : message.split(', '));
  const names = type === 'picklist' ? namesIn(expected) : [];
  return notExpected(path, message, input, {
    names,
    name: options.name,
    isSecret: options.isSecret?.(path),
  });
}

const namesIn = (expected: string | null): string[] =>
  [...(expected ?? '').matchAll(/"([^"]*)"/g)].map(([, name]) => name!);

/**
 * A list with one faulty item is left out as a whole, unless it is loose: without the item it might
 * say something else.
 */
function without(
  value: unknown,
  [key, ...rest]: Path,
  above: Path,
  options: CheckOptions,
): unknown {
  if (key === undefined || typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value))
    return options.isLoose?.(above) ? value.filter((_, i) => i !== key) : undefined;
  const { [key]: given, ...others } = value as Record<string | number, unknown>;
  const kept = rest.length > 0 ? without(given, rest, [...above, key], options) : undefined;
  return kept === undefined ? others : { ...others, [key]: kept };
}
