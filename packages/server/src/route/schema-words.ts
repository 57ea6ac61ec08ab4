import type { Json } from '@unrut/engine/event';
import * as v from 'valibot';

/** The schema of a request or an answer; types and OpenAPI are derived from it. */
export type Schema = v.GenericSchema;

/** The same schema, with a description. */
export const explained = <S extends Schema>(schema: S, description?: string): S =>
  description === undefined ? schema : (v.pipe(schema, v.description(description)) as unknown as S);

/** Names a schema in OpenAPI. */
export const named = <S extends Schema>(name: string, schema: S, description?: string): S =>
  explained(v.pipe(schema, v.title(name)) as unknown as S, description);

export const text = (description?: string) => explained(v.string(), description);
export const numeric = (description?: string) => explained(v.number(), description);
export const whole = (description?: string) =>
  explained(v.pipe(v.number(), v.integer()), description);
export const flag = (description?: string) => explained(v.boolean(), description);
/** Only ever true; missing otherwise. */
export const mark = (description?: string) => v.optional(explained(v.literal(true), description));
export const choice = <const Names extends readonly string[]>(names: Names, description?: string) =>
  explained(v.picklist(names), description);
export const list = <Item extends Schema>(item: Item, description?: string) =>
  explained(v.array(item), description);
/** An object with any names. */
export const mapOf = <Value extends Schema>(value: Value, description?: string) =>
  explained(v.record(v.string(), value), description);
/** An object with further, unlisted fields. */
export const open = <Entries extends v.ObjectEntries>(entries: Entries, description?: string) =>
  explained(v.objectWithRest(entries, v.unknown()), description);
export const object = <Entries extends v.ObjectEntries>(entries: Entries, description?: string) =>
  explained(v.object(entries), description);
/** Any JSON. */
export const json = v.unknown() as unknown as v.GenericSchema<Json>;
export const anything = (description: string) => explained(v.unknown(), description);
export const { nullable, optional: maybe } = v;
