/**
 * The time from a key press to the next paint of the dashboard, with 5 and with 1,000 sessions, on
 * a CPU slowed down to a quarter:
 *
 *     node bench/dashboard-input/main.ts
 *
 * Prints both medians and their ratio, which must stay below 1.5.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from '@unrut/ledger/config/load-settings';
import { createRecorder } from '@unrut/ledger/recorder';
import { createSqliteLedger } from '@unrut/ledger/sqlite/create-sqlite-ledger';
import { openReading } from '@unrut/server/api/reading';
import { createApp } from '@unrut/server/create-app';
import { startServer } from '@unrut/server/start-server';
import { buildDashboard } from '../../scripts/build.ts';
import { launchChromium } from '../../test/browser/chromium.ts';

const KEYS = 30;
const SLOWED = 4;

/** Sessions of five steps each; every seventh loops. */
async function seed(
  path: string,
  sessions: number,
): Promise<ReturnType<typeof createSqliteLedger>> {
  const ledger = createSqliteLedger({ path });
  const recorder = createRecorder(ledger);
  for (let i = 0; i < sessions; i++) {
    const at = Date.now() - i * 1000;
    const events = Array.from({ length: 5 }, (_, step) => ({
      type: 'call-finished' as const,
      session: `session-${i}`,
      at: at - 5000 + step * 1000,
      call: {
        id: `c${step}`,
        tool: 'Read',
        args: { file_path: i % 7 === 0 ? 'same.ts' : `${step}.ts` },
      },
      result: i % 7 === 0 ? 'same' : `export const part = ${step * 7919};`,
    }));
    await recorder.record(events, {
      origin: { host: ['codex', 'claude-code'][i % 2]!, folder: `project-${i % 9}` },
    });
  }
  return ledger;
}

async function measure(dashboard: string, folder: string, sessions: number): Promise<number> {
  const path = join(folder, `${sessions}.db`);
  const ledger = await seed(path, sessions);
  const reading = openReading(ledger);
  const app = createApp({
    ledger,
    dashboard,
    loopbackOnly: true,
    version: '0.0.0',
    settingsIn: () => ({ guard: {} }),
    reads: {
      reading,
      settings: () => loadSettings({ cwd: folder, home: folder, environment: {} }),
    },
  });
  const server = await startServer({ app, host: '127.0.0.1', port: 0 });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(server.url);
    await page.locator('tbody tr').first().waitFor();
    const client = await page.context().newCDPSession(page);
    await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
    await page.evaluate(`window.took = []; new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.name === 'keydown') took.push(entry.duration);
    }).observe({ type: 'event', durationThreshold: 16, buffered: false })`);
    for (let i = 0; i < KEYS; i++) {
      await page.keyboard.press(i % 10 < 5 ? 'j' : 'k');
      await page.waitForTimeout(250);
    }
    const took = ((await page.evaluate('took')) as number[]).sort((one, other) => one - other);
    return took[Math.floor(took.length / 2)] ?? 16;
  } finally {
    await browser.close();
    await server.close();
    reading.close();
    await ledger.close();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'unrut-bench-input-'));
try {
  const dashboard = join(folder, 'dashboard');
  await buildDashboard(dashboard);
  const [few, many] = [await measure(dashboard, folder, 5), await measure(dashboard, folder, 1000)];
  console.log(
    `key to next paint, processor ${SLOWED} times slowed: 5 sessions ${few} ms, 1,000 sessions ${many} ms, ratio ${(many / few).toFixed(2)}`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
