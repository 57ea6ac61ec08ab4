/**
 * `npm run bench:fleet-memory [-- sessions events]`: resident memory of one server while it records
 * sessions of three organisations, one organisation after the other.
 */
import { openPostgres } from '@unrut/postgres';
import { addOrganisation, createOrganisations } from '@unrut/postgres/organisation/organisations';
import { makeKey } from '@unrut/server/keys';
import { eventOf } from '../../test/fleet/load.ts';
import { startPostgres } from '../../test/fleet/postgres.ts';
import { startUnrut } from './programs.ts';

const [sessions = 1000, events = 40] = process.argv.slice(2).map(Number);
const ORGANISATIONS = ['one', 'two', 'three'];
/** Sessions of a request. */
const TOGETHER = 20;
const megabytes = (bytes: number): string => `${Math.round(bytes / (1 << 20))} MB`;

process.env.UNRUT_SECRET = 'the-secret-of-the-servers-of-a-bench';
const postgres = await startPostgres();
const database = await postgres.newDatabase();
const owner = openPostgres({ url: database.owner });
const server = await startUnrut(database.server);

async function memory(key: string): Promise<string> {
  const metrics = await fetch(`${server.url}/metrics`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const kept = /^unrut_sessions_in_memory_bytes (\d+)/m.exec(await metrics.text())![1];
  return `${megabytes(server.memory())} resident, ${megabytes(Number(kept))} of them for sessions`;
}

try {
  console.log(`${sessions} sessions of ${events} events in each organisation`);
  const organisations = createOrganisations(owner.database);
  for (const name of ORGANISATIONS) {
    const org = await addOrganisation(owner.database, name);
    const { key, stored } = makeKey({ name, scopes: ['ingest', 'read'] }, Date.now());
    await organisations.of(org).addKey({ ...stored }, 'bench');
    if (name === ORGANISATIONS[0]) console.log(`at first: ${await memory(key)}`);
    for (let from = 0; from < sessions; from += TOGETHER)
      for (let i = 0; i < events; i++) await send(key, from, i);
    console.log(`after ${name}: ${await memory(key)}`);
  }
} finally {
  server.kill();
  await owner.close();
  await postgres.remove();
}

/** The same event of some sessions. */
async function send(key: string, from: number, i: number): Promise<void> {
  const body = Array.from({ length: TOGETHER }, (_, n) => eventOf(`s${from + n}`, from + n, i));
  const { status } = await fetch(`${server.url}/v1/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (status !== 200) throw new Error(`The server answered ${status}.`);
}
