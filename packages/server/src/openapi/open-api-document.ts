import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import { actSchema } from '../act-route.ts';
import {
  aKey,
  anOrganisationSettings,
  aProject,
  aProjectSettings,
  aRole,
  aSessionToForget,
} from '../organisation/bodies.ts';
import answers from './answers.schema.json' with { type: 'json' };
import { cuaTask } from './cua-task.ts';
import type { Paths } from './operation.ts';
import { paths, pathsOfOrganisations } from './paths.ts';
import { ref, type Schema } from './schema-words.ts';

/** What requests are checked with, by the names that it has in the document. */
const requests: Readonly<Record<string, Schema>> = {
  Act: actSchema,
  CuaTask: cuaTask,
  NewProject: aProject,
  ProjectSettings: aProjectSettings,
  NewKey: aKey,
  NewRole: aRole,
  SessionToForget: aSessionToForget,
  OrganisationSettings: anOrganisationSettings,
};

const CONFIG: ConversionConfig = {
  // What cannot be said in JSON Schema is said in the description.
  errorMode: 'ignore',
  typeMode: 'input',
  definitions: requests,
  overrideRef: ({ referenceId }) => ref(referenceId).$ref,
};

/** The same tree, with JSON Schema in place of what requests are checked with. */
function derived(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(derived);
  if (typeof value !== 'object' || value === null) return value;
  if ('kind' in value && value.kind === 'schema') {
    const { $schema: _, $defs: __, ...schema } = toJsonSchema(value as Schema, CONFIG);
    return schema;
  }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, derived(inner)]));
}

/** The schemas that something refers to, and those that they refer to. */
function schemasOf(value: unknown): Record<string, unknown> {
  const ofAnswers = JSON.parse(
    JSON.stringify(answers.$defs).replaceAll('#/$defs/', ref('').$ref),
  ) as Record<string, unknown>;
  const all: Record<string, unknown> = { ...ofAnswers, ...toJsonSchemaDefs(requests, CONFIG) };
  const used: Record<string, unknown> = {};
  const follow = (from: unknown): void => {
    for (const [, name = ''] of JSON.stringify(from).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (Object.hasOwn(used, name)) continue;
      used[name] = all[name];
      follow(all[name]);
    }
  };
  follow(value);
  return used;
}

/** The API in OpenAPI 3.1, of a server for one person or of one for organisations. */
export function openApiDocument(version: string, isForMany = false) {
  const described = derived(isForMany ? pathsOfOrganisations : paths) as Paths;
  return {
    openapi: '3.1.0',
    info: {
      title: 'Unrut',
      version,
      summary: 'Detects when AI agents are stuck in a loop.',
      description:
        'Errors are problem details (RFC 9457) with a code for programs. Texts are redacted; times are epoch milliseconds.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{}, { token: [] }],
    tags: TAGS.filter(({ name }) => JSON.stringify(described).includes(`"tags":["${name}"]`)),
    paths: described,
    components: {
      schemas: schemasOf(described),
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'UNRUT_TOKEN or a key of unrut key add, where the server requires one.',
        },
      },
    },
  };
}

const TAGS = [
  { name: 'report', description: 'Reporting by agents; needs the scope ingest.' },
  { name: 'look', description: 'Recorded data; needs the scope read.' },
  { name: 'act', description: 'What a person does about a session; needs the scope admin.' },
  {
    name: 'computer use',
    description: 'Runs in a browser; off by default. Needs the scope admin.',
  },
  {
    name: 'organisation',
    description: 'Projects, keys, people and what was done; x-role says what each needs.',
  },
  { name: 'operate', description: 'Operating the server.' },
  { name: 'metrics', description: 'Figures for Prometheus; needs the scope read.' },
];
