import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** For a hook that may have to install something. */
export const APT_TIMEOUT = 600_000;

/** Where a program is: in the PATH, or where Debian puts those of the administrator. */
export function programInPath(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

/**
 * The path that `find` returns. If there is none, installs the packages for root; otherwise throws
 * an error that says what to install.
 */
export function fromDebian<T>(packages: string, find: () => T | undefined, otherwise = ''): T {
  const found = find();
  if (found !== undefined) return found;
  const command = `apt-get update && apt-get install -y --no-install-recommends ${packages}`;
  const missing = `These tests need ${packages}. Run as root: ${command}${otherwise && `; or ${otherwise}`}.`;
  if (process.getuid?.() !== 0) throw new Error(missing);
  // Test files run at the same time, and apt allows only one of itself: the others wait, then have
  // nothing to install.
  const script = `apt-get install -y --no-install-recommends ${packages} || { ${command}; }`;
  const { status, error, stdout, stderr } = spawnSync(
    'flock',
    [join(tmpdir(), 'unrut-apt.lock'), 'sh', '-c', script],
    {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      encoding: 'utf8',
    },
  );
  const installed = find();
  if (installed !== undefined) return installed;
  throw new Error(
    `${missing} It was tried: ${error?.message ?? `exit ${status}\n${stdout}${stderr}`.trim()}`,
  );
}
