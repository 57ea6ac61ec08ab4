import { dirname, join } from 'node:path';
import { ledgerPath } from '../ledger/sqlite/ledger-path.ts';
import type { Config } from './config.ts';
import { readEnvironment } from './environment.ts';
import { fileLayer, refuse } from './file-layer.ts';
import { CONFIG_FILES, configFilesIn, findProjectConfig, userConfigFolder } from './find-config.ts';
import { type Layer, mergeLayers } from './layers.ts';
import { isCode } from './read-config-file.ts';
import { configSchema, type Schema } from './schema.ts';
import type { Settings } from './settings.ts';
import { toSettings } from './to-settings.ts';
import { inHome, isTrusted, withoutTrust } from './trust.ts';

/** Where settings are looked for. */
export interface SettingsPlace {
  cwd: string;
  home: string;
  environment: Readonly<Record<string, string | undefined>>;
  platform?: NodeJS.Platform;
}

/** Settings, and where they come from. */
export interface LoadedSettings {
  settings: Settings;
  /** What the files and variables say, without their wrong parts. */
  config: Config;
  /** The file or variable that gave each value, by its key such as `detectors.cycle.laps`. What is missing is a default. */
  sources: Readonly<Record<string, string>>;
  /** One line for each thing that could not be used; the rest is in force. */
  problems: string[];
  /** The user's config file, there or not, and the project's, if there is one. */
  files: { user: string; project?: string };
}

/**
 * Reads the config of the user, of the project and of the environment, the last the strongest. Never throws and never writes.
 * Where it cannot be known whether Unrut may act (a file that cannot be read, a wrong value of `shadow`), it only records.
 */
export function loadSettings(place: SettingsPlace): LoadedSettings {
  const { cwd, home, environment, platform = process.platform } = place;
  const machine = { home, variables: environment, platform };
  const problems: string[] = [];
  let made: Schema | undefined;
  const schema = (): Schema => (made ??= configSchema());

  const userFolder = userConfigFolder(machine);
  const [user, ...besideUser] = configFilesIn(userFolder);
  const [project, ...besideProject] = findProjectConfig(cwd, home).filter((file) => file !== user);
  for (const file of [...besideUser, ...besideProject])
    problems.push(`${file}: it is left out, as there is another config beside it. Keep one.`);

  const ofUser = user === undefined ? [] : [fileLayer(user, schema(), problems)];
  const ofEnvironment = readEnvironment(environment, schema, problems);
  const { trust = [] } = mergeLayers([...ofUser, ...ofEnvironment]).config;
  const userFile = user ?? join(userFolder, CONFIG_FILES[0]!);
  const ofProject =
    project === undefined ? [] : [projectLayer(project, schema(), isTrusted(dirname(project), trust, home), userFile, problems)];

  const { config, sources } = mergeLayers([...ofUser, ...ofProject, ...ofEnvironment]);
  const settings = toSettings(config, ledgerPathOf(), (key, what) => {
    const from = new Set(
      Object.keys(sources)
        .filter((each) => each.startsWith(`${key}.`))
        .map((each) => sources[each]),
    );
    problems.push(`${[...from].join(', ')}: ${key}: ${what}.`);
  });
  return { settings, config, sources, problems, files: { user: userFile, ...(project === undefined ? {} : { project }) } };

  function ledgerPathOf(): string {
    const { path } = config.ledger ?? {};
    const source = sources['ledger.path'];
    return path === undefined ? ledgerPath(machine) : inHome(path, home, source === user || source === project ? dirname(source!) : cwd);
  }
}

/** What a project says, as far as the user trusts it. */
function projectLayer(file: string, schema: Schema, trusted: boolean, userFile: string, problems: string[]): Layer {
  const how = `add ${JSON.stringify(dirname(file))} to trust in ${userFile}`;
  if (isCode(file) && !trusted)
    return refuse(file, `a project's program is run only if you trust the project: ${how}, or use JSON`, problems);
  const layer = fileLayer(file, schema, problems);
  const { values, refused } = withoutTrust(layer.values, trusted);
  for (const key of refused)
    problems.push(
      `${file}: ${key}: ${key === 'trust' ? `it counts in ${userFile} only` : `it counts only if you trust the project: ${how}`}.`,
    );
  return { ...layer, values };
}
