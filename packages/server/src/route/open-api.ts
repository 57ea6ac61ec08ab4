import type { KeyScope } from '@unrut/ledger/api-key';
import type { MemberRole } from '@unrut/ledger/organisation';
import { toJsonSchema } from '@valibot/to-json-schema';
import { problemSchema } from '../answers/organisation.ts';
import { type MediaSchemas, type Route, scopeNeeded } from './route.ts';
import type { Schema } from './schema-words.ts';

export interface JsonSchema {
  [keyword: string]: unknown;
}

interface Response {
  description: string;
  content?: { [type: string]: { schema: JsonSchema } };
}

/** One method of one path, in OpenAPI. */
export interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  parameters?: {
    name: string;
    in: 'path' | 'query' | 'header';
    required: boolean;
    description?: string;
    schema: JsonSchema;
  }[];
  requestBody?: { required: true; content: NonNullable<Response['content']> };
  responses: Record<string, Response>;
  security?: object[];
  /** In an organisation: the lowest role for it. */
  'x-role'?: MemberRole | 'organisation-admin';
}

const ROLE_OF_SCOPE: Readonly<Record<KeyScope, MemberRole>> = {
  read: 'viewer',
  ingest: 'member',
  admin: 'admin',
};

/** Refusals of any route that needs a key. */
const ALWAYS = {
  401: 'The token is missing or wrong.',
  403: 'The Host or Origin is not accepted, or the key lacks the scope.',
  429: 'Too many requests; retry after Retry-After.',
};
const BAD_QUERY = { 400: 'Invalid query.' };
const BAD_BODY = {
  400: 'Invalid body.',
  413: 'The body is too large.',
  415: 'The body has another type or encoding.',
  503: 'Too much at once; retry after Retry-After.',
};

/** The document of these routes, in OpenAPI 3.1. */
export function openApiDocument(routes: readonly Route[], version: string, isForMany: boolean) {
  const schemas: Record<string, JsonSchema> = {};

  /** Replaces named schemas by references, but not lazy ones (`$defs`). */
  function referring(value: unknown, lazy: JsonSchema): unknown {
    if (Array.isArray(value)) return value.map((inner) => referring(inner, lazy));
    if (typeof value !== 'object' || value === null) return value;
    if ('$ref' in value) return referring(lazy[String(value.$ref).split('/').at(-1)!], lazy);
    const { title, ...schema } = value as JsonSchema;
    for (const [name, inner] of Object.entries(schema))
      schema[name] = name === 'properties' ? fields(inner as object, lazy) : referring(inner, lazy);
    if (isNever(schema.additionalProperties)) schema.additionalProperties = false;
    if (typeof title !== 'string') return schema;
    const known = schemas[title];
    if (known && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`Two schemas are called ${title}.`);
    schemas[title] = schema;
    return { $ref: `#/components/schemas/${title}` };
  }
  /** Here `title` is the name of a field. */
  const fields = (all: object, lazy: JsonSchema): object =>
    Object.fromEntries(Object.entries(all).map(([name, inner]) => [name, referring(inner, lazy)]));

  function derived(schema: Schema): JsonSchema {
    // Descriptions explain checks that JSON Schema cannot express.
    const {
      $schema: _,
      $defs = {},
      ...found
    } = toJsonSchema(schema, { errorMode: 'ignore', typeMode: 'output' });
    return referring(found, $defs) as JsonSchema;
  }

  const contentOf = (content: MediaSchemas) =>
    Object.fromEntries(
      Object.entries(content).map(([type, schema]) => [type, { schema: derived(schema) }]),
    );

  const parameters = (place: 'path' | 'query' | 'header', entries: Route['query']) =>
    Object.entries(entries).map(([name, given]) => {
      const { description, ...schema } = derived(given);
      return {
        name,
        in: place,
        required: place === 'path' || given.type !== 'optional',
        ...(typeof description === 'string' ? { description } : {}),
        schema,
      };
    });

  const refusals = (by: Readonly<Record<number, string>>): Record<string, Response> =>
    Object.fromEntries(
      Object.entries(by).map(([code, description]) => [
        code,
        { description, content: contentOf({ 'application/problem+json': problemSchema }) },
      ]),
    );

  function operationOf(route: Route): Operation {
    const { id, summary, tag, isPublic, statuses, content, refuses } = route;
    const takes = route.takes ?? (route.body && { 'application/json': route.body });
    const given = [
      ...parameters('path', route.params),
      ...parameters('query', route.query),
      ...parameters('header', route.headers),
    ];
    const scope = scopeNeeded(route);
    const role = isForMany ? (route.role ?? (scope && ROLE_OF_SCOPE[scope])) : undefined;
    return {
      operationId: id,
      summary,
      tags: [tag],
      ...(given.length > 0 ? { parameters: given } : {}),
      ...(takes ? { requestBody: { required: true, content: contentOf(takes) } } : {}),
      responses: {
        ...Object.fromEntries(
          Object.entries(statuses).map(([code, description]) => [
            code,
            {
              description,
              ...(Object.keys(content).length > 0 ? { content: contentOf(content) } : {}),
            },
          ]),
        ),
        ...(given.length > 0 ? refusals(BAD_QUERY) : {}),
        ...(takes ? refusals(BAD_BODY) : {}),
        ...(isPublic ? {} : refusals(ALWAYS)),
        ...refusals(refuses),
      },
      ...(isPublic ? { security: [] } : {}),
      ...(role ? { 'x-role': role } : {}),
    };
  }

  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  const tags = new Set(routes.map(({ tag }) => tag));
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
    tags: TAGS.filter(({ name }) => tags.has(name)),
    paths,
    components: {
      schemas,
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

const isNever = (schema: unknown): boolean => JSON.stringify(schema) === '{"not":{}}';

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
