import { randomBytes } from 'node:crypto';
import { errorReason } from '@unrut/engine/redact/reason';
import type { Organisations } from '@unrut/ledger/organisation';
import { seal, unseal } from '@unrut/postgres/organisation/seal';
import { type Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import { tokenDigest } from '../keys.ts';
import type { Log } from '../log.ts';
import { problem } from '../problem.ts';
import type { Member } from './member.ts';
import { COOKIE, type Members } from './members.ts';
import type { BegunSignIn, OpenId } from './open-id.ts';

export interface SignInRoutes {
  organisations: Organisations;
  members: Members;
  memberOf(context: Context): Member;
  /** Whose people sign in here. */
  org: number;
  secret: string;
  /** Where nobody signs people in, there is nothing to be had here. */
  openId?: OpenId | undefined;
  log: Log;
  now?: () => number;
}

/** While somebody is at the provider. */
const BEGUN_COOKIE = '__Host-unrut-sign-in';
const SAFE: CookieOptions = { path: '/', secure: true, httpOnly: true, sameSite: 'Lax' };
/** Seconds. */
const HALF_A_DAY = 12 * 3600;
const TEN_MINUTES = 600;

/**
 * How people sign in with a browser. Nobody has to be known for it, and the provider's pages lead
 * here.
 */
export function signInRoutes({
  organisations,
  org,
  secret,
  openId,
  log,
  now = Date.now,
}: SignInRoutes): Hono {
  const app = new Hono();
  const nowhere = (context: Context): Response =>
    problem(
      context,
      404,
      'no-sign-in',
      'People cannot sign in here: no provider is set. Use a key, or set UNRUT_OIDC_ISSUER.',
    );

  app.get('/v1/sign-in', async (context) => {
    if (!openId) return nowhere(context);
    try {
      const { address, begun } = await openId.begin();
      setCookie(context, BEGUN_COOKIE, seal(JSON.stringify(begun), secret).toString('base64url'), {
        ...SAFE,
        maxAge: TEN_MINUTES,
      });
      return context.redirect(address.href);
    } catch (error) {
      log({ event: 'fault', level: 'error', code: 'sign-in', detail: errorReason(error) });
      return problem(
        context,
        502,
        'provider-unreachable',
        'The provider of sign-ins cannot be used now. Try again later.',
      );
    }
  });

  app.get('/v1/sign-in/callback', async (context) => {
    if (!openId) return nowhere(context);
    const begun = begunIn(getCookie(context, BEGUN_COOKIE), secret);
    deleteCookie(context, BEGUN_COOKIE, SAFE);
    if (!begun) return failed(context, 'it was not begun here, or more than ten minutes ago');
    try {
      const { person, groups, ...about } = await openId.finish(
        new URL(context.req.url).search,
        begun,
      );
      const token = randomBytes(32).toString('base64url');
      const csrf = randomBytes(32).toString('base64url');
      const expires = now() + HALF_A_DAY * 1000;
      await organisations
        .of(org)
        .addSignIn(tokenDigest(token).toString('hex'), { person, groups, csrf, expires }, about);
      setCookie(context, COOKIE, token, { ...SAFE, maxAge: HALF_A_DAY });
      return context.redirect('/');
    } catch (error) {
      log({ event: 'refused', level: 'warn', code: 'sign-in', detail: errorReason(error) });
      return failed(context, 'the provider did not confirm it');
    }
  });
  return app;

  function failed(context: Context, why: string): Response {
    return problem(
      context,
      403,
      'not-signed-in',
      `The sign-in failed: ${why}. Start again at /v1/sign-in.`,
    );
  }
}

/** `POST /v1/sign-out`, for those who are known. */
export function signOutRoute({ organisations, members, memberOf }: SignInRoutes): Hono {
  return new Hono().post('/v1/sign-out', async (context) => {
    const cookie = getCookie(context, COOKIE);
    if (cookie !== undefined) {
      const hash = tokenDigest(cookie).toString('hex');
      const { org, actor } = memberOf(context);
      await organisations.of(org).endSignIn(hash, actor);
      members.forgetSignIn(hash);
      deleteCookie(context, COOKIE, SAFE);
    }
    return context.json({ done: true });
  });
}

function begunIn(cookie: string | undefined, secret: string): BegunSignIn | undefined {
  const text = cookie === undefined ? undefined : unseal(Buffer.from(cookie, 'base64url'), secret);
  return text === undefined ? undefined : (JSON.parse(text) as BegunSignIn);
}
