import { redact } from '../redact/redact.ts';
import { cut } from '../text/printable.ts';
import { nearest } from './nearest.ts';
import type { Schema, SchemaType } from './schema.ts';

export type Path = readonly (string | number)[];

/** Is told what is wrong, in a part of a sentence. */
export type Complain = (path: Path, what: string) => void;

/** What of a value the schema allows: a copy without the parts that are wrong, or undefined. */
export function check(value: unknown, schema: Schema, complain: Complain, path: Path = []): unknown {
  const type = typesOf(schema).find((each) => isOf(each, value));
  if (type === 'object') return checkObject(value as object, schema, complain, path);
  if (type === 'array') return checkList(value as unknown[], schema, complain, path);
  if (type !== undefined && isWithin(value as string | number | boolean, schema)) return value;
  complain(path, `expected ${expected(schema)}, got ${got(value, schema)}${hint(value, schema)}`);
  return undefined;
}

export const typesOf = ({ type }: Schema): readonly SchemaType[] => (typeof type === 'string' ? [type] : type);

function isOf(type: SchemaType, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'integer') return Number.isSafeInteger(value);
  return type === 'number' ? Number.isFinite(value) : typeof value === type;
}

function checkObject(value: object, { properties = {}, additionalProperties }: Schema, complain: Complain, path: Path): object {
  const sound: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(value)) {
    const schema = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    if (!schema) complain([...path, key], `there is no such key${suggestion(key, Object.keys(properties))}`);
    else if (inner !== undefined) {
      const checked = check(inner, schema, complain, [...path, key]);
      if (checked !== undefined) sound.push([key, checked]);
    }
  }
  return Object.fromEntries(sound);
}

/** A list with one wrong item is wrong: without it, it might say something else. */
function checkList(value: unknown[], schema: Schema, complain: Complain, path: Path): unknown[] | undefined {
  if (value.length < (schema.minItems ?? 0)) {
    complain(path, `expected ${expected(schema)}, got an empty list`);
    return undefined;
  }
  const sound = value.map((item, i) => check(item, schema.items!, complain, [...path, i]));
  return sound.includes(undefined) ? undefined : sound;
}

function isWithin(value: string | number | boolean, { enum: names, minimum, maximum, minLength = 0, pattern }: Schema): boolean {
  if (typeof value === 'number') return value >= (minimum ?? value) && value <= (maximum ?? value);
  if (typeof value !== 'string') return true;
  return value.length >= minLength && (names?.includes(value) ?? true) && (pattern === undefined || new RegExp(pattern).test(value));
}

function expected(schema: Schema): string {
  return typesOf(schema)
    .map((type) => expectedOf(type, schema))
    .join(' or ');
}

function expectedOf(type: SchemaType, { enum: names, minimum, maximum, minLength = 0, examples }: Schema): string {
  switch (type) {
    case 'object':
      return 'an object';
    case 'array':
      return 'a list of texts';
    case 'boolean':
      return 'true or false';
    case 'string':
      return names ? `one of ${names.join(', ')}` : examples ? `a text such as ${examples[0]}` : minLength > 0 ? 'a text' : 'text';
    default: {
      const number = type === 'integer' ? 'a whole number' : 'a number';
      if (maximum !== undefined) return `${number} from ${minimum} to ${maximum}`;
      return minimum === undefined ? number : `${number} from ${minimum} up`;
    }
  }
}

/** What came, unless it may be a secret. */
function got(value: unknown, { writeOnly }: Schema): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return writeOnly ? 'another text' : JSON.stringify(cut(redact(value), 60));
  if (Array.isArray(value)) return 'a list';
  if (value === undefined) return 'nothing';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

const hint = (value: unknown, { enum: names }: Schema): string =>
  typeof value === 'string' && names ? suggestion(value, names, false) : '';

function suggestion(given: string, names: readonly string[], orAll = true): string {
  const meant = nearest(given, names);
  if (meant) return `, perhaps you mean ${meant}`;
  return orAll ? `, only ${names.join(', ')}` : '';
}
