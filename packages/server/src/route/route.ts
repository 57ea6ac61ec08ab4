import { anObject } from '@unrut/engine/schema/kinds';
import { parseValue } from '@unrut/engine/schema/problems';
import type { KeyScope } from '@unrut/ledger/api-key';
import type { MemberRole } from '@unrut/ledger/organisation';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import type * as v from 'valibot';
import { readBodyAs } from '../body.ts';
import { mayDo } from '../keys.ts';
import { problem, Refusal } from '../problem.ts';
import { callerOf } from '../protect.ts';
import type { Schema } from './schema-words.ts';

type Entries = Readonly<Record<string, Schema>>;
type Values<E extends Entries> = v.InferOutput<v.ObjectSchema<E, undefined>>;
type Awaitable<T> = T | Promise<T>;

/** Schemas by media type. */
export type MediaSchemas = Readonly<Record<string, Schema>>;

/** A request after its checks. */
export interface Given<P extends Entries, Q extends Entries, B extends Schema> {
  params: Values<P>;
  query: Values<Q>;
  body: v.InferOutput<B>;
  context: Context;
}

/** The shared properties of a group of routes. */
export interface RouteGroup {
  tag: string;
  /** The scope that a key needs. Default: any valid key. */
  scope?: KeyScope;
  /** Needs no key at all. */
  isPublic?: true;
  /** In an organisation, the route concerns a project. */
  isOfProject?: true;
}

/** The full declaration of a route: checks, OpenAPI and types are derived from it. */
export interface RouteDeclaration<
  Parts,
  P extends Entries,
  Q extends Entries,
  B extends Schema,
  A extends Schema,
> {
  /** The operationId. */
  id: string;
  summary: string;
  /** In an organisation: the lowest role for it. Default: the role of the scope. */
  role?: MemberRole | 'organisation-admin';
  params?: P;
  query?: Q;
  headers?: Entries;
  /** A JSON body, which is checked. */
  body?: B;
  /** Bodies that the handler reads itself, by media type. */
  takes?: MediaSchemas;
  /** A JSON answer. */
  answer?: A;
  /** Other successful answers that the handler writes, by media type. */
  content?: MediaSchemas;
  /** Success statuses with their meaning. Default: 200 with the summary. */
  statuses?: Readonly<Record<number, string>>;
  /** Errors besides those of all routes, by status. */
  refuses?: Readonly<Record<number, string>>;
  handle(given: Given<P, Q, B>, parts: Parts): Awaitable<v.InferOutput<A> | Response>;
}

/** A method of a path. `Parts`: the context of its handler. */
export interface Route<Parts = never> extends RouteGroup {
  method: 'GET' | 'POST' | 'DELETE';
  /** With `:name` for parameters. */
  path: string;
  id: string;
  summary: string;
  role?: MemberRole | 'organisation-admin' | undefined;
  params: Entries;
  query: Entries;
  headers: Entries;
  body?: Schema | undefined;
  takes?: MediaSchemas | undefined;
  content: MediaSchemas;
  statuses: Readonly<Record<number, string>>;
  refuses: Readonly<Record<number, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: `RouteDeclaration` has checked the handler against its schemas.
  handle(given: Given<any, any, any>, parts: Parts): Awaitable<unknown>;
}

/** Declares routes of one group. */
export function routesOf<Parts>(group: RouteGroup) {
  const declare =
    (method: Route['method']) =>
    <
      A extends Schema,
      P extends Entries = Entries,
      Q extends Entries = Record<never, Schema>,
      B extends Schema = Schema,
    >(
      path: string,
      declared: RouteDeclaration<Parts, P, Q, B, A>,
    ): Route<Parts> => {
      const { answer, content, ...rest } = declared;
      return {
        params: {},
        query: {},
        headers: {},
        refuses: {},
        statuses: { 200: declared.summary },
        ...group,
        ...rest,
        method,
        path,
        content: content ?? (answer ? { 'application/json': answer } : {}),
      };
    };
  return { get: declare('GET'), post: declare('POST'), delete: declare('DELETE') };
}

/** The same route on a server with organisations, whose requests can name a project. */
export const inProject = <Parts>(route: Route<Parts>, project: Schema): Route<Parts> =>
  route.isOfProject ? { ...route, query: { ...route.query, project } } : route;

const QUERY = 'query';

/**
 * Mounts routes. Each request is validated, passes through `around`, and is handled with the
 * context from `partsFor`.
 */
export function mount<Parts>(
  app: Hono,
  routes: readonly Route<Parts>[],
  partsFor: (context: Context) => Awaitable<Parts>,
  ...around: MiddlewareHandler[]
): void {
  for (const route of routes) {
    // Probes and sign-in providers may add arbitrary parameters.
    const queryOf = route.isPublic ? () => ({}) : queryReader(route.query);
    const check: MiddlewareHandler = async (context, next) => {
      checkScope(route, context);
      context.set(QUERY, queryOf(context));
      return next();
    };
    app.on(route.method, route.path, check, ...around, async (context: Context) => {
      const params = Object.fromEntries(
        Object.keys(route.params).map((name) => [name, paramOf(context, name)]),
      );
      const given = { params, query: context.get(QUERY), context };
      const parts = await partsFor(context);
      const body = route.body && (await readBodyAs(context, route.body));
      const answer = await route.handle({ ...given, body }, parts);
      return answer instanceof Response ? answer : context.json(answer as object);
    });
  }
}

/** Rejects other methods on these paths. Mount it last. */
export function refuseOtherMethods(app: Hono, routes: readonly Route[]): void {
  for (const [path, same] of Map.groupBy(routes, (route) => route.path)) {
    const methods = same.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const allow = methods.join(', ');
    app.all(path, (context) => {
      // A route that this server does not mount.
      if (methods.includes(context.req.method)) return context.notFound();
      context.header('allow', allow);
      return problem(
        context,
        405,
        'wrong-method',
        `Expected ${allow.replace(', ', ' or ')}, got ${context.req.method.slice(0, 20)}.`,
      );
    });
  }
}

/** The scope that a route needs; undefined if any valid key will do. */
export const scopeNeeded = ({ scope, role }: Route): KeyScope | undefined =>
  role === 'viewer' ? undefined : scope;

function checkScope(route: Route<never>, context: Context): void {
  const scope = scopeNeeded(route);
  const scopes = callerOf(context);
  if (!scope || !scopes || mayDo(scopes, scope)) return;
  throw new Refusal(
    403,
    'wrong-scope',
    `Expected a key with the scope ${scope}, got one with ${scopes.join(', ') || 'none'}. Add one with unrut key add --scope ${scope}.`,
  );
}

/** These names have a meaning in paths, so they are encoded twice. */
const DOTS: ReadonlyMap<string, string> = new Map([
  ['%2E', '.'],
  ['%2E%2E', '..'],
]);

/** A name in the path of a request. */
export function paramOf(context: Context, name: string): string {
  const given = context.req.param(name) ?? '';
  return DOTS.get(given) ?? given;
}

/** Parses a query. Throws a refusal for undeclared names or invalid values. */
function queryReader(entries: Entries): (context: Context) => object {
  const schema = anObject(entries as v.ObjectEntries);
  const numbers = new Set(Object.keys(entries).filter((name) => isNumeric(entries[name]!)));
  return (context) => {
    // No name contains a null character, and Postgres rejects it.
    if (context.req.url.includes('%00'))
      throw new Refusal(400, 'bad-query', 'Expected an address without %00, got one with it.');
    const given = Object.entries(context.req.query()).map(([name, value]) => [
      name,
      numbers.has(name) && /^\d{1,15}$/.test(value) ? Number(value) : value,
    ]);
    return parseValue(
      schema,
      Object.fromEntries(given),
      (text) =>
        new Refusal(400, 'bad-query', text.replace('Unknown key', 'Unknown query parameter')),
    );
  };
}

const isNumeric = (schema: Schema): boolean =>
  'wrapped' in schema ? isNumeric(schema.wrapped as Schema) : schema.type === 'number';
