import { foldKey, isObject, type JsonObject } from '../json.ts';

/** The fields of a result that tell how it ended; names without case and separators. */
export type StatusRecord = { [name: string]: unknown };

/** Fields that hold the answer itself, so what is in them is what the tool says. */
const HOLDS = /^(?:result|response|data|body|output|metadata|meta|error|details|value|status)$/;
const MAX_FIELDS = 200;

/** Adds the fields of an object, and those of the objects that hold its answer, to a record. */
export function addFields(record: StatusRecord, value: JsonObject, names: readonly string[]): void {
  for (const name of names.slice(0, MAX_FIELDS)) {
    const field = value[name];
    const key = foldKey(name);
    record[key] ??= field;
    if (!isObject(field) || !HOLDS.test(key)) continue;
    for (const inner of Object.keys(field).slice(0, MAX_FIELDS))
      record[foldKey(inner)] ??= field[inner];
  }
}

const EXIT_FIELDS = ['exitcode', 'returncode', 'exitstatus', 'exit'];

/** The exit code that a field holds. */
export function exitField(record: StatusRecord): number | undefined {
  for (const name of EXIT_FIELDS) {
    const code = record[name];
    if (typeof code === 'number' && Number.isInteger(code)) return code;
  }
  return undefined;
}

/** `"error": null`, `""`, `[]`, `{}`, `false`, `0` and `"none"` say that there is no error. */
export function saysSomething(value: unknown): boolean {
  if (typeof value === 'string') return !/^\s*(?:|none|null|no|n\/a|ok|false|0|-)\s*$/i.test(value);
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value === true || (typeof value === 'number' && value !== 0);
}

const ERROR_FIELDS = [
  'error',
  'errors',
  'errormessage',
  'errormessages',
  'err',
  'failure',
  'exception',
];

/** Whether a field holds an error. */
export const hasError = (record: StatusRecord): boolean =>
  ERROR_FIELDS.some((name) => saysSomething(record[name]));

/** Whether a field is there for an error and holds none. */
export const hasNoError = (record: StatusRecord): boolean =>
  !hasError(record) && ERROR_FIELDS.some((name) => record[name] !== undefined);

/** What the fields say in words that hold the answer itself. */
export const answerIn = (record: StatusRecord): string =>
  Object.keys(record)
    .filter((name) => HOLDS.test(name) || SAYS.test(name))
    .map((name) => record[name])
    .filter((said) => typeof said === 'string')
    .join('\n');
const SAYS = /^(?:message|detail|reason)$/;

/** The word or number in the fields `status` and `state`, in lower case. */
export const statusWord = ({ status, state }: StatusRecord): string =>
  String(typeof status === 'string' || typeof status === 'number' ? status : (state ?? ''))
    .slice(0, 40)
    .toLowerCase();
