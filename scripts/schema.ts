import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recommended } from '@unrut/engine/presets';
import { configSchema } from '@unrut/ledger/config/schema';
import { type ConversionConfig, type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema, LazySchema } from 'valibot';
import { root } from './build.ts';

/** The file that is shipped. */
export const schemaFile: string = join(root, 'schemas/unrut.schema.json');

/**
 * JSON Schema of the schema that configs are checked with; each detector and recovery is described
 * by the first sentence of its README.
 */
export function makeSchema(): JsonSchema {
  const schema = plain(configSchema());
  for (const kind of ['detectors', 'recoveries'] as const) {
    const pieces = (schema.properties![kind] as JsonSchema).properties!;
    for (const { name } of recommended[kind])
      pieces[name] = { description: firstSentence(kind, name), ...(pieces[name] as JsonSchema) };
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'unrut.config.json',
    description: 'Settings of Unrut, which detects when an AI agent is stuck in a loop.',
    ...schema,
  };
}

function plain(schema: GenericSchema): JsonSchema {
  const { $schema: _, $defs: __, ...json } = toJsonSchema(schema, CONVERSION);
  return json;
}

const CONVERSION: ConversionConfig = {
  target: 'draft-2020-12',
  // An object is first checked not to be a list, which JSON Schema says by itself.
  typeMode: 'output',
  overrideSchema: ({ valibotSchema, jsonSchema }) => {
    // Schemas are put off for speed, not because they contain themselves.
    if (valibotSchema.type === 'lazy')
      return plain((valibotSchema as LazySchema<GenericSchema>).getter(undefined));
    if (valibotSchema.type === 'object_with_rest') {
      const { required: _, ...object } = jsonSchema;
      const { rest } = valibotSchema as unknown as { rest: GenericSchema };
      return rest.type === 'never' ? { ...object, additionalProperties: false } : object;
    }
    // Editors show the description of a type of several kinds, not that of alternatives.
    if (valibotSchema.type !== 'union') return undefined;
    const { anyOf, ...rest } = jsonSchema as { anyOf: JsonSchema[] };
    return Object.assign({}, ...anyOf, rest, { type: anyOf.map(({ type }) => type) });
  },
  overrideAction: ({ valibotAction, jsonSchema }) =>
    valibotAction.type === 'finite' ? jsonSchema : undefined,
};

function firstSentence(kind: 'detectors' | 'recoveries', name: string): string {
  const readme = readFileSync(join(root, 'packages/engine/src', kind, name, 'README.md'), 'utf8');
  const words = /^## What it (?:sees|does)\s+(.*?[.:])(?:\s|$)/ms.exec(readme)?.[1] ?? '';
  return words.replace(/\s+/g, ' ').replace(/[.:]?$/, '.');
}
