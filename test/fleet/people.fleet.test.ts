import { beforeAll, describe, expect, test } from 'vitest';
import { ask } from '../server/request.ts';
import { type OrganisationServer, organisationServer } from './organisation-server.ts';
import { freePort } from './postgres.ts';
import {
  type Browser,
  createBrowser,
  signInProvider,
  type TestProvider,
} from './sign-in-provider.ts';

const jsonOf = async <T>(response: Response): Promise<T> => (await response.json()) as T;

describe('people who sign in with a provider', () => {
  let server: OrganisationServer;
  let provider: TestProvider;
  beforeAll(async () => {
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    provider = await signInProvider({
      id: 'unrut',
      secret: 'a-secret-of-the-client',
      back: `${publicUrl}/v1/sign-in/callback`,
    });
    const environment = {
      UNRUT_OIDC_ISSUER: provider.issuer,
      UNRUT_OIDC_CLIENT: 'unrut',
      UNRUT_OIDC_CLIENT_SECRET: 'a-secret-of-the-client',
    };
    server = await organisationServer(environment, { publicUrl, port });
    await server.organisations
      .of(1)
      .change({ groups: { developers: { role: 'member' }, leads: { role: 'admin' } } }, 'test');
  });

  async function signIn(claims: Parameters<TestProvider['signsIn']>[0]): Promise<Browser> {
    provider.signsIn(claims);
    const browser = createBrowser();
    await browser.follow(`${server.url}/v1/sign-in`);
    return browser;
  }
  const host = () => new URL(server.url).host;
  const me = async (browser: Browser) =>
    jsonOf<{ person: string; admin: boolean; csrf: string; projects: object[] }>(
      await browser.get(`${server.url}/v1/me`),
    );

  test('get a cookie for half a day, and the roles of their groups', async () => {
    provider.signsIn({
      sub: 'a1',
      email: 'ada@example.test',
      email_verified: true,
      name: 'Ada',
      groups: ['developers', 'choir'],
    });
    const browser = createBrowser();
    const begun = await browser.get(`${server.url}/v1/sign-in`);
    const address = new URL(begun.headers.get('location')!);
    expect([
      begun.status,
      address.origin,
      address.searchParams.get('code_challenge_method'),
    ]).toEqual([302, provider.issuer, 'S256']);
    let at = address.href;
    let last = begun;
    while (!last.headers.getSetCookie().some((line) => line.startsWith('__Host-unrut='))) {
      last = await browser.get(at);
      at = new URL(last.headers.get('location')!, at).href;
    }
    const cookie = last.headers.getSetCookie().find((line) => line.startsWith('__Host-unrut='))!;
    for (const word of ['Path=/', 'Secure', 'HttpOnly', 'SameSite=Lax', 'Max-Age=43200'])
      expect(cookie).toContain(word);
    expect(await me(browser)).toMatchObject({
      person: 'ada@example.test',
      admin: false,
      projects: [{ name: 'default', scopes: ['ingest', 'read'] }],
    });
    expect((await browser.get(`${server.url}/v1/sessions`)).status).toBe(200);
    expect((await browser.get(`${server.url}/v1/keys`)).status).toBe(403);
    const [person] = await server.organisations.of(1).people();
    expect(person).toMatchObject({
      person: 'ada@example.test',
      name: 'Ada',
      seen: expect.any(Number),
    });
  });

  test('change something only from our own pages', async () => {
    const browser = await signIn({ sub: 'b2', email: 'bob@example.test', groups: ['leads'] });
    const { csrf, admin } = await me(browser);
    expect(admin).toBe(true);
    const cookie = `__Host-unrut=${browser.cookies.get(`${host()} __Host-unrut`)}`;
    const post = (headers: Record<string, string>) =>
      ask(`${server.url}/v1/projects`, {
        body: JSON.stringify({ name: `by-${Object.keys(headers).length}` }),
        headers: { cookie, ...headers },
      });
    const own = { 'sec-fetch-site': 'same-origin', 'x-unrut-csrf': csrf };
    expect((await post({})).status).toBe(403);
    expect((await post({ 'x-unrut-csrf': csrf })).status).toBe(403);
    expect((await post({ 'sec-fetch-site': 'same-origin' })).status).toBe(403);
    expect((await post({ ...own, 'x-unrut-csrf': `${csrf}x` })).status).toBe(403);
    expect((await post({ ...own, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await post(own)).status).toBe(200);
    expect((await server.organisations.of(1).projects()).map(({ name }) => name)).toEqual([
      'default',
      'by-2',
    ]);
  });

  test('are out when they sign out, everywhere, and when their time is over', async () => {
    const browser = await signIn({ sub: 'c3', email: 'cleo@example.test', groups: ['developers'] });
    const { csrf } = await me(browser);
    const cookie = `__Host-unrut=${browser.cookies.get(`${host()} __Host-unrut`)}`;
    const look = () => ask(`${server.url}/v1/sessions`, { method: 'GET', headers: { cookie } });
    expect((await look()).status).toBe(200);
    const out = await ask(`${server.url}/v1/sign-out`, {
      headers: { cookie, 'sec-fetch-site': 'same-origin', 'x-unrut-csrf': csrf },
    });
    expect([out.status, String(out.headers['set-cookie'])]).toEqual([
      200,
      expect.stringContaining('Max-Age=0'),
    ]);
    expect((await look()).status).toBe(401);
    const actions = (await server.organisations.of(1).audit({ limit: 100 })).filter(
      ({ actor }) => actor === 'person:cleo@example.test',
    );
    expect(actions.map(({ action }) => action)).toEqual(['signed-out', 'signed-in']);
  });

  test('are not let in by an answer that was not begun here, or twice, or without a verified address', async () => {
    const stray = await createBrowser().get(`${server.url}/v1/sign-in/callback?code=x&state=y`);
    expect([stray.status, (await jsonOf<{ code: string }>(stray)).code]).toEqual([
      403,
      'not-signed-in',
    ]);
    provider.signsIn({ sub: 'd4', email: 'dan@example.test', groups: [] });
    const one = createBrowser();
    let at = `${server.url}/v1/sign-in`;
    while (!at.includes('/callback'))
      at = new URL((await one.get(at)).headers.get('location')!, at).href;
    // Another browser with the same address has not begun this sign-in.
    const other = createBrowser();
    await other.get(`${server.url}/v1/sign-in`);
    expect((await other.get(at)).status).toBe(403);
    expect((await other.get(`${server.url}/v1/me`)).status).toBe(401);
    const unverified = await signIn({
      sub: 'e5',
      email: 'ada@example.test',
      email_verified: false,
      groups: ['leads'],
    });
    expect((await unverified.get(`${server.url}/v1/me`)).status).toBe(401);
    expect(server.log.join('\n')).not.toContain('a-secret-of-the-client');
  });

  test('see the page that they wanted, or why they are not let in', async () => {
    provider.signsIn({ sub: 'a1', email: 'ada@example.test', groups: ['developers'] });
    const endOf = async (to: string) => {
      const browser = createBrowser();
      let at = `${server.url}/v1/sign-in?to=${encodeURIComponent(to)}`;
      while (!at.includes('/callback'))
        at = new URL((await browser.get(at)).headers.get('location')!, at).href;
      return (await browser.get(at)).headers.get('location');
    };
    expect(await endOf('/cost?since=7d')).toBe('/cost?since=7d');
    for (const elsewhere of [
      'https://evil.example/cost',
      '//evil.example/cost',
      '/\\\\evil.example',
      '/v1/sign-out',
      'javascript:alert(1)',
      `/cost?since=${'7'.repeat(1000)}`,
    ])
      expect([elsewhere, await endOf(elsewhere)]).toEqual([elsewhere, '/']);

    const asPerson = { headers: { accept: 'text/html' }, redirect: 'manual' } as const;
    const stray = await fetch(`${server.url}/v1/sign-in/callback?code=x&state=y`, asPerson);
    expect([stray.status, stray.headers.get('location')]).toEqual([302, '/?sign-in=not-begun']);
    provider.signsIn({ sub: 'e5', email: 'eve@example.test', email_verified: false, groups: [] });
    const unverified = createBrowser();
    let at = `${server.url}/v1/sign-in`;
    while (!at.includes('/callback'))
      at = new URL((await unverified.get(at)).headers.get('location')!, at).href;
    const refused = await jsonOf<{ detail: string }>(await unverified.get(at));
    expect(refused.detail).toContain('your email address is not verified');
  });

  test('without a role see who they are, and nothing else', async () => {
    const browser = await signIn({ sub: 'f6', email: 'finn@example.test', groups: ['choir'] });
    expect(await me(browser)).toMatchObject({ person: 'finn@example.test', projects: [] });
    expect((await browser.get(`${server.url}/v1/sessions`)).status).toBe(403);
    await server.organisations.of(1).setRole('finn@example.test', 1, 'viewer', 'test');
  });
});

describe('people whom a reverse proxy has signed in', () => {
  const FORWARDED = {
    'x-forwarded-user': 'ada',
    'x-forwarded-email': 'ada@example.test',
    'x-forwarded-groups': 'leads, choir',
  };
  const look = (url: string, path: string, headers: Record<string, string> = FORWARDED) =>
    ask(url + path, { method: 'GET', headers });

  test('are known where the proxy is trusted', async () => {
    const { url, organisations } = await organisationServer({
      UNRUT_TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.1',
    });
    await organisations.of(1).change({ groups: { leads: { role: 'admin' } } }, 'test');
    const { status, text } = await look(url, '/v1/me');
    expect([status, JSON.parse(text)]).toMatchObject([200, { person: 'ada', admin: true }]);
    expect(
      (await look(url, '/v1/sessions', { ...FORWARDED, 'x-forwarded-groups': 'choir' })).status,
    ).toBe(403);
    expect((await look(url, '/v1/sessions', {})).status).toBe(401);
    const { csrf } = JSON.parse(text);
    const post = (headers: Record<string, string>) =>
      ask(`${url}/v1/projects`, { body: '{"name":"shop"}', headers: { ...FORWARDED, ...headers } });
    expect((await post({})).status).toBe(403);
    expect((await post({ 'sec-fetch-site': 'same-origin', 'x-unrut-csrf': csrf })).status).toBe(
      200,
    );
  });

  test('are nobody where it is not: forged headers change nothing', async () => {
    const { url, organisations, addKey } = await organisationServer({
      UNRUT_TRUSTED_PROXIES: '10.0.0.0/8',
    });
    await organisations.of(1).change({ groups: { leads: { role: 'admin' } } }, 'test');
    expect((await look(url, '/v1/me')).status).toBe(401);
    const key = await addKey(1, { scopes: ['read'], person: 'bob' });
    const { text } = await look(url, '/v1/me', { ...FORWARDED, authorization: `Bearer ${key}` });
    expect(JSON.parse(text)).toMatchObject({ person: 'bob', admin: false });
    expect(
      (await look(url, '/v1/keys', { ...FORWARDED, authorization: `Bearer ${key}` })).status,
    ).toBe(403);
  });
});
