import { posix, win32 } from 'node:path';
import type { Machine } from '../../machine.ts';

/** Where the ledger of a machine's user lives: in `UNRUT_HOME`, else where the platform keeps what programs remember. */
export function ledgerPath({ home, variables, platform }: Machine): string {
  const { join, isAbsolute } = platform === 'win32' ? win32 : posix;
  const own = variables.UNRUT_HOME?.trim();
  if (own) return join(own, 'ledger.db');
  /** The XDG rules ignore a relative path, and so do we. */
  const named = (variable: string): string | undefined => {
    const path = variables[variable]?.trim();
    return path && isAbsolute(path) ? path : undefined;
  };
  const folder =
    platform === 'win32'
      ? (named('LOCALAPPDATA') ?? join(home, 'AppData', 'Local'))
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : (named('XDG_STATE_HOME') ?? join(home, '.local', 'state'));
  return join(folder, 'unrut', 'ledger.db');
}
