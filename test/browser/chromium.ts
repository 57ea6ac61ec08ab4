import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** Debian's `chromium` comes first: it is what is installed when there is none. `CHROMIUM` names another. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const INSTALL = 'apt-get update && apt-get install -y --no-install-recommends chromium';
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** For a hook that launches Chromium: the first time it may have to be installed. */
export const LAUNCH_TIMEOUT = 600_000;

function findChromium(): string | undefined {
  const { CHROMIUM } = process.env;
  return CHROMIUM || PLACES.find((path) => existsSync(path));
}

/** Where Chromium is. Root gets it installed; anybody else an error that says what to install. */
export function installedChromium(): string {
  const found = findChromium();
  if (found) return found;
  if (process.getuid?.() !== 0) throw new Error(`These tests need Chromium. Run as root: ${INSTALL}; or set CHROMIUM to its path.`);
  // Test files run at the same time, and apt allows only one of itself: the others wait, then find it there.
  const script = `test -x ${PLACES[0]} || { ${INSTALL}; }`;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, error, stdout, stderr } = spawnSync('flock', [join(tmpdir(), 'unrut-chromium.lock'), 'sh', '-c', script], {
    env,
    encoding: 'utf8',
  });
  const installed = findChromium();
  if (installed) return installed;
  throw new Error(`Chromium could not be installed with ${INSTALL}: ${error?.message ?? `exit ${status}\n${stdout}${stderr}`.trim()}`);
}

/** A headless Chromium that calls nobody by itself. Close it when done. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: installedChromium(), args: FLAGS });
}
