import type { Rung } from '../event.ts';
import type { Retention } from '../ledger/sqlite/retention.ts';
import type { ToolDeclaration } from '../tools/profile.ts';
import type { NotifySettings, PresetName } from './settings.ts';

/** Options of a detector or recovery that are changed. */
export interface PieceConfig {
  [option: string]: unknown;
  /** Detectors only: where its ladder begins and ends. */
  rungs?: { first?: Rung; highest?: Rung };
}

/** What a config file says. `unrut.schema.json` describes every key. */
export interface Config {
  preset?: PresetName;
  shadow?: boolean;
  attended?: boolean;
  /** By name: off, on, or on with some options changed. */
  detectors?: Readonly<Record<string, boolean | PieceConfig>>;
  /** By name: off, on, or on with some options changed. */
  recoveries?: Readonly<Record<string, boolean | PieceConfig>>;
  skip?: readonly Rung[];
  /** By tool name. */
  tools?: Readonly<Record<string, ToolDeclaration>>;
  allow?: readonly string[];
  notify?: NotifySettings;
  companion?: boolean;
  ledger?: { path?: string; retention?: Retention };
  trust?: readonly string[];
}
