import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { GuardOptions } from '@unrut/engine/guard';
import type { Ledger } from '../ledger.ts';
import type { Settings } from './settings.ts';

/**
 * The options for `createGuard`. Creates the installation's key if it is missing, so only writers
 * to the ledger should call it.
 */
export function guardOptions({ guard, ledger }: Settings): GuardOptions {
  const key = installationKey(ledger.path);
  return key === undefined ? guard : { ...guard, key };
}

/** Adds the fingerprint key that all writers to the ledger share, if the ledger has one. */
export async function sharedGuardOptions(
  settings: Settings,
  ledger: Ledger,
): Promise<GuardOptions> {
  const key = await ledger.fingerprintKey?.();
  return key === undefined ? guardOptions(settings) : { ...settings.guard, key };
}

/**
 * The fingerprint key of this installation: a random key in a file next to the ledger. Undefined if
 * it can be neither read nor created.
 */
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

/** If several processes create the key at once, one wins: creating a link is atomic. */
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
    // Another process was faster, or the folder is not writable.
  }
  return readKey(file);
}
