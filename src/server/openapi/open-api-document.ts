import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import { answerSchemas } from './answer-schemas.ts';
import { cuaSchemas } from './cua-schemas.ts';
import { paths } from './paths.ts';
import { recordSchemas } from './record-schemas.ts';
import { nameSchemas, type Schema } from './schema-words.ts';

const schemas: Readonly<Record<string, Schema>> = { ...recordSchemas, ...answerSchemas, ...cuaSchemas };
nameSchemas(schemas);

const CONFIG: ConversionConfig = {
  // What cannot be said in JSON Schema is said in the description.
  errorMode: 'ignore',
  typeMode: 'input',
  definitions: schemas,
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
};

/** The same tree, with JSON Schema in place of what requests and answers are checked with. */
function derived(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(derived);
  if (typeof value !== 'object' || value === null) return value;
  if ('kind' in value && value.kind === 'schema') {
    const { $schema: _, $defs: __, ...schema } = toJsonSchema(value as Schema, CONFIG);
    return schema;
  }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, derived(inner)]));
}

/** The API in OpenAPI 3.1. */
export const openApiDocument = (version: string) => ({
  openapi: '3.1.0',
  info: {
    title: 'Unrut',
    version,
    summary: 'Detects when AI agents are stuck in a loop.',
    description: 'Errors are problem details (RFC 9457) with a code for programs. Texts are redacted; times are epoch milliseconds.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: '/' }],
  security: [{}, { token: [] }],
  tags: [
    { name: 'report', description: 'Reporting by agents; needs the scope ingest.' },
    { name: 'look', description: 'Recorded data; needs the scope read.' },
    { name: 'act', description: 'What a person does about a session; needs the scope admin.' },
    { name: 'computer use', description: 'Runs in a browser; off by default. Needs the scope admin.' },
    { name: 'operate', description: 'Operating the server.' },
    { name: 'metrics', description: 'Figures for Prometheus; needs the scope read.' },
  ],
  paths: derived(paths) as typeof paths,
  components: {
    schemas: toJsonSchemaDefs(schemas, CONFIG),
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer', description: 'UNRUT_TOKEN or a key of unrut key add, where the server requires one.' },
    },
  },
});
