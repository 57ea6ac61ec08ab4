import type { Detector } from '@unrut/engine/detectors/detector';
import type { Rung } from '@unrut/engine/event';
import type { BudgetOptions } from '@unrut/engine/policy/spending';
import type { ShippedPreset } from '@unrut/engine/presets';
import type { Recovery } from '@unrut/engine/recoveries/recovery';
import type { ToolDeclaration } from '@unrut/engine/tools/profile';
import type { TrialOptions } from '@unrut/engine/trial';
import type { Prices } from '@unrut/reading/prices';
import type { Retention } from '../sqlite/retention.ts';
import type { NotifySettings, PresetName } from './settings.ts';

/** Detectors or recoveries by name: off, on, or on with changed options. */
type Pieces<Piece extends { name: string; options: object }, More> = {
  readonly [Each in Piece as Each['name']]?: boolean | (Partial<Each['options']> & More);
};

/** The content of a config file. `unrut.schema.json` describes every key. */
export interface Config {
  preset?: PresetName;
  shadow?: boolean;
  trial?: TrialOptions;
  attended?: boolean;
  budget?: BudgetOptions;
  prices?: Prices;
  /** `rungs`: the first and the highest rung of the detector's ladder. */
  detectors?: Pieces<
    ShippedPreset['detectors'][number],
    { rungs?: { first?: Rung; highest?: Rung } }
  >;
  recoveries?: Pieces<ShippedPreset['recoveries'][number], object>;
  skip?: readonly Rung[];
  /** Modules with detectors and recoveries of your own: paths, or names of packages. */
  plugins?: readonly string[];
  /** By tool name. */
  tools?: Readonly<Record<string, ToolDeclaration>>;
  allow?: readonly string[];
  notify?: NotifySettings;
  /** Minutes after which a session counts as stalled. 0: never. */
  stall?: { call?: number; silence?: number };
  companion?: boolean;
  ledger?: { path?: string; retention?: Retention };
  trust?: readonly string[];
}

/** What a plugin adds: the default export of a module listed in `plugins`. */
export interface Plugin {
  detectors?: readonly Detector[];
  recoveries?: readonly Recovery[];
}

/** Identity function that types a plugin: `export default definePlugin({ … })`. */
export const definePlugin = (plugin: Plugin): Plugin => plugin;

/** Identity function that types `unrut.config.ts`: `export default defineConfig({ … })`. */
export const defineConfig = (config: Config): Config => config;
