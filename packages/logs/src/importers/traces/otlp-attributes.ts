import { isObject, type JsonObject } from '@unrut/engine/json';

/** A span with its attributes as an object. */
export interface Span {
  name: string;
  attributes: JsonObject;
  events: SpanEvent[];
  /** The error message; `true` if there is none. */
  error: string | true | undefined;
  durationMs: number | undefined;
}

export interface SpanEvent {
  name: string;
  attributes: JsonObject;
}

/**
 * Converts an OTLP JSON value (`{stringValue}`, `{kvlistValue}`, …) to plain JSON. 64-bit integers
 * are text there.
 */
export function plainValue(value: unknown): unknown {
  if (!isObject(value)) return value;
  if ('stringValue' in value) return value.stringValue;
  if ('intValue' in value) return Number(value.intValue);
  if ('boolValue' in value) return value.boolValue;
  if ('doubleValue' in value) return value.doubleValue;
  if (isObject(value.arrayValue))
    return Array.isArray(value.arrayValue.values) ? value.arrayValue.values.map(plainValue) : [];
  if (isObject(value.kvlistValue)) return attributesOf(value.kvlistValue.values);
  return value.bytesValue;
}

/** A list of attributes as an object. */
export function attributesOf(list: unknown): JsonObject {
  const attributes: JsonObject = {};
  if (!Array.isArray(list)) return attributes;
  for (const item of list) {
    if (isObject(item) && typeof item.key === 'string' && item.key !== '__proto__')
      attributes[item.key] = plainValue(item.value);
  }
  return attributes;
}

/**
 * The list spread over attributes such as `<prefix>.0.message.role`; undefined if there is none.
 */
export function spreadList(attributes: JsonObject, prefix: string): unknown[] | undefined {
  const list: unknown[] = [];
  for (const [key, value] of Object.entries(attributes)) {
    if (!key.startsWith(prefix) || key[prefix.length] !== '.') continue;
    let inside: JsonObject | unknown[] = list;
    const path = key.slice(prefix.length + 1).split('.');
    // Attributes are untrusted: they must not reach prototypes or create huge lists.
    if (path.some((name) => name === '__proto__' || /^\d{5,}$/.test(name))) continue;
    for (const [at, name] of path.entries()) {
      const slot = inside as JsonObject;
      if (at === path.length - 1) slot[name] = value;
      else {
        if (typeof slot[name] !== 'object' || slot[name] === null)
          slot[name] = /^\d+$/.test(path[at + 1]!) ? [] : {};
        inside = slot[name] as JsonObject;
      }
    }
  }
  return list.length === 0 ? undefined : list;
}

/** The first of these attributes that is there. */
export function firstOf(attributes: JsonObject, names: readonly string[]): unknown {
  const name = names.find(
    (each) =>
      attributes[each] !== undefined && attributes[each] !== null && attributes[each] !== '',
  );
  return name === undefined ? undefined : attributes[name];
}

/** The first of these attributes that is a text. */
export function textIn(attributes: JsonObject, names: readonly string[]): string | undefined {
  const value = firstOf(attributes, names);
  return value === undefined || typeof value === 'object' ? undefined : String(value);
}

/**
 * Parses JSON text in an attribute: an object, a list or a quoted text. Numbers stay text, as the
 * model saw them.
 */
export function unpacked(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*["[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
