import type { GuardOptions } from '../guard.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { installationKey } from './installation-key.ts';
import type { Settings } from './settings.ts';

/** What `createGuard` takes. Makes the installation's key when there is none: for those who write to the ledger, not for those who only look. */
export function guardOptions({ guard, ledger }: Settings): GuardOptions {
  const key = installationKey(ledger.path);
  return key === undefined ? guard : { ...guard, key };
}

/** With the key that all who write to the ledger share, where it has one. */
export async function sharedGuardOptions(settings: Settings, ledger: Ledger): Promise<GuardOptions> {
  const key = await ledger.fingerprintKey?.();
  return key === undefined ? guardOptions(settings) : { ...settings.guard, key };
}
