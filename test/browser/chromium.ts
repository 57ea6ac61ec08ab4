import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { APT_TIMEOUT, fromDebian } from '../from-debian.ts';

/**
 * Debian's `chromium` comes first, since it is what gets installed. `CHROMIUM` names another one.
 */
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
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
export const LAUNCH_TIMEOUT: number = APT_TIMEOUT;

/**
 * The path of Chromium. Installs it for root; otherwise throws an error that says what to install.
 */
export const installedChromium = (): string =>
  fromDebian(
    'chromium',
    () => process.env.CHROMIUM || PLACES.find((path) => existsSync(path)),
    'set CHROMIUM to its path',
  );

/** A headless Chromium without background requests. Close it when done. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: installedChromium(), args: FLAGS });
}
