import type { GuardOptions } from '@unrut/engine/guard';
import type { Prices } from '@unrut/reading/prices';
import type { LedgerPlace } from '../open-ledger.ts';
import type { Said } from '../people/said.ts';
import type { StallLimits } from '../reports/stall.ts';
import type { Retention } from '../sqlite/retention.ts';

/** The names of the presets that a config can begin from. */
export type PresetName = 'recommended' | 'strict' | 'observe';

/** Who is notified of an escalation. */
export interface NotifySettings {
  /** A command line for the shell, or a program and its arguments. */
  command?: string | string[];
  /** An address that takes JSON with a `text`. */
  webhook?: string;
  /** A notification on the desktop. Missing: where there is one. */
  desktop?: boolean;
}

/** What is in force, with every default filled in. */
export interface Settings {
  preset: PresetName;
  /** Record only. */
  shadow: boolean;
  /** Somebody can be asked; missing: the host's word counts. */
  attended?: boolean;
  /** For `createGuard`, checked, but for the key: `guardOptions` adds it. */
  guard: Omit<GuardOptions, 'key'>;
  notify?: NotifySettings;
  /** When a session counts as stalled. */
  stall: StallLimits;
  /** What models cost, by name, where nobody reports it. */
  prices?: Prices;
  /** Hooks may leave a process behind that answers the next ones. */
  companion: boolean;
  /** What a person has switched off, and called a false alarm. */
  said: Said;
  ledger: LedgerPlace & { retention?: Retention };
}
