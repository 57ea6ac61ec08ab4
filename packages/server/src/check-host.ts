import { hostnameIn, isLoopback } from '@unrut/engine/text/loopback';
import type { MiddlewareHandler } from 'hono';
import { problem, shown } from './problem.ts';

/** The host names that the server accepts. */
export interface HostCheck {
  /**
   * Accepts only loopback names, which prevents DNS rebinding: a page that points its own name here
   * sends that name.
   */
  loopbackOnly: boolean;
  /** The server's public URL behind a proxy, whose host name is accepted too. */
  publicUrl?: string;
}

/** Refuses requests by names that are not ours. */
export function checkHost({ loopbackOnly, publicUrl }: HostCheck): MiddlewareHandler {
  const own = publicUrl === undefined ? undefined : new URL(publicUrl).host;
  return async (context, next) => {
    const host = context.req.header('host')?.toLowerCase() ?? '';
    if (host !== '' && !URL.canParse(`http://${host}`))
      return problem(
        context,
        400,
        'malformed',
        `Expected Host to be a name or an address, got ${shown(host)}.`,
      );
    if (!loopbackOnly || isLoopback(hostnameIn(host)) || host === own) return next();
    return problem(
      context,
      403,
      'wrong-host',
      `Expected Host to be localhost or 127.0.0.1, got ${shown(host)}. Use one of these, or start the server with --public-url.`,
    );
  };
}
