import { homedir } from 'node:os';
import { loadSettings } from '@unrut/ledger/config/load-settings';
import type { Organisations } from '@unrut/ledger/organisation';
import { openPostgres } from '@unrut/postgres/open-postgres';
import { createOrganisations } from '@unrut/postgres/organisation/organisations';
import { type AppOptions, createApp } from '@unrut/server/create-app';
import { makeKey } from '@unrut/server/keys';
import { createLog } from '@unrut/server/log';
import { openOrganisations } from '@unrut/server/organisation/open-organisations';
import { startServer } from '@unrut/server/start-server';
import { afterAll } from 'vitest';
import { newFolder } from '../ledger-files.ts';
import type { TestDatabase } from './databases.ts';
import { sharedDatabases } from './fleet-databases.ts';

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

export const SECRET = 'the-secret-of-all-servers-of-these-tests';

export interface OrganisationServer {
  url: string;
  database: TestDatabase;
  organisations: Organisations;
  /** Lines of its log so far. */
  log: string[];
  /** Adds a key, and gives what its owner knows. */
  addKey(
    org: number,
    about: {
      scopes: ('ingest' | 'read' | 'admin')[];
      project?: number;
      person?: string;
      name?: string;
      quota?: object;
    },
  ): Promise<string>;
}

/**
 * A server for organisations in this process, on a database of its own. It is closed after the
 * tests of the file.
 */
export async function organisationServer(
  environment: Record<string, string> = {},
  options: Partial<AppOptions> & { database?: TestDatabase; port?: number } = {},
): Promise<OrganisationServer> {
  const { database = await sharedDatabases().newDatabase(), port = 0, ...more } = options;
  const postgres = openPostgres({ url: database.server });
  closing.push(() => postgres.close());
  const folder = newFolder();
  const settings = () => loadSettings({ cwd: folder, home: homedir(), environment: {} });
  const organisations = await openOrganisations({
    postgres,
    settings,
    environment: { UNRUT_SECRET: SECRET, ...environment },
    publicUrl: more.publicUrl,
  });
  const log: string[] = [];
  const app = createApp({
    ledger: postgres.ledger({ org: 1 }),
    settingsIn: () => ({ guard: {} }),
    loopbackOnly: true,
    version: '0.0.0',
    needsKey: true,
    organisations,
    rate: 10_000_000,
    log: createLog({ write: (line) => void log.push(line) }),
    onClose: (close) => void closing.push(close),
    ...more,
  });
  const server = await startServer({ app, host: '127.0.0.1', port });
  closing.push(server.close);
  const store = createOrganisations(postgres.database);
  return {
    url: server.url,
    database,
    organisations: store,
    log,
    async addKey(org, { scopes, ...about }) {
      const { key, stored } = makeKey({ name: '', scopes }, Date.now());
      await store.of(org).addKey({ ...stored, ...about }, 'test');
      return key;
    },
  };
}
