import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Printed } from '../packages/cli/src/printed.ts';
import { outputSchemaFile } from '../scripts/output-schema.ts';

type Schema = { [keyword: string]: unknown };

/** As shipped, but nothing may be there that is not declared. */
function closed(schema: Schema): Schema {
  const parts = Object.entries(schema).map(([key, value]) => {
    if (Array.isArray(value))
      return [
        key,
        value.map((each) => (typeof each === 'object' && each !== null ? closed(each) : each)),
      ];
    return [key, typeof value === 'object' && value !== null ? closed(value as Schema) : value];
  });
  const isOpen =
    schema.type === 'object' && 'properties' in schema && !('additionalProperties' in schema);
  return { ...Object.fromEntries(parts), ...(isOpen ? { additionalProperties: false } : {}) };
}

const ajv = new Ajv2020({ allErrors: true, strict: false });
ajv.addSchema(closed(JSON.parse(readFileSync(outputSchemaFile, 'utf8'))), 'output');

/** What is wrong with something that a command printed; nothing when it keeps to its schema. */
export function schemaFaults(command: keyof Printed, value: unknown): string[] {
  const check = ajv.getSchema(`output#/$defs/${command}`)!;
  check(value);
  return (check.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${command}${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}
