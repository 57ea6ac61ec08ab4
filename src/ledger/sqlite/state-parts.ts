import type { Json } from '../../event.ts';

/** A state in parts, so that only what has changed is written: JSON texts by the keys that lead to them. */
export type StateParts = Map<string, string>;

type JsonObject = { [key: string]: Json };

/** A guard's state is cut into `sessions`, their names, `detectors` and the like, and the name of each detector. */
const DEPTH = 4;
/** Stands between keys; an object that has it in a key is not cut. */
const JOINT = '\u0001';

/** Cuts a state along its outer objects. */
export function splitState(state: Json): StateParts {
  const parts: StateParts = new Map();
  cut(state, '', DEPTH, parts);
  return parts;
}

function cut(value: Json, path: string, depth: number, parts: StateParts): void {
  if (depth > 0 && isPlain(value)) {
    const keys = Object.keys(value);
    if (keys.length > 0 && !keys.some((key) => key.includes(JOINT))) {
      for (const key of keys) if (value[key] !== undefined) cut(value[key], `${path}${JOINT}${key}`, depth - 1, parts);
      return;
    }
  }
  parts.set(path, JSON.stringify(value));
}

const isPlain = (value: Json): value is JsonObject => typeof value === 'object' && value !== null && value.constructor === Object;

/** The state that was cut, with its keys in the order of the parts. */
export function joinState(parts: StateParts): Json {
  const whole = parts.get('');
  if (whole !== undefined) return JSON.parse(whole) as Json;
  const root: Branch = new Map();
  for (const [path, text] of parts) {
    const keys = path.split(JOINT).slice(1);
    let branch = root;
    for (const key of keys.slice(0, -1)) {
      const next = (branch.get(key) as Branch | undefined) ?? new Map();
      branch.set(key, next);
      branch = next;
    }
    branch.set(keys.at(-1)!, text);
  }
  return grown(root);
}

type Branch = Map<string, Branch | string>;

const grown = (branch: Branch): Json =>
  Object.fromEntries([...branch].map(([key, value]) => [key, typeof value === 'string' ? (JSON.parse(value) as Json) : grown(value)]));
