import { UnrutError } from '@unrut/engine/errors';
import type { StoredKey } from '@unrut/ledger/api-key';
import { openLedger } from '@unrut/ledger/open-ledger';
import { isPostgresUrl } from '@unrut/ledger/postgres-address';
import { readLedger } from '@unrut/ledger/views/read-ledger';
import { openPostgres } from '@unrut/postgres/open-postgres';
import { addOrganisation, createOrganisations } from '@unrut/postgres/organisation/organisations';
import { usageError } from './exit.ts';
import { DRIVERS } from './ledger-drivers.ts';

/** A key for a list, with its owner if there are organisations. */
export interface ListedKey extends StoredKey {
  project?: string;
  person?: string;
}

/** Where keys are. */
export interface KeyPlace {
  add(key: ListedKey): Promise<void>;
  list(): Promise<ListedKey[]>;
  revoke(id: string): Promise<boolean>;
  close(): Promise<void>;
}

/** The fields that exist only in a database. */
export interface KeyOwner {
  org: string | undefined;
  /** An organisation to be added first. */
  newOrg: string | undefined;
}

/** Opens the place of keys at a path or an address. */
export function openKeyPlace(address: string, owner: KeyOwner): Promise<KeyPlace> {
  if (isPostgresUrl(address)) return inDatabase(address, owner);
  if (owner.org !== undefined || owner.newOrg !== undefined) throw usageError(ONLY_POSTGRES);
  return Promise.resolve(inFile(address));
}

const ONLY_POSTGRES =
  '--org, --new-org, --project and --person need a ledger in Postgres (UNRUT_LEDGER=postgres://…).';
const BY_COMMAND = 'cli';

const inFile = (path: string): KeyPlace => ({
  async add(key) {
    if (key.project !== undefined || key.person !== undefined) throw usageError(ONLY_POSTGRES);
    const ledger = await openLedger(path, DRIVERS);
    try {
      await ledger.keys!.add(key);
    } finally {
      await ledger.close();
    }
  },
  list: () => readLedger(path, DRIVERS, async ({ keys }) => (await keys?.list()) ?? []),
  revoke: (id) =>
    readLedger(path, DRIVERS, async ({ keys }) => (await keys?.revoke(id, Date.now())) ?? false),
  close: async () => undefined,
});

/**
 * The errors of Postgres if an organisation cannot be added: missing rights, or a name that is
 * taken.
 */
const NOT_ADDED: Readonly<Record<string, (name: string) => string>> = {
  '42501': () =>
    '--new-org needs the role that owns the tables: name the file with its address, such as UNRUT_LEDGER_FILE=owner.url.',
  '23505': (name) => `There is an organisation ${name} already: use --org ${name}.`,
};

async function added(
  database: Parameters<typeof addOrganisation>[0],
  name: string,
): Promise<number> {
  try {
    return await addOrganisation(database, name);
  } catch (error) {
    const why = NOT_ADDED[(error as { code?: string }).code ?? ''];
    throw why ? new UnrutError('no-organisation', why(name), { cause: error }) : error;
  }
}

async function inDatabase(
  url: string,
  { org: name = 'default', newOrg }: KeyOwner,
): Promise<KeyPlace> {
  const postgres = openPostgres({ url });
  const organisations = createOrganisations(postgres.database);
  try {
    const org =
      newOrg === undefined
        ? await organisations.named(name)
        : await added(postgres.database, newOrg);
    if (org === undefined)
      throw new UnrutError(
        'no-organisation',
        `There is no organisation ${name}. Add it with unrut key add --new-org ${name}.`,
      );
    const store = organisations.of(org);
    return {
      async add({ project: wanted, ...key }) {
        const project = (await store.projects()).find((each) => each.name === wanted)?.project;
        if (wanted !== undefined && project === undefined)
          throw new UnrutError(
            'no-project',
            `There is no project ${wanted}. Add it on the page Organisation, or with POST /v1/projects.`,
          );
        await store.addKey({ ...key, project }, BY_COMMAND);
      },
      async list() {
        const projects = await store.projects();
        return (await store.keys()).map(({ org: _, project, ...key }) => ({
          ...key,
          project: projects.find((each) => each.project === project)?.name,
        }));
      },
      revoke: (id) => store.revokeKey(id, Date.now(), BY_COMMAND),
      close: postgres.close,
    };
  } catch (error) {
    await postgres.close();
    throw error;
  }
}
