import type { MiddlewareHandler } from 'hono';
import { problem, shown } from './problem.ts';
import { tokenCheck } from './token-check.ts';

/** What a request has to show before anything is done for it. */
export interface Protection {
  /** Every request must carry it as `Authorization: Bearer …`. */
  token?: string;
  /** Where others reach the server, through something that stands before it. Its pages are then ours. */
  publicUrl?: string;
}

/** Refuses requests of web pages from elsewhere, and without the token. */
export function protect({ token, publicUrl }: Protection): MiddlewareHandler {
  const carriesToken = tokenCheck(token);
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
    if (!carriesToken(context)) {
      context.header('www-authenticate', 'Bearer');
      return problem(context, 401, 'wrong-token', 'Expected the header Authorization: Bearer, with the token of unrut serve.');
    }
    return next();
  };
}

/** Without the scheme: something that speaks TLS may stand before the server. */
const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined);
