import type { GuardOptions } from '@unrut/engine/guard';
import type { Prices } from '@unrut/reading/prices';
import type { LedgerPlace } from '../open-ledger.ts';
import type { Said } from '../people/said.ts';
import type { StallLimits } from '../reports/stall.ts';
import type { Retention } from '../sqlite/retention.ts';

/** The presets that a config can start from. */
export type PresetName = 'recommended' | 'strict' | 'observe';

/** Whom to notify of an escalation. */
export interface NotifySettings {
  /** A command line for the shell, or a program and its arguments. */
  command?: string | string[];
  /** An address that takes JSON with a `text`. */
  webhook?: string;
  /** A desktop notification. Default: shown if there is a desktop. */
  desktop?: boolean;
}

/** The settings in force, with all defaults filled in. */
export interface Settings {
  preset: PresetName;
  /** Record only. */
  shadow: boolean;
  /** Whether a user can be asked; undefined: as the host reports. */
  attended?: boolean;
  /** Checked options for `createGuard`, without the key, which `guardOptions` adds. */
  guard: Omit<GuardOptions, 'key'>;
  notify?: NotifySettings;
  /** When a session counts as stalled. */
  stall: StallLimits;
  /** Prices by model name, used if the host reports no cost. */
  prices?: Prices;
  /** Whether hooks may leave a process running that answers later hooks. */
  companion: boolean;
  /** What the user has switched off, and the false alarms that they have reported. */
  said: Said;
  ledger: LedgerPlace & { retention?: Retention };
}
