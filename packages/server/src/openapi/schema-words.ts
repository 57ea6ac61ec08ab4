import * as v from 'valibot';

/** What a request or an answer looks like; OpenAPI follows from it. */
export type Schema = v.GenericSchema;

type Fields = Readonly<Record<string, Schema>>;

/** A schema that has a name in the document. */
export interface SchemaRef {
  $ref: string;
}

export const ref = (name: string): SchemaRef => ({ $ref: `#/components/schemas/${name}` });

const told = (schema: Schema, description?: string): Schema =>
  description === undefined ? schema : (v.pipe(schema, v.description(description)) as Schema);

/** Words for types, each with a description where one is given. */
export const text = (description?: string): Schema => told(v.string(), description);
export const numberSchema = (description?: string): Schema => told(v.number(), description);
export const whole = (description?: string): Schema =>
  told(v.pipe(v.number(), v.integer()), description);
export const choiceSchema = (names: readonly string[], description?: string): Schema =>
  told(v.picklist(names), description);
export const list = (items: Schema, description?: string): Schema =>
  told(v.array(items), description);
/** Names that are not known beforehand. */
export const mapOf = (values: Schema, description?: string): Schema =>
  told(v.record(v.string(), values), description);
export const oneOfSchemas = (...schemas: Schema[]): Schema => v.union(schemas);
export const anything = (description: string): Schema => told(v.any(), description);

const optional = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, v.optional(schema)]));

/** An object with fields that are always there, and some that need not be. */
export const object = (always: Fields, sometimes: Fields = {}): Schema =>
  v.object({ ...always, ...optional(sometimes) });
/** The same, with others that are not written down. */
export const openObject = (always: Fields = {}, sometimes: Fields = {}): Schema =>
  v.looseObject({ ...always, ...optional(sometimes) });
