import { isDeepStrictEqual } from 'node:util';
import { UnrutError } from '../errors.ts';
import { isObject, type JsonObject } from '../json.ts';
import { insertInto, type JsonPath, readJson, removeAt, replaceAt } from './edit-json.ts';
import type { Edit } from './order.ts';
import { isOurHandler } from './our-handler.ts';

/** What an agent's settings file gets. */
export interface HookEntry {
  path: string;
  events: readonly string[];
  /** What to call at each of them. */
  handler: JsonObject;
  /** Handlers stand in groups, which match `*` at these events and say nothing at others. Missing: there are no groups. */
  matched?: readonly string[];
  /** What else the file must have at its top. */
  top?: JsonObject;
}

/** Our handlers among the `hooks` of a JSON settings file: each where it already is, or else after all others. */
export function hookSettings({ path, events, handler, matched, top = {} }: HookEntry): Edit {
  const entryFor = (event: string): JsonObject =>
    matched ? { ...(matched.includes(event) ? { matcher: '*' } : {}), hooks: [handler] } : handler;

  function addHandler(text: string, event: string): string {
    const entries = hooksIn(text, path)[event];
    if (!entries) return insertInto(text, ['hooks'], [entryFor(event)], event);
    const [first, ...others] = ourPlaces(entries);
    if (!first) return insertInto(text, ['hooks', event], entryFor(event));
    const result = others.reduceRight((left, place) => removeAt(left, ['hooks', event, ...place]), text);
    const wanted = first.length === 1 ? entryFor(event) : handler;
    return isDeepStrictEqual(valueAt(entries, first), wanted) ? result : replaceAt(result, ['hooks', event, ...first], wanted);
  }

  return {
    path,
    add(text) {
      let result = text === undefined || text.trim() === '' ? '{}\n' : text;
      const settings = settingsIn(result, path);
      for (const [name, value] of Object.entries(top)) if (!(name in settings)) result = insertInto(result, [], value, name);
      if (!('hooks' in settings)) result = insertInto(result, [], {}, 'hooks');
      for (const event of Object.keys(hooksIn(result, path))) if (!events.includes(event)) result = removeFrom(result, event, path);
      return events.reduce(addHandler, result);
    },
    remove(text) {
      const result = Object.keys(hooksIn(text, path)).reduce((left, event) => removeFrom(left, event, path), text);
      if (result === text) return text;
      const without = Object.keys(hooksIn(result, path)).length === 0 ? removeAt(result, ['hooks']) : result;
      const left = settingsIn(without, path);
      return isDeepStrictEqual(left, {}) || isDeepStrictEqual(left, top) ? undefined : without;
    },
  };
}

/** Takes our handlers away from an event, and the event when none are left. */
function removeFrom(text: string, event: string, path: string): string {
  const places = ourPlaces(hooksIn(text, path)[event]!);
  const result = places.reduceRight((left, place) => removeAt(left, ['hooks', event, ...place]), text);
  return result !== text && hooksIn(result, path)[event]!.length === 0 ? removeAt(result, ['hooks', event]) : result;
}

/** Where our handlers stand among the entries of an event; of a group that holds nothing else, the place of the group. */
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
  throw new UnrutError('unreadable', `${path} does not contain a JSON object. Nothing was changed; fix it and try again.`);
}

/** The entries of each event. */
function hooksIn(text: string, path: string): Record<string, unknown[]> {
  const { hooks = {} } = settingsIn(text, path);
  const isMap = isObject(hooks) && Object.values(hooks).every((entries) => Array.isArray(entries));
  if (isMap) return hooks as Record<string, unknown[]>;
  throw new UnrutError('unreadable', `${path}: expected "hooks" to map events to lists, got something else. Nothing was changed.`);
}
