import { randomBytes } from 'node:crypto';
import { errorReason } from '@unrut/engine/redact/reason';
import type { Organisations } from '@unrut/ledger/organisation';
import { seal, unseal } from '@unrut/postgres/organisation/seal';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import { doneSchema } from '../answers/organisation.ts';
import { tokenDigest } from '../keys.ts';
import type { Log } from '../log.ts';
import { Refusal } from '../problem.ts';
import { routesOf } from '../route/route.ts';
import type { Member } from './member.ts';
import { COOKIE, type Members } from './members.ts';
import type { BegunSignIn, OpenId } from './open-id.ts';

/** What the routes work with. */
export interface SigningIn {
  organisations: Organisations;
  members: Members;
  memberOf(context: Context): Member;
  /** Whose people sign in here. */
  org: number;
  secret: string;
  /** Undefined if nobody signs people in. */
  openId?: OpenId | undefined;
  log: Log;
}

/** While somebody is at the provider. */
const BEGUN_COOKIE = '__Host-unrut-sign-in';
const SAFE: CookieOptions = { path: '/', secure: true, httpOnly: true, sameSite: 'Lax' };
/** Seconds. */
const HALF_A_DAY = 12 * 3600;
const TEN_MINUTES = 600;

function opened(openId: OpenId | undefined): OpenId {
  if (openId) return openId;
  throw new Refusal(
    404,
    'no-sign-in',
    'People cannot sign in here: no provider is set. Use a key, or set UNRUT_OIDC_ISSUER.',
  );
}

const failed = (why: string): Refusal =>
  new Refusal(403, 'not-signed-in', `The sign-in failed: ${why}. Start again at /v1/sign-in.`);

const signing = routesOf<SigningIn>({ tag: 'operate', isPublic: true });
const REDIRECTED = { 302: 'Go on at Location.' };
const NO_SIGN_IN = { 404: 'People cannot sign in here.' };

/** How people sign in with a browser; the provider's pages lead here. */
export const signInRoutes = [
  signing.get('/v1/sign-in', {
    id: 'signIn',
    summary: 'Sign in with the provider (OpenID Connect). Needs no token.',
    statuses: REDIRECTED,
    refuses: { ...NO_SIGN_IN, 502: 'The provider cannot be reached.' },
    async handle({ context }, { openId, secret, log }) {
      try {
        const { address, begun } = await opened(openId).begin();
        setCookie(
          context,
          BEGUN_COOKIE,
          seal(JSON.stringify(begun), secret).toString('base64url'),
          { ...SAFE, maxAge: TEN_MINUTES },
        );
        return context.redirect(address.href);
      } catch (error) {
        if (error instanceof Refusal) throw error;
        log({ event: 'fault', level: 'error', code: 'sign-in', detail: errorReason(error) });
        throw new Refusal(
          502,
          'provider-unreachable',
          'The provider of sign-ins cannot be used now. Try again later.',
        );
      }
    },
  }),

  signing.get('/v1/sign-in/callback', {
    id: 'signedIn',
    summary: 'Where the provider sends people back to. Needs no token.',
    statuses: REDIRECTED,
    refuses: { ...NO_SIGN_IN, 403: 'The sign-in failed or was not begun here.' },
    async handle({ context }, { openId, organisations, org, secret, log }) {
      const provider = opened(openId);
      const begun = begunIn(getCookie(context, BEGUN_COOKIE), secret);
      deleteCookie(context, BEGUN_COOKIE, SAFE);
      if (!begun) throw failed('it was not begun here, or more than ten minutes ago');
      try {
        const { person, groups, ...about } = await provider.finish(
          new URL(context.req.url).search,
          begun,
        );
        const token = randomBytes(32).toString('base64url');
        const csrf = randomBytes(32).toString('base64url');
        const expires = Date.now() + HALF_A_DAY * 1000;
        await organisations
          .of(org)
          .addSignIn(tokenDigest(token).toString('hex'), { person, groups, csrf, expires }, about);
        setCookie(context, COOKIE, token, { ...SAFE, maxAge: HALF_A_DAY });
        return context.redirect('/');
      } catch (error) {
        log({ event: 'refused', level: 'warn', code: 'sign-in', detail: errorReason(error) });
        throw failed('the provider did not confirm it');
      }
    },
  }),
];

/** For those who are known. */
export const signOutRoute = routesOf<SigningIn>({ tag: 'operate' }).post('/v1/sign-out', {
  id: 'signOut',
  summary: 'End your sign-in.',
  answer: doneSchema,
  async handle({ context }, { organisations, members, memberOf }) {
    const cookie = getCookie(context, COOKIE);
    if (cookie !== undefined) {
      const hash = tokenDigest(cookie).toString('hex');
      const { org, actor } = memberOf(context);
      await organisations.of(org).endSignIn(hash, actor);
      members.forgetSignIn(hash);
      deleteCookie(context, COOKIE, SAFE);
    }
    return { done: true };
  },
});

function begunIn(cookie: string | undefined, secret: string): BegunSignIn | undefined {
  const text = cookie === undefined ? undefined : unseal(Buffer.from(cookie, 'base64url'), secret);
  return text === undefined ? undefined : (JSON.parse(text) as BegunSignIn);
}
