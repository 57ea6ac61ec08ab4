import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UnrutError } from '@unrut/engine/errors';
import { errorReason } from '@unrut/engine/redact/reason';

const unwritable = (file: string, why: string): UnrutError =>
  new UnrutError(
    'unwritable',
    `Cannot write ${file}: ${why}. Expected a file in a folder that exists.`,
  );

/** Throws if a page cannot be written, before everything is read. */
export function checkPageFile(file: string): void {
  attempt(file, () => {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats?.isDirectory()) throw unwritable(file, 'it is a folder');
    accessSync(stats ? file : `${dirname(file)}/.`, constants.W_OK);
  });
}

/** Writes a page. Throws in one line when that is not possible. */
export function writePageFile(file: string, page: string): void {
  attempt(file, () => writeFileSync(file, page));
}

function attempt(file: string, what: () => void): void {
  try {
    what();
  } catch (error) {
    throw error instanceof UnrutError ? error : unwritable(file, errorReason(error));
  }
}
