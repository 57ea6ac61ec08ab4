/** A JSON object about which nothing is certain. */
export type JsonObject = { [key: string]: unknown };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value if it is a string; otherwise an empty string. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The value if it is a list; otherwise an empty list. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The objects in a list; empty if the value is not a list. */
export const objectsOf = (value: unknown): JsonObject[] => listOf(value).filter(isObject);

/** The value if it is an object; otherwise an empty object. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/**
 * An object without its fields that are undefined or null. Written for speed: a scan calls it
 * several times per event.
 */
export function present<T extends object>(
  fields: T,
): { [name in keyof T]: Exclude<T[name], null> } {
  const kept: Partial<T> = {};
  for (const name in fields)
    if (fields[name] !== undefined && fields[name] !== null) kept[name] = fields[name];
  return kept as never;
}

/** The value at a dotted path, such as `usage.total`. */
export const valueIn = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => objectOf(inner)[name], value);

/** The value of a JSON text, or the text itself if it is not JSON. */
export function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** A key without case and separators: `file_path` and `filePath` become equal. */
export const foldKey = (key: string): string => key.replace(/[_-]/g, '').toLowerCase();
