import { typesOf } from './check.ts';
import type { Schema } from './schema.ts';

/** A key that can have a value of its own. */
export interface SchemaKey {
  path: readonly string[];
  schema: Schema;
}

/** All keys of a config but those of tools, whose names nobody knows. A detector is a key, and so is each of its options. */
export function keysOf(schema: Schema, path: readonly string[] = []): SchemaKey[] {
  const inner = Object.entries(schema.properties ?? {}).flatMap(([key, each]) => (key === '$schema' ? [] : keysOf(each, [...path, key])));
  return typesOf(schema).every((type) => type === 'object') ? inner : [{ path, schema }, ...inner];
}
