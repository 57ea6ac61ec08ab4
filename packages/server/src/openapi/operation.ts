import type { KeyScope } from '@unrut/ledger/api-key';
import type { MemberRole } from '@unrut/ledger/organisation';
import { ref, type Schema, type SchemaRef, text } from './schema-words.ts';

/** A parameter of a path or a query. */
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: Schema;
}

type Content = Readonly<Record<string, { schema: Schema | SchemaRef }>>;

/** One method of one path. */
export interface Operation {
  operationId: string;
  summary: string;
  tags: readonly string[];
  parameters?: readonly Parameter[];
  requestBody?: { required: true; content: Content };
  responses: Readonly<Record<string, { description: string; content?: Content }>>;
  security?: readonly object[];
  /**
   * In a server of organisations: the least role for it, in the project that it is about. Default:
   * by the tag.
   */
  'x-role'?: MemberRole | 'organisation-admin';
}

/** What somebody has to be allowed to do for an operation; nothing where any key will do. */
export const scopeNeeded = ({ tags, 'x-role': role }: Operation): KeyScope | undefined =>
  role === 'viewer' ? undefined : SCOPE_OF_TAG[tags[0]!];
const SCOPE_OF_TAG: Readonly<Record<string, KeyScope>> = {
  report: 'ingest',
  look: 'read',
  metrics: 'read',
  act: 'admin',
  'computer use': 'admin',
  organisation: 'admin',
};

/** The least role that may do an operation; nothing where anybody may who is known. */
export function roleNeeded(operation: Operation): MemberRole | 'organisation-admin' | undefined {
  const scope = scopeNeeded(operation);
  return operation['x-role'] ?? (scope && ROLE_OF_SCOPE[scope]);
}
const ROLE_OF_SCOPE: Readonly<Record<KeyScope, MemberRole>> = {
  read: 'viewer',
  ingest: 'member',
  admin: 'admin',
};

/** A body of JSON. */
export const json = (schema: Schema | SchemaRef): Content => ({ 'application/json': { schema } });
/** Answers that refuse, by status. */
export const refusals = (
  ...codes: readonly [status: string, description: string][]
): Operation['responses'] =>
  Object.fromEntries(
    codes.map(([status, description]) => [status, { description, content: PROBLEM }]),
  );
const PROBLEM: Content = { 'application/problem+json': { schema: ref('Problem') } };
/** What any request can be refused for. */
export const ALWAYS = refusals(
  ['401', 'The token is missing or wrong.'],
  ['403', 'The Host or Origin is not accepted, or the key lacks the scope.'],
  ['429', 'Too many requests; retry after Retry-After.'],
);
/** Of requests with a query. */
export const BAD_QUERY = refusals(['400', 'Invalid query.']);
/** A success. */
export const answered = (
  schema: Schema | SchemaRef,
  description: string,
): Operation['responses'] => ({
  200: { description, content: json(schema) },
});

/** A parameter of the query, which need not be there. */
export const inQuery = (name: string, description: string, schema: Schema = text()): Parameter => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
});
/** A part of the path. */
export const inPath = (name: string, description: string, schema: Schema = text()): Parameter => ({
  name,
  in: 'path',
  required: true,
  description,
  schema,
});
/** Of requests with a body. */
export const MALFORMED = refusals(
  ['400', 'Invalid body.'],
  ['413', 'The body is too large.'],
  ['415', 'The body has another type or encoding.'],
  ['503', 'Too much at once; retry after Retry-After.'],
);

/**
 * An operation in short: what it takes and gives by the names of schemas, and what it refuses
 * beside what any does, by status.
 */
type About = Pick<Operation, 'operationId' | 'summary' | 'x-role'> & {
  tag: string;
  gives: string;
  takes?: string;
  parameters?: readonly Parameter[];
  refuses?: Readonly<Record<string, string>>;
};

export const operation = ({
  tag,
  gives,
  takes,
  parameters = [],
  refuses = {},
  ...about
}: About): Operation => ({
  ...about,
  tags: [tag],
  ...(parameters.length > 0 ? { parameters } : {}),
  ...(takes === undefined ? {} : { requestBody: { required: true, content: json(ref(takes)) } }),
  responses: {
    ...answered(ref(gives), about.summary),
    ...(takes === undefined ? {} : MALFORMED),
    ...(parameters.length > 0 ? BAD_QUERY : {}),
    ...refusals(...Object.entries(refuses)),
    ...ALWAYS,
  },
});

/** Methods by path. */
export type Paths = Readonly<
  Record<string, { get?: Operation; post?: Operation; delete?: Operation }>
>;
