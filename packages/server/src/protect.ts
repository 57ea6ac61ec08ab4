import type { KeyScope } from '@unrut/ledger/api-key';
import type { Context, MiddlewareHandler } from 'hono';
import type { Caller } from './keys.ts';
import { ledgerReason } from './ledger-reason.ts';
import { problem, shown } from './problem.ts';

/** The checks on every request. */
export interface Protection {
  /** The server's public URL behind a proxy, whose pages count as our own. */
  publicUrl?: string | undefined;
}

const CALLER = 'caller';
const KNOWN = 'known';
const PERSON = 'person';
const ACTOR = 'actor';
const EVENTS = 'events';
const UNASKED = 'unasked';

/** Identifies the caller by `Authorization: Bearer …`. Skipped if no caller needs to be known. */
export const identify =
  (caller: Caller | undefined): MiddlewareHandler =>
  async (context, next) => {
    if (caller)
      context.set(
        CALLER,
        (await lookUp(context, () => caller(bearerOf(context.req.header('authorization'))))) ?? [],
      );
    return next();
  };

/**
 * Identifies the caller. If that is impossible at the moment, the caller counts as unknown, and
 * public data is still served.
 */
export async function lookUp<T>(context: Context, find: () => Promise<T>): Promise<T | undefined> {
  try {
    return await find();
  } catch (error) {
    context.set(UNASKED, ledgerReason(error));
    return undefined;
  }
}

/** Sets the caller's scopes, and the person for whom they act. Undefined scopes: unknown caller. */
export function setCaller(
  context: Context,
  caller:
    | { scopes: readonly KeyScope[]; person?: string | undefined; actor?: string | undefined }
    | undefined,
): void {
  const { scopes = [], person, actor } = caller ?? {};
  context.set(KNOWN, caller !== undefined);
  context.set(CALLER, scopes);
  context.set(PERSON, person);
  context.set(ACTOR, person ?? actor);
}

/** The scopes of the caller: empty if unknown, undefined if no caller needs to be known. */
export const callerOf = (context: Context): readonly KeyScope[] | undefined => context.get(CALLER);

/** The person whose key was used, if it belongs to one. */
export const personOf = (context: Context): string | undefined => context.get(PERSON);

/** The name of the caller in the audit; on a server for one user, the admin. */
export const actorOf = (context: Context): string => context.get(ACTOR) ?? 'admin';

/** Reports how many events a request contains. */
export const countEvents = (context: Context, events: number): void => context.set(EVENTS, events);

/** The number of events in a request, if known. */
export const eventsIn = (context: Context): number => context.get(EVENTS) ?? 0;

/** Whether the caller is known, or need not be. */
export const isKnown = (context: Context): boolean =>
  context.get(KNOWN) ?? callerOf(context)?.length !== 0;

/** The token in `Authorization: Bearer …`; empty if there is none. */
export const bearerOf = (header = ''): string => /^Bearer +(\S+)\s*$/i.exec(header)?.[1] ?? '';

/** Refuses requests of web pages from elsewhere. */
export function checkOrigin({ publicUrl }: Protection): MiddlewareHandler {
  const own = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  return async (context, next) => {
    const origin = context.req.header('origin');
    if (
      origin !== undefined &&
      origin !== own &&
      hostOf(origin) !== context.req.header('host')?.toLowerCase()
    )
      return problem(
        context,
        403,
        'wrong-origin',
        `Expected no Origin or the server's own, got ${shown(origin)}. Requests from other web pages are rejected.`,
      );
    const site = context.req.header('sec-fetch-site') ?? 'none';
    if (site !== 'none' && site !== 'same-origin')
      return problem(
        context,
        403,
        'wrong-origin',
        `Expected a request from the server's own pages, got Sec-Fetch-Site: ${shown(site)}.`,
      );
    return next();
  };
}

/** Rejects unknown callers. */
export const checkCaller: MiddlewareHandler = async (context, next) => {
  if (isKnown(context)) return next();
  const unasked: string | undefined = context.get(UNASKED);
  if (unasked !== undefined)
    return problem(
      context,
      503,
      'ledger-unusable',
      `Who asks cannot be looked up at the moment: ${unasked} Send it again.`,
    );
  context.header('www-authenticate', 'Bearer');
  return problem(
    context,
    401,
    'wrong-token',
    'Expected the token of unrut serve, or a key of unrut key add, in the header Authorization.',
  );
};

/** Without the scheme, since a TLS proxy may stand in front of the server. */
const hostOf = (origin: string): string | undefined =>
  URL.canParse(origin) ? new URL(origin).host : undefined;
