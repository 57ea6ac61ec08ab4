import { openPostgres } from '@unrut/postgres/open-postgres';
import { createOrganisations } from '@unrut/postgres/organisation/organisations';
import { makeKey } from '@unrut/server/keys';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyBody, anyQuery, createSender, everyRoute } from '../server/any-bytes.ts';
import { sharedDatabases } from './fleet-databases.ts';
import { SECRET } from './organisation-server.ts';
import { startFleetServer } from './servers.ts';

const routes = everyRoute(true);

test('a server for organisations answers any bytes and any query to any route in bounds of time and memory, and the next request', async () => {
  const database = await sharedDatabases().newDatabase();
  const postgres = openPostgres({ url: database.server });
  const { key, stored } = makeKey({ name: '', scopes: ['admin', 'ingest', 'read'] }, Date.now());
  await createOrganisations(postgres.database).of(1).addKey(stored, 'test');
  await postgres.close();
  const { url, pid } = await startFleetServer({
    ledger: database.server,
    env: { UNRUT_SECRET: SECRET },
  });
  const send = createSender({ url, pid, headers: { authorization: `Bearer ${key}` } });

  const changing = routes.filter(({ method }) => method !== 'GET');
  expect(changing.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/v1/projects', '/v1/people', '/v1/forget', '/v1/organisation']),
  );
  await fc.assert(
    fc.asyncProperty(anyBody(changing), async (sent) => {
      expect([200, 400, 403, 404, 413, 415, undefined]).toContain((await send(sent))?.status);
    }),
    { numRuns: 15, endOnFailure: true },
  );
  await fc.assert(
    fc.asyncProperty(anyQuery(routes.filter(({ method }) => method === 'GET')), async (sent) => {
      expect([200, 302, 303, 400, 401, 403, 404, 431, 501]).toContain((await send(sent))?.status);
    }),
    { numRuns: 60, endOnFailure: true },
  );
});
