import { realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';

/** What a project may say only when the user trusts it: it runs something, writes somewhere, or allows what cannot be undone. */
const TRUSTED_KEYS: readonly string[] = ['notify', 'ledger', 'allow'];

/** Whether a folder is one of those that the user trusts, or inside one. */
export function isTrusted(folder: string, trusted: readonly string[], home: string): boolean {
  return trusted.some((each) => {
    const way = relative(realPath(inHome(each, home)), realPath(folder));
    return way === '' || (!/^\.\.(?:[\\/]|$)/.test(way) && !isAbsolute(way));
  });
}

/** The path that `~` or a relative path means. */
export const inHome = (path: string, home: string, from: string = home): string =>
  /^~(?:[\\/]|$)/.test(path) ? join(home, path.slice(1)) : resolve(from, path);

/** What of a project's config counts without trust, and the keys that do not. `trust` itself is the user's alone. */
export function withoutTrust(values: object, trusted: boolean): { values: object; refused: string[] } {
  const refused = Object.keys(values).filter((key) => key === 'trust' || (!trusted && TRUSTED_KEYS.includes(key)));
  return { values: Object.fromEntries(Object.entries(values).filter(([key]) => !refused.includes(key))), refused };
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
