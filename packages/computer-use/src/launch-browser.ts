import { existsSync } from 'node:fs';
import { UnrutError } from '@unrut/engine/errors';
import { importPeer } from '@unrut/ledger/import-peer';
import type { Browser } from 'playwright-core';

/** How a browser is started. */
export interface LaunchOptions {
  headed?: boolean;
  /** Address of a proxy on 127.0.0.1 for all traffic, including traffic to this machine. */
  proxy?: string;
}

/** Usual paths of Chromium. The variable `CHROMIUM` overrides them. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Disables what would bypass a proxy: WebRTC, HTTP/3 and DNS lookups. */
const ALL_THROUGH_PROXY = [
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
];

/** Starts Chromium. Throws a one-line error if it is not installed. */
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
    // As root, which is usual in containers, Chromium does not start with its sandbox.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ...(proxy === undefined ? [] : ALL_THROUGH_PROXY),
  ];
  try {
    return await chromium.launch({
      headless: !headed,
      args,
      // The runner handles the signal: it ends the run and saves its result.
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
