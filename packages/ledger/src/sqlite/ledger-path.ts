import { posix, win32 } from 'node:path';
import type { Machine } from '@unrut/engine/machine';

/**
 * Platform folders for data and config: the variable that names the folder, otherwise a path in the
 * home.
 */
const FOLDERS = {
  state: {
    windows: ['LOCALAPPDATA', 'AppData', 'Local'],
    others: ['XDG_STATE_HOME', '.local', 'state'],
  },
  config: { windows: ['APPDATA', 'AppData', 'Roaming'], others: ['XDG_CONFIG_HOME', '.config'] },
} as const;

/** The user's folder for our files: `UNRUT_HOME`, otherwise the platform's. */
export function userFolder(
  { home, variables, platform }: Machine,
  kind: keyof typeof FOLDERS,
): string {
  const { join, isAbsolute } = platform === 'win32' ? win32 : posix;
  const own = variables.UNRUT_HOME?.trim();
  if (own) return own;
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'unrut');
  const [variable, ...usual] = FOLDERS[kind][platform === 'win32' ? 'windows' : 'others'];
  const named = variables[variable]?.trim();
  // The XDG rules ignore relative paths.
  return join(named && isAbsolute(named) ? named : join(home, ...usual), 'unrut');
}

/** The path of the user's ledger. */
export const ledgerPath = (machine: Machine): string =>
  (machine.platform === 'win32' ? win32 : posix).join(userFolder(machine, 'state'), 'ledger.db');
