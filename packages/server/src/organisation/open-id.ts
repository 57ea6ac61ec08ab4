import { UnrutError } from '@unrut/engine/errors';
import { listOf } from '@unrut/engine/json';
import { isLoopback } from '@unrut/engine/text/loopback';
import { importPeer } from '@unrut/ledger/import-peer';
import type { Configuration } from 'openid-client';

export interface OpenIdOptions {
  /** The provider: `https://login.example`. */
  issuer: string;
  client: string;
  secret?: string | undefined;
  /** The public URL of this server, to which the provider redirects. */
  publicUrl: string;
  /** The claims for a person's name and for their groups. Default: `email`, `groups`. */
  claim?: string | undefined;
  groups?: string | undefined;
}

/** Stored in a cookie while the user is at the provider. */
export interface BegunSignIn {
  state: string;
  nonce: string;
  verifier: string;
  /** The page that the user wanted to open. */
  to?: string;
}

/** A person authenticated by a provider or by a trusted proxy. */
export interface SignedIn {
  person: string;
  name?: string;
  email?: string;
  groups: readonly string[];
}

/** OpenID Connect sign-in: the code flow with PKCE. */
export interface OpenId {
  begin(): Promise<{ address: URL; begun: BegunSignIn }>;
  /**
   * `search`: the query from the provider's redirect. Throws if it does not match the begun
   * sign-in.
   */
  finish(search: string, begun: BegunSignIn): Promise<SignedIn>;
}

type OpenIdClient = typeof import('openid-client');

const MAX_LENGTH = 100;
/** Of a person. */
export const MAX_GROUPS = 200;

/** Discovery is requested at the first sign-in. */
export function createOpenId({
  issuer,
  client,
  secret,
  publicUrl,
  claim = 'email',
  groups = 'groups',
}: OpenIdOptions): OpenId {
  const back = `${publicUrl.replace(/\/+$/, '')}/v1/sign-in/callback`;
  const load = () => importPeer<OpenIdClient>('openid-client', 'sign-in');
  let found: Promise<Configuration> | undefined;

  function configuration(): Promise<Configuration> {
    found ??= load().then(({ discovery, allowInsecureRequests, None }) => {
      // Only a provider on this machine may use plain HTTP.
      const options = isLoopback(new URL(issuer).hostname)
        ? { execute: [allowInsecureRequests] }
        : {};
      return discovery(
        new URL(issuer),
        client,
        secret,
        secret === undefined ? None() : undefined,
        options,
      );
    });
    found.catch(() => {
      found = undefined;
    });
    return found;
  }

  return {
    async begin() {
      const {
        buildAuthorizationUrl,
        calculatePKCECodeChallenge,
        randomNonce,
        randomPKCECodeVerifier,
        randomState,
      } = await load();
      const begun: BegunSignIn = {
        state: randomState(),
        nonce: randomNonce(),
        verifier: randomPKCECodeVerifier(),
      };
      const address = buildAuthorizationUrl(await configuration(), {
        redirect_uri: back,
        scope: 'openid email profile',
        state: begun.state,
        nonce: begun.nonce,
        code_challenge: await calculatePKCECodeChallenge(begun.verifier),
        code_challenge_method: 'S256',
      });
      return { address, begun };
    },
    async finish(search, { state, nonce, verifier }) {
      const { authorizationCodeGrant, fetchUserInfo } = await load();
      const config = await configuration();
      const tokens = await authorizationCodeGrant(config, new URL(`${back}${search}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const told = tokens.claims()!;
      // Many providers return these claims only from the userinfo endpoint.
      const more = config.serverMetadata().userinfo_endpoint
        ? await fetchUserInfo(config, tokens.access_token, told.sub)
        : {};
      return personIn({ ...more, ...told }, claim, groups);
    },
  };
}

function personIn(
  claims: Readonly<Record<string, unknown>>,
  claim: string,
  groups: string,
): SignedIn {
  const person = personName(claims[claim]);
  if (person === undefined)
    throw new UnrutError(
      'no-person',
      `The provider gave no ${claim}. Set UNRUT_OIDC_CLAIM to a claim that it gives.`,
    );
  if (claim === 'email' && claims.email_verified === false)
    throw new UnrutError(
      'unverified-email',
      'The provider says that the email address is not verified. Verify it there, or set UNRUT_OIDC_CLAIM to another claim.',
    );
  return {
    person,
    name: personName(claims.name),
    email: personName(claims.email),
    groups: listOf(claims[groups])
      .filter((group) => typeof group === 'string')
      .slice(0, MAX_GROUPS),
  };
}

/** A name in storable form; undefined if it is not a valid name. */
export const personName = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH ? value : undefined;
