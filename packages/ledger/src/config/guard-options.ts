import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { GuardOptions } from '@unrut/engine/guard';
import type { Ledger } from '../ledger.ts';
import type { Settings } from './settings.ts';

/**
 * What `createGuard` takes. Makes the installation's key when there is none: for those who write to
 * the ledger, not for those who only look.
 */
export function guardOptions({ guard, ledger }: Settings): GuardOptions {
  const key = installationKey(ledger.path);
  return key === undefined ? guard : { ...guard, key };
}

/** With the key that all who write to the ledger share, where it has one. */
export async function sharedGuardOptions(
  settings: Settings,
  ledger: Ledger,
): Promise<GuardOptions> {
  const key = await ledger.fingerprintKey?.();
  return key === undefined ? guardOptions(settings) : { ...settings.guard, key };
}

/**
 * The key of this installation's fingerprints, next to its ledger: made once, at random. Nothing
 * when it can neither be read nor made.
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
