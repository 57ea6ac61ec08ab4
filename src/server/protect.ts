import type { Context, MiddlewareHandler } from 'hono';
import type { KeyScope } from '../ledger/api-key.ts';
import type { Caller } from './keys.ts';
import { problem, shown } from './problem.ts';

/** What a request has to show before anything is done for it. */
export interface Protection {
  /** Where others reach the server, through something that stands before it. Its pages are then ours. */
  publicUrl?: string | undefined;
}

const CALLER = 'caller';

/** Finds out who asks, by `Authorization: Bearer …`. Where nobody has to be known, it is not asked. */
export const identify =
  (caller: Caller | undefined): MiddlewareHandler =>
  async (context, next) => {
    if (caller) context.set(CALLER, await caller(bearerOf(context.req.header('authorization'))));
    return next();
  };

/** What the sender of a request may do: nothing where he is not known, undefined where nobody has to be. */
export const callerOf = (context: Context): readonly KeyScope[] | undefined => context.get(CALLER);

/** Whether the sender of a request is known, or need not be. */
export const isKnown = (context: Context): boolean => callerOf(context)?.length !== 0;

const bearerOf = (header = ''): string => /^Bearer +(\S+)\s*$/i.exec(header)?.[1] ?? '';

/** Refuses requests of web pages from elsewhere. */
export function checkOrigin({ publicUrl }: Protection): MiddlewareHandler {
  const own = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  return async (context, next) => {
    const origin = context.req.header('origin');
    if (origin !== undefined && origin !== own && hostOf(origin) !== context.req.header('host')?.toLowerCase())
      return problem(
        context,
        403,
        'wrong-origin',
        `Expected no Origin or the server's own, got ${shown(origin)}. Requests from other web pages are rejected.`,
      );
    const site = context.req.header('sec-fetch-site') ?? 'none';
    if (site !== 'none' && site !== 'same-origin')
      return problem(context, 403, 'wrong-origin', `Expected a request from the server's own pages, got Sec-Fetch-Site: ${shown(site)}.`);
    return next();
  };
}

/** Refuses requests of those who are not known. */
export const checkCaller: MiddlewareHandler = async (context, next) => {
  if (isKnown(context)) return next();
  context.header('www-authenticate', 'Bearer');
  return problem(
    context,
    401,
    'wrong-token',
    'Expected the header Authorization: Bearer, with the token of unrut serve or a key of unrut key add.',
  );
};

/** Without the scheme: something that speaks TLS may stand before the server. */
const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined);
