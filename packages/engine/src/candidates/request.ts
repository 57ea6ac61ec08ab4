import type { ActionFinished, CallFinished } from '../event.ts';
import type { ListedTool } from '../event-parts.ts';
import type { OfferedArgs } from '../failures/failure.ts';
import { remembering } from '../lazily.ts';
import type { CallPrint, ResultPrint } from '../prints.ts';
import { redact } from '../redact/redact.ts';
import { soundsGrave } from '../tools/grave-words.ts';
import { FILE_ARGUMENTS } from '../tools/profile.ts';
import { type World, worldOf } from '../tools/tool-role.ts';

const MAX_NAME_LENGTH = 64;
const MAX_PATH_LENGTH = 79;
const MAX_GIVEN = 4;

/** What was asked for, by a call or by a screen action. */
interface Request {
  given: string;
  world: World;
  args: OfferedArgs | null;
  /** The words that describe the element. */
  element: string;
  /** The argument that names the file. */
  argument: string;
  annotations: Pick<ListedTool, 'annotations'>;
}

export function attemptedIn(event: CallFinished | ActionFinished, call: CallPrint): Request {
  if (event.type !== 'call-finished')
    return {
      given: call.tool,
      world: 'page',
      args: null,
      element: call.targetLabel,
      argument: 'path',
      annotations: {},
    };
  const { tool, args } = event.call;
  return {
    given: tool,
    world: worldOf(tool, call.target, call.shell),
    args: repeatableIn(args),
    element: elementIn(args),
    argument: fileArgument(args),
    annotations: { annotations: event.annotations },
  };
}

export function pathOf(
  { target, targetLabel }: CallPrint,
  argument: string,
): { path?: string; argument?: string } {
  const path = target?.startsWith('file:') ? repeatable(targetLabel) : '';
  return path === '' ? {} : { path, argument };
}

export function gravityOf(
  call: CallPrint,
  result: ResultPrint,
  { given, element, args }: Request,
): { grave?: true; destroys?: true } {
  const isGrave = soundsGrave(given);
  return {
    ...(isGrave || isGraveElement(element, result, args) ? { grave: true } : {}),
    ...(!result.error && (isGrave || isRemoval(call)) ? { destroys: true } : {}),
  };
}

const isRemoval = ({ verb, clears, patch }: CallPrint): boolean =>
  verb === 'write' && clears === 'target' && !patch;

/** A name that can be shown and called: short, on one line, without secrets. */
export const nameable = remembering((tool) =>
  tool.length <= MAX_NAME_LENGTH && !/\s/.test(tool) && redact(tool) === tool ? tool : '',
);

const repeatable = (path: string): string =>
  path.length <= MAX_PATH_LENGTH && /^[\w@%+=:,./\\~ -]+$/.test(path) ? path : '';

const fieldsOf = (args: unknown): Readonly<Record<string, unknown>> =>
  typeof args === 'object' && args !== null ? (args as Readonly<Record<string, unknown>>) : {};

const fileArgument = (args: unknown): string =>
  FILE_ARGUMENTS.find((name) => typeof fieldsOf(args)[name] === 'string') ?? 'path';

/** Arguments that identify an element by its reference. */
export const REFERENCES: readonly string[] = ['target', 'ref', 'uid'];

/** `e12`, `f1e2`, `1_7`, `ref_3`. */
const REFERENCE = /^(?:[a-z]{0,3}\d{1,5}(?:[a-z]\d{1,5})?|\d{1,5}_\d{1,5}|ref_\d{1,5})$/;

/** Small numbers and references to elements: another tool of the same server needs them, too. */
function repeatableIn(args: unknown): OfferedArgs | null {
  const entries = Object.entries(fieldsOf(args)).filter(
    ([name, value]) =>
      nameable(name) !== '' &&
      ((typeof value === 'number' && Number.isSafeInteger(value) && value < 1e6) ||
        (typeof value === 'string' && REFERENCES.includes(name) && REFERENCE.test(value))),
  );
  return entries.length === 0
    ? null
    : (Object.fromEntries(entries.slice(0, MAX_GIVEN)) as OfferedArgs);
}

/**
 * If only the reference of an element is known, nobody can tell what it does, so it counts as
 * grave.
 */
const isGraveElement = (
  words: string,
  { grave }: ResultPrint,
  given: OfferedArgs | null,
): boolean =>
  grave ??
  (soundsGrave(words) || (words === '' && REFERENCES.some((name) => name in (given ?? {}))));

/** The words that describe the element an action is aimed at. */
function elementIn(args: unknown): string {
  const { element, target, selector, name, text } = fieldsOf(args);
  return [element, target, selector, name, text]
    .filter((each) => typeof each === 'string' && !REFERENCE.test(each))
    .join(' ')
    .slice(0, 200);
}
