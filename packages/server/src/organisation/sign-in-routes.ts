import { randomBytes } from 'node:crypto';
import { UnrutError } from '@unrut/engine/errors';
import { errorReason } from '@unrut/engine/redact/reason';
import type { Organisations } from '@unrut/ledger/organisation';
import { seal, unseal } from '@unrut/postgres/organisation/seal';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import { doneSchema } from '../answers/organisation.ts';
import { DASHBOARD_PAGES } from '../dashboard-pages.ts';
import { tokenDigest } from '../keys.ts';
import type { Log } from '../log.ts';
import { Refusal } from '../problem.ts';
import { routesOf } from '../route/route.ts';
import { maybe, text } from '../route/schema-words.ts';
import type { Member } from './member.ts';
import { COOKIE, type Members } from './members.ts';
import type { BegunSignIn, OpenId } from './open-id.ts';

/** The routes' context. */
export interface SigningIn {
  organisations: Organisations;
  members: Members;
  memberOf(context: Context): Member;
  /** The organisation of the sign-ins. */
  org: number;
  secret: string;
  /** Undefined if sign-in is not configured. */
  openId?: OpenId | undefined;
  log: Log;
}

/** Set while the user is at the provider. */
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

/** Why a sign-in failed, in words for people. */
const FAILED = {
  'not-begun': 'it was not begun here, or more than ten minutes ago',
  'unverified-email': 'the provider says that your email address is not verified',
  'no-person': 'the provider did not say who you are, see UNRUT_OIDC_CLAIM',
  denied: 'the provider did not let you in',
  'not-confirmed': 'the provider did not confirm it',
} as const;

type Failure = keyof typeof FAILED;

/** Browsers receive a page with the reason; programs receive problem details. */
function failed(context: Context, why: Failure): Response {
  if (context.req.header('accept')?.includes('text/html'))
    return context.redirect(`/?sign-in=${why}`);
  throw new Refusal(
    403,
    'not-signed-in',
    `The sign-in failed: ${FAILED[why]}. Start again at /v1/sign-in.`,
  );
}

function failureOf(error: unknown): Failure {
  if (error instanceof UnrutError && error.code in FAILED) return error.code as Failure;
  // The OAuth 2.0 error code for a sign-in that the user declined.
  return (error as { error?: unknown } | null)?.error === 'access_denied'
    ? 'denied'
    : 'not-confirmed';
}

const MAX_ADDRESS_LENGTH = 1000;

/** The page to continue with; only paths of this server are allowed. */
function pageIn(given: string | undefined): string {
  if (given === undefined || given.length > MAX_ADDRESS_LENGTH) return '/';
  const { origin, pathname, search } = URL.parse(given, NOWHERE) ?? new URL(NOWHERE);
  const isOurs = origin === NOWHERE && DASHBOARD_PAGES.some((page) => page === pathname);
  return isOurs ? `${pathname}${search}` : '/';
}
const NOWHERE = 'http://unrut.invalid';

const signing = routesOf<SigningIn>({ tag: 'operate', isPublic: true });
const REDIRECTED = { 302: 'Go on at Location.' };
const NO_SIGN_IN = { 404: 'People cannot sign in here.' };

/** Browser sign-in; the provider redirects here. */
export const signInRoutes = [
  signing.get('/v1/sign-in', {
    id: 'signIn',
    summary: 'Sign in with the provider (OpenID Connect). Needs no token.',
    query: { to: maybe(text('The page to show afterwards, such as /cost?since=7d.')) },
    statuses: REDIRECTED,
    refuses: { ...NO_SIGN_IN, 502: 'The provider cannot be reached.' },
    async handle({ context }, { openId, secret, log }) {
      try {
        const { address, begun } = await opened(openId).begin();
        const to = pageIn(context.req.query('to'));
        setCookie(
          context,
          BEGUN_COOKIE,
          seal(JSON.stringify({ ...begun, to }), secret).toString('base64url'),
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
      if (!begun) return failed(context, 'not-begun');
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
        return context.redirect(pageIn(begun.to));
      } catch (error) {
        log({ event: 'refused', level: 'warn', code: 'sign-in', detail: errorReason(error) });
        return failed(context, failureOf(error));
      }
    },
  }),
];

/** Requires a known caller. */
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
