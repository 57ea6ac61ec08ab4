import { createHash, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { cut } from '../report/printable.ts';
import { isLoopback } from './is-loopback.ts';
import { problem } from './problem.ts';

/** What a request has to show before anything is done for it. */
export interface Protection {
  /** Every request must carry it as `Authorization: Bearer …`. */
  token?: string;
  /** Only requests that name this machine by a loopback name: a page whose own name was made to point here names itself. */
  loopbackOnly: boolean;
}

/** Refuses requests of web pages from elsewhere, of names that are not ours, and without the token. */
export function protect({ token, loopbackOnly }: Protection): MiddlewareHandler {
  const expected = token === undefined ? undefined : digest(token);
  return async (context, next) => {
    const host = context.req.header('host') ?? '';
    if (loopbackOnly && !isLoopback(hostnameOf(host)))
      return problem(
        context,
        403,
        'wrong-host',
        `expected localhost or 127.0.0.1 as Host, got ${shown(host)}. Call the server by that name.`,
      );
    const origin = context.req.header('origin');
    if (origin !== undefined && origin !== new URL(context.req.url).origin)
      return problem(
        context,
        403,
        'wrong-origin',
        `expected no Origin or the server's own, got ${shown(origin)}. Web pages from elsewhere are refused.`,
      );
    const site = context.req.header('sec-fetch-site') ?? 'none';
    if (site !== 'none' && site !== 'same-origin')
      return problem(context, 403, 'wrong-origin', `expected a request of the server's own pages, got Sec-Fetch-Site: ${shown(site)}.`);
    if (expected !== undefined && !timingSafeEqual(expected, digest(bearerOf(context.req.header('authorization'))))) {
      context.header('www-authenticate', 'Bearer');
      return problem(context, 401, 'wrong-token', 'expected Authorization: Bearer with the token that unrut serve was started with.');
    }
    return next();
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const bearerOf = (header = ''): string => /^Bearer +(\S+)\s*$/i.exec(header)?.[1] ?? '';

/** Without the port, and without the brackets of an IPv6 address. */
const hostnameOf = (host: string): string => host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');

const shown = (header: string): string => (header === '' ? 'none' : cut(header, 80));
