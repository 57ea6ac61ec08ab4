import { isObject } from '@unrut/engine/json';
import { keyText } from '@unrut/engine/schema/sentences';
import type { Config } from './config.ts';

/** The settings from one file or variable. */
export interface Layer {
  source: string;
  values: object;
}

/** Merges layers; later layers win. Also returns the source of each value. */
export function mergeLayers(layers: readonly Layer[]): {
  config: Config;
  sources: Record<string, string>;
} {
  const config = merged(layers.map(({ values }) => values)) as Config;
  const sources = leavesOf(config).map((path) => {
    const strongest = layers.findLast(({ values }) => valueAt(values, path) !== undefined);
    return [keyText(path), strongest!.source] as const;
  });
  return { config, sources: Object.fromEntries(sources) };
}

/** All as one, the last the strongest. */
export const merged = (all: readonly object[]): object => all.reduce(merge, {}) as object;

function merge(weaker: unknown, stronger: unknown): unknown {
  if (!isObject(weaker) || !isObject(stronger)) return stronger;
  const both = Object.entries(stronger).map(([key, value]) => [
    key,
    Object.hasOwn(weaker, key) ? merge(weaker[key], value) : value,
  ]);
  return { ...weaker, ...Object.fromEntries(both) };
}

/** The paths of all values in an object. */
export function leavesOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (!isObject(value)) return [path];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

/** The value at a path inside an object. */
export const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
