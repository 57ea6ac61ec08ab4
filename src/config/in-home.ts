import { join, resolve } from 'node:path';

/** The path that a text with `~`, or a relative one, means. */
export const inHome = (path: string, home: string, from: string): string =>
  /^~(?:[\\/]|$)/.test(path) ? join(home, path.slice(1)) : resolve(from, path);
