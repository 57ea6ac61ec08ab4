import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { present } from '@unrut/engine/json';
import type { Machine } from '@unrut/engine/machine';
import type { LedgerPlace } from '../open-ledger.ts';
import { forgivenIn, offFor, readSaid } from '../people/said.ts';
import { isPostgresUrl } from '../postgres-address.ts';
import { ledgerPath } from '../sqlite/ledger-path.ts';
import { addressProblems, ledgerIn } from './addresses.ts';
import type { Config, Plugin } from './config.ts';
import { readEnvironment } from './environment.ts';
import { fileLayer } from './file-layer.ts';
import {
  CONFIG_FILES,
  configFilesIn,
  findProjectConfig,
  inHome,
  userConfigFolder,
} from './find-config.ts';
import { mergeLayers } from './layers.ts';
import { loadPlugins } from './plugins.ts';
import { UNTIL_FIXED } from './problem-line.ts';
import { projectLayer } from './project-layer.ts';
import { configSchema, schemaWith } from './schema.ts';
import type { Settings } from './settings.ts';
import { toSettings } from './to-settings.ts';
import { withinBudget } from './within-budget.ts';

/** Where to look for settings. Default: the current process's folder and environment. */
export interface SettingsPlace {
  cwd?: string;
  home?: string;
  environment?: Readonly<Record<string, string | undefined>>;
  platform?: string;
}

/** Settings, and where they come from. */
export interface LoadedSettings {
  settings: Settings;
  /** The merged settings of files and variables, without invalid parts. */
  config: Config;
  /**
   * The file or variable that set each value, by key, such as `detectors.cycle.laps`. Values that
   * are not listed are defaults.
   */
  sources: Readonly<Record<string, string>>;
  /** One line for each setting that could not be used; all other settings are in force. */
  problems: string[];
  /** The detectors and recoveries of plugins. */
  plugins: Required<Plugin>;
  /**
   * The path of the user's config file, even if it does not exist, and of the project's, if it has
   * one.
   */
  files: { user: string; project?: string };
}

/**
 * Loads the settings of the user, the project and the environment; later ones win. Never throws and
 * never writes. If it is uncertain whether Unrut may act (an unreadable file, an invalid value of
 * `shadow`), it only records. An invalid detector setting turns off only that detector.
 */
export function loadSettings(place: SettingsPlace = {}): LoadedSettings {
  const {
    cwd = process.cwd(),
    home = homedir(),
    environment = process.env,
    platform = process.platform,
  } = place;
  const machine = { home, variables: environment, platform };
  try {
    return load(cwd, machine);
  } catch (error) {
    const config = { shadow: true };
    const problems = [
      `Cannot read the settings: ${(error as Error).message}. ${UNTIL_FIXED} Unrut runs in record-only mode.`,
    ];
    return {
      settings: toSettings(config, placeOf(ledgerPath(machine), environment), () => {}),
      config,
      sources: {},
      problems,
      plugins: { detectors: [], recoveries: [] },
      files: { user: '' },
    };
  }
}

function load(cwd: string, machine: Machine): LoadedSettings {
  const { home, variables: environment } = machine;
  const folderOf = (key: string, { sources }: Read): string =>
    sources[key]?.startsWith('UNRUT_') ? cwd : dirname(sources[key] ?? '');

  const first = read(cwd, machine);
  const unusable: string[] = [];
  const plugins = loadPlugins(first.config.plugins ?? [], folderOf('plugins', first), (what) =>
    unusable.push(`${first.sources.plugins}: plugins: ${what}`),
  );
  // The names and options that plugins add are known only after loading them.
  const found = hasAny(plugins) ? read(cwd, machine, schemaWith(plugins)) : first;
  const { config, sources, files } = found;
  const problems = [...unusable, ...found.problems];
  const path =
    config.ledger?.path === undefined
      ? ledgerPath(machine)
      : inHome(config.ledger.path, home, folderOf('ledger.path', found));
  const settings = toSettings(
    config,
    placeOf(path, environment),
    (key, what) => {
      const givers = Object.keys(sources)
        .filter((each) => each.startsWith(`${key}.`))
        .map((each) => sources[each]);
      problems.push(`${[...new Set(givers)].join(', ')}: ${what}`);
    },
    plugins,
  );
  return { settings: withSaid(settings, cwd), config, sources, problems, plugins, files };
}

type Read = Pick<LoadedSettings, 'config' | 'problems' | 'files'> & {
  sources: Record<string, string>;
};

/** The merged settings of files and variables. */
function read(cwd: string, machine: Machine, schema = configSchema()): Read {
  const { home, variables: environment } = machine;
  const problems = addressProblems(environment);

  const userFolder = userConfigFolder(machine);
  const userFile = onlyOne(configFilesIn(userFolder), problems);
  const projectFiles = findProjectConfig(cwd, home).filter((file) => dirname(file) !== userFolder);
  const project = onlyOne(projectFiles, problems);
  const user = userFile ?? join(userFolder, CONFIG_FILES[0]!);

  const ofUser = userFile === undefined ? [] : [fileLayer(userFile, problems, schema)];
  const ofEnvironment = readEnvironment(environment, problems);
  const { trust = [], budget } = mergeLayers([...ofUser, ...ofEnvironment]).config;
  const trusted = { trust, home, user };
  const ofProject =
    project === undefined
      ? []
      : [withinBudget(projectLayer(project, trusted, problems, schema), budget, problems)];

  const { config, sources } = mergeLayers([...ofUser, ...ofProject, ...ofEnvironment]);
  if (environment.UNRUT_HOME?.trim()) sources['ledger.path'] ??= 'UNRUT_HOME';
  const files = { user, ...present({ project }) };
  return { config, sources, problems, files };
}

const hasAny = ({ detectors, recoveries }: Required<Plugin>): boolean =>
  detectors.length + recoveries.length > 0;

/**
 * `UNRUT_LEDGER` names a database. Only the environment can set it: a project file must not
 * redirect recorded data.
 */
function placeOf(path: string, variables: Machine['variables']): LedgerPlace {
  const address = ledgerIn(variables);
  if (address === undefined) return { path };
  return isPostgresUrl(address) ? { path, url: address } : { path: resolve(address) };
}

/** Applies what the user has switched off and the false alarms that they have reported. */
function withSaid(settings: Settings, folder: string): Settings {
  const said = readSaid(settings.ledger.path, Date.now());
  if (Object.values(said).every((all) => all.length === 0)) return settings;
  const shadow = settings.shadow || offFor(said, folder) !== undefined;
  return {
    ...settings,
    said,
    guard: { ...settings.guard, shadow, forgiven: forgivenIn(said, folder) },
  };
}

/** If a folder has several config files, only the first is used. */
function onlyOne([first, ...others]: readonly string[], problems: string[]): string | undefined {
  for (const file of others)
    problems.push(
      `${file}: ignored, because ${basename(first!)} is in the same folder. Keep one of them.`,
    );
  return first;
}
