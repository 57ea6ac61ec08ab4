import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UnrutError } from '@unrut/engine/errors';

/**
 * Creates a folder if necessary, and checks that it is empty or holds an earlier run, so that no
 * other files are overwritten.
 */
export async function claimFolder(folder: string): Promise<void> {
  let names: string[];
  try {
    await mkdir(folder, { recursive: true });
    names = await readdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UnrutError(
      'unwritable',
      `[computer-use] Cannot use the folder ${folder}: ${code}. Choose another with --out.`,
      {
        cause: error,
      },
    );
  }
  if (names.length === 0 || (await holdsRun(folder))) return;
  // Paired runs have folders of their own.
  if (names.includes('1-on') && (await holdsRun(join(folder, '1-on')))) return;
  throw new UnrutError(
    'usage',
    `[computer-use] The folder ${folder} contains files that are not from an earlier run. Choose an empty or new folder with --out.`,
  );
}

async function holdsRun(folder: string): Promise<boolean> {
  try {
    const held = JSON.parse(await readFile(join(folder, 'trajectory.json'), 'utf8'));
    return held?.version === 1 && Array.isArray(held.trajectory);
  } catch {
    return false;
  }
}
