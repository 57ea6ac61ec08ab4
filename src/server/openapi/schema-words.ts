/** The part of JSON Schema that the document is written in. */
export interface Schema {
  type?: string | readonly string[];
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  enum?: readonly (string | number | boolean | null)[];
  anyOf?: readonly Schema[];
  $ref?: string;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  default?: string | number | boolean;
}

const told = (description?: string): { description?: string } => (description === undefined ? {} : { description });

/** Words for types, each with a description where one is given. */
export const text = (description?: string): Schema => ({ type: 'string', ...told(description) });
export const numberSchema = (description?: string): Schema => ({ type: 'number', ...told(description) });
export const whole = (description?: string): Schema => ({ type: 'integer', ...told(description) });
export const flag = (description?: string): Schema => ({ type: 'boolean', ...told(description) });
export const time = (description = ''): Schema => numberSchema(`${description} Epoch milliseconds.`.trim());
export const choiceSchema = (names: readonly string[], description?: string): Schema => ({
  type: 'string',
  enum: names,
  ...told(description),
});
export const list = (items: Schema, description?: string): Schema => ({ type: 'array', items, ...told(description) });
/** Names that are not known beforehand. */
export const mapOf = (additionalProperties: Schema, description?: string): Schema => ({
  type: 'object',
  additionalProperties,
  ...told(description),
});
export const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });
export const anything = (description: string): Schema => ({ description });
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** An object with fields that are always there, and some that need not be. */
export const object = (always: Readonly<Record<string, Schema>>, sometimes: Readonly<Record<string, Schema>> = {}): Schema => ({
  type: 'object',
  properties: { ...always, ...sometimes },
  required: Object.keys(always),
});
