import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  type Organisation,
  type OrganisationKey,
  type Organisations,
  type Project,
  WHOLE,
} from '@unrut/ledger/organisation';
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { keyIdIn, tokenDigest, whyNotKey } from '../keys.ts';
import { bearerOf } from '../protect.ts';
import { findIn, remembered } from '../remembered.ts';
import { type Member, memberByKey, memberByName } from './member.ts';
import { forwardedIn } from './trusted-proxies.ts';

/** Of a browser that has signed in. */
export const COOKIE = '__Host-unrut';

export interface MembersOptions {
  organisations: Organisations;
  /** The organisation of the sign-ins and of the token. */
  org: number;
  /** May do everything in that organisation. */
  token?: string | undefined;
  /**
   * No authentication: everybody who reaches the server may do everything. For a server on one
   * machine.
   */
  isOpen?: boolean;
  /** A secret shared by all servers, from which the CSRF tokens of proxy users are derived. */
  secret: string;
  /** Called with known but invalid keys. */
  refused?: (key: OrganisationKey, why: string) => void;
  now?: () => number;
}

/** Knows who asks. */
export interface Members {
  /** Undefined if the caller is unknown. */
  of(context: Context): Promise<Member | undefined>;
  /** Up to five seconds old. */
  projects(org: number): Promise<readonly Project[]>;
  /** Also one that was added a moment ago. */
  projectNamed(org: number, name: string): Promise<Project | undefined>;
  organisation(org: number): Promise<Organisation>;
  /** Ends a sign-in immediately, by the hash of its cookie. */
  forgetSignIn(hash: string): void;
}

/**
 * Milliseconds for which keys, people and projects are cached; a revoked key may work for that
 * long.
 */
const REMEMBERED = 5000;
const MAX_REMEMBERED = 10_000;

/** Identifies callers by key, by sign-in cookie, or by the headers of a trusted proxy. */
export function createMembers({
  organisations,
  org,
  token,
  isOpen = false,
  secret,
  refused,
  now = Date.now,
}: MembersOptions): Members {
  const expected = token === undefined ? undefined : tokenDigest(token);
  const keyOf = remembered(REMEMBERED, MAX_REMEMBERED, (id) => organisations.key(id));
  const signInOf = remembered(REMEMBERED, MAX_REMEMBERED, (hash) => organisations.signIn(hash));
  const projects = remembered(REMEMBERED, MAX_REMEMBERED, (number) =>
    organisations.of(Number(number)).projects(),
  );
  const organisation = remembered(REMEMBERED, MAX_REMEMBERED, (number) =>
    organisations.of(Number(number)).organisation(),
  );
  const personOf = remembered(REMEMBERED, MAX_REMEMBERED, (name) => {
    const [number = '', person] = JSON.parse(name) as string[];
    return organisations.of(Number(number)).person(person!);
  });

  async function byKey(bearer: string): Promise<Member | undefined> {
    if (expected && timingSafeEqual(expected, tokenDigest(bearer))) return owner('token');
    const id = keyIdIn(bearer);
    const key = id === undefined ? undefined : await keyOf(id);
    if (!key) return undefined;
    const why = whyNotKey(key, bearer, now(), (at) =>
      organisations.of(key.org).keyUsed(key.id, at),
    );
    return why === undefined ? memberByKey(key) : void refused?.(key, why);
  }

  async function byName(of: number, person: string, groups: readonly string[]): Promise<Member> {
    const [about, all, known] = await Promise.all([
      organisation(String(of)),
      projects(String(of)),
      personOf(JSON.stringify([String(of), person])),
    ]);
    return memberByName(about, all, known ?? { person, roles: [] }, groups);
  }

  const owner = (actor: string): Member => ({ org, actor, grants: new Map([[WHOLE, ['admin']]]) });

  return {
    projects: (number) => projects(String(number)),
    projectNamed: (number, name) =>
      findIn(projects, String(number), (project) => project.name === name),
    organisation: (number) => organisation(String(number)),
    forgetSignIn: signInOf.forget,
    async of(context) {
      const bearer = bearerOf(context.req.header('authorization'));
      if (bearer !== '') return byKey(bearer);
      const cookie = getCookie(context, COOKIE);
      if (cookie !== undefined) {
        const signIn = await signInOf(tokenDigest(cookie).toString('hex'));
        if (signIn && signIn.expires > now())
          return {
            ...(await byName(signIn.org, signIn.person, signIn.groups)),
            csrf: signIn.csrf,
            isSignedIn: true,
          };
      }
      const forwarded = forwardedIn(context);
      if (forwarded) {
        const member = await byName(org, forwarded.person, forwarded.groups);
        return {
          ...member,
          csrf: createHmac('sha256', secret)
            .update(`csrf ${org} ${forwarded.person}`)
            .digest('base64url'),
        };
      }
      return isOpen ? owner('anybody') : undefined;
    },
  };
}
