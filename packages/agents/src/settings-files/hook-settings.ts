import { isDeepStrictEqual } from 'node:util';
import { UnrutError } from '@unrut/engine/errors';
import { isObject, type JsonObject } from '@unrut/engine/json';
import { insertInto, type JsonPath, readJson, removeAt, replaceAt } from './edit-json.ts';
import type { Edit } from './order.ts';
import { isOurHandler } from './our-handler.ts';

/** Our part of an agent's settings file. */
export interface HookEntry {
  path: string;
  events: readonly string[];
  /** The handler for each event. */
  handler: JsonObject;
  /**
   * Events whose handlers are in groups with the matcher `*`; other groups have no matcher.
   * Undefined: there are no groups.
   */
  matched?: readonly string[];
  /** Further required top-level keys. */
  top?: JsonObject;
  /** Events are at the top level, not under `hooks`. */
  isBare?: boolean;
}

/**
 * Our handlers among the `hooks` of a JSON settings file: in place if they exist, otherwise at the
 * end.
 */
export function hookSettings({
  path,
  events,
  handler,
  matched,
  top = {},
  isBare = false,
}: HookEntry): Edit {
  const root: JsonPath = isBare ? [] : ['hooks'];
  const hooksIn = (text: string): Record<string, unknown[]> =>
    isBare ? listsIn(text, path) : hooksOf(text, path);

  const entryFor = (event: string): JsonObject =>
    matched ? { ...(matched.includes(event) ? { matcher: '*' } : {}), hooks: [handler] } : handler;

  function addHandler(text: string, event: string): string {
    const entries = hooksIn(text)[event];
    if (!entries) return insertInto(text, root, [entryFor(event)], event);
    const [first, ...others] = ourPlaces(entries);
    if (!first) return insertInto(text, [...root, event], entryFor(event));
    const result = others.reduceRight(
      (left, place) => removeAt(left, [...root, event, ...place]),
      text,
    );
    const wanted = first.length === 1 ? entryFor(event) : handler;
    return isDeepStrictEqual(valueAt(entries, first), wanted)
      ? result
      : replaceAt(result, [...root, event, ...first], wanted);
  }

  /** Removes our handlers from an event, and the event if it becomes empty. */
  function removeFrom(text: string, event: string): string {
    const places = ourPlaces(hooksIn(text)[event]!);
    const result = places.reduceRight(
      (left, place) => removeAt(left, [...root, event, ...place]),
      text,
    );
    return result !== text && hooksIn(result)[event]!.length === 0
      ? removeAt(result, [...root, event])
      : result;
  }

  return {
    path,
    add(text) {
      let result = text === undefined || text.trim() === '' ? '{}\n' : text;
      const settings = settingsIn(result, path);
      for (const [name, value] of Object.entries(top))
        if (!(name in settings)) result = insertInto(result, [], value, name);
      if (!isBare && !('hooks' in settings)) result = insertInto(result, [], {}, 'hooks');
      for (const event of Object.keys(hooksIn(result)))
        if (!events.includes(event)) result = removeFrom(result, event);
      return events.reduce(addHandler, result);
    },
    remove(text) {
      const result = Object.keys(hooksIn(text)).reduce(removeFrom, text);
      if (result === text) return text;
      const without =
        !isBare && Object.keys(hooksIn(result)).length === 0 ? removeAt(result, root) : result;
      const left = settingsIn(without, path);
      return isDeepStrictEqual(left, {}) || isDeepStrictEqual(left, top) ? undefined : without;
    },
  };
}

/**
 * The positions of our handlers among an event's entries; if a group has no others, the group's
 * position.
 */
function ourPlaces(entries: readonly unknown[]): JsonPath[] {
  return entries.flatMap((entry, i): JsonPath[] => {
    const grouped = isObject(entry) && Array.isArray(entry.hooks) ? entry.hooks : [];
    const ours = grouped.flatMap((handler, j) => (isOurHandler(handler) ? [j] : []));
    if (isOurHandler(entry) || (ours.length > 0 && ours.length === grouped.length)) return [[i]];
    return ours.map((j) => [i, 'hooks', j]);
  });
}

const valueAt = (value: unknown, path: JsonPath): unknown =>
  path.reduce<unknown>((inside, step) => (inside as Record<string | number, unknown>)[step], value);

function settingsIn(text: string, path: string): JsonObject {
  const settings = text.trim() === '' ? {} : readJson(text, path);
  if (isObject(settings)) return settings;
  throw new UnrutError(
    'unreadable',
    `${path} does not contain a JSON object. Nothing was changed; fix it and try again.`,
  );
}

/** The entries of each event, in a file that otherwise has only a few flags. */
const listsIn = (text: string, path: string): Record<string, unknown[]> =>
  Object.fromEntries(
    Object.entries(settingsIn(text, path)).filter((entry): entry is [string, unknown[]] =>
      Array.isArray(entry[1]),
    ),
  );

/** The entries of each event. */
function hooksOf(text: string, path: string): Record<string, unknown[]> {
  const { hooks = {} } = settingsIn(text, path);
  const isMap = isObject(hooks) && Object.values(hooks).every((entries) => Array.isArray(entries));
  if (isMap) return hooks as Record<string, unknown[]>;
  throw new UnrutError(
    'unreadable',
    `${path}: expected "hooks" to map events to lists, got something else. Nothing was changed.`,
  );
}
