import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The key of this installation's fingerprints, beside its ledger: made once, at random. Nothing when it can neither be read nor made. */
export function installationKey(ledgerPath: string): string | undefined {
  const file = join(dirname(ledgerPath), 'key');
  return readKey(file) ?? makeKey(file);
}

function readKey(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Of several that make it at once one succeeds, whole: a link is made at once or not at all. */
function makeKey(file: string): string | undefined {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
    try {
      linkSync(draft, file);
    } finally {
      unlinkSync(draft);
    }
  } catch {
    // Somebody else was faster, or nothing can be written here.
  }
  return readKey(file);
}
