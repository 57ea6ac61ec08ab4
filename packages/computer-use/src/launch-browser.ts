import { existsSync } from 'node:fs';
import { UnrutError } from '@unrut/engine/errors';
import { importPeer } from '@unrut/ledger/import-peer';
import type { Browser } from 'playwright-core';

/** How a browser is started. */
export interface LaunchOptions {
  headed?: boolean;
  /**
   * Address of a proxy on 127.0.0.1 that everything goes through, what is on this machine included.
   */
  proxy?: string;
}

/** A Chromium that the machine has; `CHROMIUM` names another. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * What would go past a proxy: calls between browsers, HTTP/3, and asking for names, which the proxy
 * does.
 */
const ALL_THROUGH_PROXY = [
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
];

/** Starts a Chromium. Throws in one line when there is none. */
export async function launchBrowser({
  headed = false,
  proxy,
}: LaunchOptions = {}): Promise<Browser> {
  const { chromium } = await importPeer<typeof import('playwright-core')>(
    'playwright-core',
    'computer-use',
    'playwright-core fast-png',
  );
  const executablePath = process.env.CHROMIUM || PLACES.find((path) => existsSync(path));
  const args = [
    // Chromium refuses to run as root with its sandbox, as in most containers.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ...(proxy === undefined ? [] : ALL_THROUGH_PROXY),
  ];
  try {
    return await chromium.launch({
      headless: !headed,
      args,
      // Whoever runs it ends the run first, and keeps what was done.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      ...(executablePath ? { executablePath } : {}),
      ...(proxy === undefined ? {} : { proxy: { server: proxy, bypass: '<-loopback>' } }),
    });
  } catch (error) {
    const why = (error as Error).message.split('\n', 1)[0];
    throw new UnrutError(
      'no-browser',
      `[computer-use] Cannot start a browser: ${why}. Install Chromium, or set CHROMIUM to its path.`,
      {
        cause: error,
      },
    );
  }
}
