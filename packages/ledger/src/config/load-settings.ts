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

/** Where settings are looked for. Default: where this process is. */
export interface SettingsPlace {
  cwd?: string;
  home?: string;
  environment?: Readonly<Record<string, string | undefined>>;
  platform?: string;
}

/** Settings, and where they come from. */
export interface LoadedSettings {
  settings: Settings;
  /** What the files and variables say, without their wrong parts. */
  config: Config;
  /**
   * The file or variable that gave each value, by its key such as `detectors.cycle.laps`. What is
   * missing is a default.
   */
  sources: Readonly<Record<string, string>>;
  /** One line for each thing that could not be used; the rest is in force. */
  problems: string[];
  /** What the config's plugins add. */
  plugins: Required<Plugin>;
  /** The user's config file, there or not, and the project's, if there is one. */
  files: { user: string; project?: string };
}

/**
 * Reads the config of the user, of the project and of the environment, the last the strongest.
 * Never throws and never writes. Where it cannot be known whether Unrut may act (a file that cannot
 * be read, a wrong value of `shadow`), it only records; a wrong detector is off alone.
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
  // Only now are the names and options known that a plugin adds.
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

/** What the files and variables say, merged. */
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
 * `UNRUT_LEDGER` names a database, and is for people alone: no project's file may send what is
 * recorded elsewhere.
 */
function placeOf(path: string, variables: Machine['variables']): LedgerPlace {
  const address = ledgerIn(variables);
  if (address === undefined) return { path };
  return isPostgresUrl(address) ? { path, url: address } : { path: resolve(address) };
}

/**
 * With what a person has said since: switched off, nothing is done; and of a false alarm less is
 * made, or nothing.
 */
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

/** Of several files in one folder the first counts. */
function onlyOne([first, ...others]: readonly string[], problems: string[]): string | undefined {
  for (const file of others)
    problems.push(
      `${file}: ignored, because ${basename(first!)} is in the same folder. Keep one of them.`,
    );
  return first;
}
