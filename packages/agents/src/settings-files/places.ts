import { posix, win32 } from 'node:path';
import type { Machine } from '@unrut/engine/machine';
import type { Order } from './order.ts';

/** Joins path segments with the platform's separator. */
export const joinOn = ({
  platform,
}: Pick<Machine, 'platform'>): ((...parts: string[]) => string) =>
  platform === 'win32' ? win32.join : posix.join;

export const isAbsoluteOn = ({ platform }: Pick<Machine, 'platform'>, path: string): boolean =>
  (platform === 'win32' ? win32 : posix).isAbsolute(path);

/** The path in a variable, if it is set. */
export const placeVariable = (
  { variables }: Pick<Machine, 'variables'>,
  name: string,
): string | undefined => variables[name]?.trim() || undefined;

/** A folder in the home, unless a variable names another. */
export const settingsFolder = (at: Machine, variable: string, ...parts: string[]): string =>
  placeVariable(at, variable) ?? joinOn(at)(at.home, ...parts);

/** The path of settings in the user's folder or in the project. */
export const settingsPath = (
  { scope, at }: Order,
  ofUser: (at: Machine) => string,
  inProject: string,
  ...file: string[]
): string =>
  scope === 'user' ? joinOn(at)(ofUser(at), ...file) : joinOn(at)(at.project, inProject, ...file);

/** The folder that contains the folders of VS Code and derived editors. */
export function editorsFolder(at: Machine): string {
  if (at.platform === 'win32') return settingsFolder(at, 'APPDATA', 'AppData', 'Roaming');
  return at.platform === 'darwin'
    ? joinOn(at)(at.home, 'Library', 'Application Support')
    : configFolder(at);
}

export const configFolder = (at: Machine): string =>
  settingsFolder(at, 'XDG_CONFIG_HOME', '.config');
export const dataFolder = (at: Machine): string =>
  settingsFolder(at, 'XDG_DATA_HOME', '.local', 'share');
