import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { afterAll } from 'vitest';

const closing: (() => unknown)[] = [];
afterAll(() => {
  for (const close of closing) close();
});

/** A minimal browser for sign-in: keeps cookies by host, and follows redirects. */
export interface Browser {
  cookies: Map<string, string>;
  get(address: string, headers?: Record<string, string>): Promise<Response>;
  /** Follows redirects up to the first other answer. */
  follow(address: string): Promise<Response>;
}

export function createBrowser(): Browser {
  const cookies = new Map<string, string>();
  async function get(address: string, headers: Record<string, string> = {}): Promise<Response> {
    const { host } = new URL(address);
    const own = [...cookies].flatMap(([name, value]) =>
      name.startsWith(`${host} `) ? [`${name.slice(host.length + 1)}=${value}`] : [],
    );
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { ...headers, ...(own.length > 0 ? { cookie: own.join('; ') } : {}) },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '' || /max-age=0|expires=Thu, 01 Jan 1970/i.test(line))
        cookies.delete(`${host} ${name}`);
      else cookies.set(`${host} ${name}`, value);
    }
    return response;
  }
  async function follow(address: string): Promise<Response> {
    let at = address;
    for (let i = 0; i < 20; i++) {
      const response = await get(at);
      const next = response.headers.get('location');
      if (next === null) return response;
      at = new URL(next, at).href;
    }
    throw new Error('Too many redirects.');
  }
  return { cookies, get, follow };
}

export interface TestProvider {
  issuer: string;
  /** The person to sign in from now on, without asking. */
  signsIn(claims: {
    sub: string;
    email?: string;
    email_verified?: boolean;
    name?: string;
    groups?: string[];
  }): void;
}

/** A real local OpenID Connect provider with one client. `back` is the allowed redirect. */
export async function signInProvider(client: {
  id: string;
  secret: string;
  back: string;
}): Promise<TestProvider> {
  const http = createServer((request, response) => void handle(request, response)).listen(
    0,
    '127.0.0.1',
  );
  await new Promise((resolve) => http.once('listening', resolve));
  closing.push(
    () => http.closeAllConnections(),
    () => http.close(),
  );
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  let claims: Parameters<TestProvider['signsIn']>[0] = { sub: 'nobody' };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [client.back],
        response_types: ['code'],
      },
    ],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    features: { devInteractions: { enabled: false } },
    interactions: {
      url: (_: unknown, interaction: { uid: string }) => `/interaction/${interaction.uid}`,
    },
    cookies: { keys: ['a-key-for-cookies'] },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ ...claims, sub }),
    }),
  });
  const callback = provider.callback();

  async function handle(
    request: Parameters<typeof callback>[0],
    response: Parameters<typeof callback>[1],
  ): Promise<void> {
    if (!request.url?.startsWith('/interaction/')) return void callback(request, response);
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    if (prompt.name === 'login')
      return provider.interactionFinished(request, response, { login: { accountId: claims.sub } });
    const grant = new provider.Grant({
      accountId: session!.accountId,
      clientId: params.client_id as string,
    });
    grant.addOIDCScope('openid email profile');
    return provider.interactionFinished(request, response, {
      consent: { grantId: await grant.save() },
    });
  }

  return {
    issuer,
    signsIn(next) {
      claims = next;
    },
  };
}
