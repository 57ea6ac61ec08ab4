import type { OrganisationStore, Organisations } from '@unrut/ledger/organisation';
import { createPostgresLedger } from '@unrut/postgres';
import { createOrganisations } from '@unrut/postgres/organisation/organisations';
import { makeKey } from '@unrut/server/keys';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, type TestDatabase } from './databases.ts';
import { sharedDatabases } from './fleet-databases.ts';
import { addOrganisation } from './organisations.ts';

const SECRET = 'a-secret-of-all-servers';

describe('an organisation in Postgres', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let organisations: Organisations;
  let store: OrganisationStore;
  let other: OrganisationStore;
  beforeAll(async () => {
    database = await sharedDatabases().newDatabase();
    pool = new pg.Pool({ connectionString: database.server });
    organisations = createOrganisations(pool);
    store = organisations.of(1);
    other = organisations.of(await addOrganisation(database.owner, 'other'));
  });
  afterAll(() => pool.end());

  const deeds = async (of: OrganisationStore): Promise<string[]> =>
    (await of.audit({ limit: 100 })).map(({ action }) => action);

  test('has projects with names of their own', async () => {
    const shop = (await store.addProject('shop', { repo: 'shop' }, 'cli'))!;
    expect(await store.addProject('shop', {}, 'cli')).toBeUndefined();
    expect(await store.changeProject(shop.project, { days: 3 }, 'cli')).toBe(true);
    expect(await other.changeProject(shop.project, { days: 4 }, 'cli')).toBe(false);
    expect(await store.projects()).toMatchObject([
      { name: 'default' },
      { name: 'shop', settings: { days: 3 } },
    ]);
    expect(await other.projects()).toMatchObject([{ project: 1, name: 'default' }]);
  });

  test('has keys that are found by their ids alone, and revoked by nobody else', async () => {
    const { stored } = makeKey(
      { name: 'ci', scopes: ['ingest', 'read'], expires: 2_000_000_000_000 },
      1_794_800_000_000,
    );
    await store.addKey({ ...stored, project: 1, person: 'ada', quota: { events: 5 } }, 'cli');
    expect(await organisations.key(stored.id)).toEqual({
      ...stored,
      org: 1,
      project: 1,
      person: 'ada',
      quota: { events: 5 },
    });
    expect(await organisations.key('000000000000')).toBeUndefined();
    expect(await organisations.key("' OR true --")).toBeUndefined();
    await store.keyUsed(stored.id, 1_794_800_001_000);
    expect(await other.keys()).toEqual([]);
    expect(await other.revokeKey(stored.id, 1, 'cli')).toBe(false);
    expect(await store.revokeKey(stored.id, 1_794_800_002_000, 'cli')).toBe(true);
    expect(await store.revokeKey(stored.id, 1_794_800_003_000, 'cli')).toBe(false);
    expect(await store.keys()).toMatchObject([
      { lastUsed: 1_794_800_001_000, revoked: 1_794_800_002_000 },
    ]);
  });

  test('has people with roles, and their sign-ins end', async () => {
    await store.setRole('bob', 1, 'member', 'cli');
    await store.setRole('bob', 1, 'admin', 'cli');
    await store.setRole('bob', 0, 'viewer', 'cli');
    await store.addSignIn(
      'c0ffee',
      { person: 'bob', groups: ['a'], csrf: 'x', expires: 2_000_000_000_000 },
      { name: 'Bob' },
    );
    expect(await organisations.signIn('c0ffee')).toEqual({
      org: 1,
      person: 'bob',
      groups: ['a'],
      csrf: 'x',
      expires: 2_000_000_000_000,
    });
    expect(await store.person('bob')).toMatchObject({
      name: 'Bob',
      seen: expect.any(Number),
      roles: [
        { project: 0, role: 'viewer' },
        { project: 1, role: 'admin' },
      ],
    });
    await store.setRole('bob', 0, undefined, 'cli');
    expect((await store.people()).find(({ person }) => person === 'bob')?.roles).toEqual([
      { project: 1, role: 'admin' },
    ]);
    await other.endSignIn('c0ffee', 'cli');
    expect(await organisations.signIn('c0ffee')).toBeDefined();
    await store.endSignIn('c0ffee', 'person:bob');
    expect(await organisations.signIn('c0ffee')).toBeUndefined();
    expect(await other.people()).toEqual([]);
  });

  test('writes down what is done, page by page; nobody can change that', async () => {
    for (let i = 0; i < 5; i++)
      await other.audited({ actor: 'cli', action: `deed-${i}`, project: i % 2 });
    const first = await other.audit({ limit: 3 });
    const last = first.at(-1)!;
    const rest = await other.audit({ limit: 3, before: last });
    expect([...first, ...rest].map(({ action }) => action).sort()).toEqual([
      'deed-0',
      'deed-1',
      'deed-2',
      'deed-3',
      'deed-4',
      'organisation-added',
    ]);
    expect(
      (await other.audit({ limit: 9, projects: [1] })).map(({ action }) => action).sort(),
    ).toEqual(['deed-1', 'deed-3']);
    expect(await deeds(store)).toEqual(
      expect.arrayContaining([
        'project-added',
        'project-changed',
        'key-added',
        'key-revoked',
        'role-set',
        'signed-in',
        'signed-out',
      ]),
    );
    for (const sql of [
      "UPDATE unrut.audit SET actor = 'me'",
      'DELETE FROM unrut.audit',
      'TRUNCATE unrut.audit',
    ])
      await expect(query(database.server, sql)).rejects.toThrow('permission denied');
  });

  test('has one key for its fingerprints, which the secret opens', async () => {
    const [one, two] = await Promise.all([
      store.fingerprintKey(SECRET),
      store.fingerprintKey(SECRET),
    ]);
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(two).toBe(one);
    expect(await other.fingerprintKey(SECRET)).not.toBe(one);
    await expect(store.fingerprintKey('another-secret')).rejects.toThrow('cannot open the key');
    const ledger = createPostgresLedger({ url: database.server });
    await expect(ledger.fingerprintKey!()).rejects.toThrow(
      'UNRUT_SECRET is not set, and is needed to open the key of organisation 1.',
    );
    await ledger.close();
    const kept = await query<{ key: Buffer }>(
      database.superuser,
      'SELECT key FROM unrut.organisations WHERE org = 1',
    );
    expect(kept[0]!.key.toString('latin1')).not.toContain(one);
  });

  test('knows how many servers there are', async () => {
    expect(await organisations.serverSeen('a')).toBe(1);
    expect(await organisations.serverSeen('b')).toBe(2);
    expect(await organisations.serverSeen('a')).toBe(2);
    await query(
      database.superuser,
      "UPDATE unrut.servers SET seen = now() - interval '2 minutes' WHERE server = 'b'",
    );
    expect(await organisations.serverSeen('a')).toBe(1);
  });
});
