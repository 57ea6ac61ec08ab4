import { anObject } from '@unrut/engine/schema/kinds';
import { parseValue } from '@unrut/engine/schema/problems';
import type { KeyScope } from '@unrut/ledger/api-key';
import type { MiddlewareHandler } from 'hono';
import * as v from 'valibot';
import { mayDo } from './keys.ts';
import { type Operation, type Paths, scopeNeeded } from './openapi/operation.ts';
import { problem, Refusal } from './problem.ts';
import { callerOf } from './protect.ts';

/** A path of the document, and what a request to it has to be like. */
interface Route {
  pattern: RegExp;
  /** By method. */
  operations: ReadonlyMap<string, Expected>;
  allow: string;
}

interface Expected {
  scope: KeyScope | undefined;
  query: v.GenericSchema;
  /** Parameters that are numbers. */
  numbers: ReadonlySet<string>;
}

function routesIn(paths: Paths): readonly Route[] {
  return Object.entries(paths).map(([path, { get, post, delete: remove }]) => {
    const operations = new Map<string, Expected>();
    if (get) for (const method of ['GET', 'HEAD']) operations.set(method, expectedOf(get));
    if (post) operations.set('POST', expectedOf(post));
    if (remove) operations.set('DELETE', expectedOf(remove));
    const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
    return { pattern, operations, allow: [...operations.keys()].join(', ') };
  });
}

function expectedOf(operation: Operation): Expected {
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const entries = parameters.map(
    ({ name, required, schema }) => [name, required ? schema : v.optional(schema)] as const,
  );
  return {
    scope: scopeNeeded(operation),
    query: anObject(Object.fromEntries(entries)),
    numbers: new Set(
      parameters.filter(({ schema }) => schema.type === 'number').map(({ name }) => name),
    ),
  };
}

/**
 * Refuses what the document does not have: other methods, other names in the query, and keys
 * without the scope.
 */
export function checkRoute(paths: Paths): MiddlewareHandler {
  const routes = routesIn(paths);
  return async (context, next) => {
    const { method, path } = context.req;
    const route = routes.find(({ pattern }) => pattern.test(path));
    if (!route) return next();
    const expected = route.operations.get(method);
    if (!expected) {
      context.header('allow', route.allow);
      return problem(
        context,
        405,
        'wrong-method',
        `Expected ${route.allow.replace(', ', ' or ')}, got ${method.slice(0, 20)}.`,
      );
    }
    const { scope, query, numbers } = expected;
    const scopes = callerOf(context);
    if (scope && scopes && !mayDo(scopes, scope))
      return problem(
        context,
        403,
        'wrong-scope',
        `Expected a key with the scope ${scope}, got one with ${scopes.join(', ') || 'none'}. Add one with unrut key add --scope ${scope}.`,
      );
    // No name holds it, and Postgres takes no text with it.
    if (context.req.url.includes('%00'))
      throw new Refusal(400, 'bad-query', 'Expected an address without %00, got one with it.');
    const given = Object.entries(context.req.query()).map(([name, value]) => [
      name,
      isNumber(numbers, name, value) ? Number(value) : value,
    ]);
    parseValue(
      query,
      Object.fromEntries(given),
      (text) =>
        new Refusal(400, 'bad-query', text.replace('Unknown key', 'Unknown query parameter')),
    );
    return next();
  };
}

const isNumber = (numbers: ReadonlySet<string>, name: string, value: string): boolean =>
  numbers.has(name) && /^\d{1,15}$/.test(value);
