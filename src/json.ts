/** An object of JSON of which nothing is certain. */
export type JsonObject = { [key: string]: unknown };

export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text as it is; anything else as nothing. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A list as it is; of anything else, an empty one. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The objects in a list; of anything else, none. */
export const objectsOf = (value: unknown): JsonObject[] => listOf(value).filter(isObject);

/** An object as it is; of anything else, an empty one. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** An object without the fields that say nothing: undefined and null. */
export const present = <T extends object>(fields: T): { [name in keyof T]: Exclude<T[name], null> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as never;

/** What is behind a path of names, such as `usage.total`. */
export const valueIn = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => objectOf(inner)[name], value);

/** JSON written as text; the text itself when it is none. */
export function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** A key without its case and separators: `file_path` and `filePath` are one. */
export const foldKey = (key: string): string => key.replace(/[_-]/g, '').toLowerCase();
