import type { KeyScope } from '@unrut/ledger/api-key';
import type { Context, MiddlewareHandler } from 'hono';
import type { Caller } from './keys.ts';
import { ledgerReason } from './ledger-reason.ts';
import { problem, shown } from './problem.ts';

/** What a request has to show before anything is done for it. */
export interface Protection {
  /**
   * Where others reach the server, through something that stands before it. Its pages are then
   * ours.
   */
  publicUrl?: string | undefined;
}

const CALLER = 'caller';
const KNOWN = 'known';
const PERSON = 'person';
const ACTOR = 'actor';
const EVENTS = 'events';
const UNASKED = 'unasked';

/**
 * Finds out who asks, by `Authorization: Bearer …`. Where nobody has to be known, it is not asked.
 */
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
 * Finds out who asks. Where nobody can be asked that, he is not known for now, and what everybody
 * may see is still shown.
 */
export async function lookUp<T>(context: Context, find: () => Promise<T>): Promise<T | undefined> {
  try {
    return await find();
  } catch (error) {
    context.set(UNASKED, ledgerReason(error));
    return undefined;
  }
}

/**
 * Tells what the sender of a request may do, and for whom he sends it. Nobody knows him where it is
 * nobody.
 */
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

/**
 * What the sender of a request may do: nothing if he is not known, undefined where nobody has to
 * be.
 */
export const callerOf = (context: Context): readonly KeyScope[] | undefined => context.get(CALLER);

/** Whose agents the sender speaks for, where that is known by his key. */
export const personOf = (context: Context): string | undefined => context.get(PERSON);

/** The name of the caller in the audit; on a server for one user, the admin. */
export const actorOf = (context: Context): string => context.get(ACTOR) ?? 'admin';

/** Reports how many events a request contains. */
export const countEvents = (context: Context, events: number): void => context.set(EVENTS, events);

/** How many events a request contains, as far as is known. */
export const eventsIn = (context: Context): number => context.get(EVENTS) ?? 0;

/** Whether the sender of a request is known, or need not be. */
export const isKnown = (context: Context): boolean =>
  context.get(KNOWN) ?? callerOf(context)?.length !== 0;

/** What `Authorization: Bearer …` says; empty where it says nothing. */
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

/** Refuses requests of those who are not known. */
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

/** Without the scheme: something that speaks TLS may stand before the server. */
const hostOf = (origin: string): string | undefined =>
  URL.canParse(origin) ? new URL(origin).host : undefined;
