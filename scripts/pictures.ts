import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { launchChromium } from '../test/browser/chromium.ts';
import { build, buildDashboard, root } from './build.ts';
import { drawRecording, recordCommands, recordingFile } from './recording.ts';

/**
 * Makes the pictures of the README from what the commands really show: a recording of the first
 * minutes and the report on the bundled example, and the demo of the dashboard. With `recording`,
 * only the recording, which needs no browser.
 */

const EXAMPLE = 'examples/stuck-on-a-test.jsonl';
const IMAGES = join(root, 'docs/images');
const MAX_BYTES = 200_000;
const WIDTH = 1280;

const command = ['packages/cli/src/main.ts'];
const scratch = mkdtempSync(join(tmpdir(), 'unrut-pictures-'));
const environment = { ...process.env, UNRUT_HOME: join(scratch, 'home') };

function scanReport(): string {
  const page = join(scratch, 'report.html');
  const { status, stderr } = spawnSync(
    process.execPath,
    [...command, 'scan', EXAMPLE, '--exit-zero', '--html', page],
    {
      cwd: root,
      env: environment,
      encoding: 'utf8' as const,
    },
  );
  if (status !== 0) throw new Error(`unrut scan: exit ${status}: ${stderr}`);
  return pathToFileURL(page).href;
}

async function startServer(): Promise<{ server: ChildProcess; url: string }> {
  const server = spawn(process.execPath, [...command, 'serve', '--demo', '--port', '0'], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'] as const,
  });
  const [said] = (await once(server.stdout!, 'data')) as [Buffer];
  const [url] = /http:\/\/[\d.:]+/.exec(said.toString()) ?? [];
  if (!url) throw new Error(`unrut serve: expected an address, got ${said}`);
  return { server, url };
}

async function take(page: Page, name: string, clip: { y: number; height: number }): Promise<void> {
  const path = join(IMAGES, `${name}.png`);
  await page.screenshot({
    path,
    clip: { x: 0, width: WIDTH, ...clip },
    fullPage: true,
    animations: 'disabled',
  });
  const { size } = statSync(path);
  if (size > MAX_BYTES) throw new Error(`${name}.png has ${size} bytes, at most ${MAX_BYTES}`);
  console.log(`Wrote docs/images/${name}.png (${Math.round(size / 1000)} KB).`);
}

mkdirSync(IMAGES, { recursive: true });
await build();
const recording = drawRecording(recordCommands(join(root, 'dist/cli.js')));
writeFileSync(recordingFile, recording);
console.log(`Wrote docs/images/first-minutes.svg (${Math.round(recording.length / 1000)} KB).`);
if (process.argv.includes('recording')) process.exit();
await buildDashboard(join(root, 'dist/dashboard'));
const { server, url } = await startServer();
const browser = await launchChromium();
try {
  const page = await browser.newPage({
    viewport: { width: WIDTH, height: 900 },
    colorScheme: 'light',
  });
  await page.goto(scanReport());
  const { y } = (await page.locator('article.run').first().boundingBox())!;
  const hint = (await page.locator('article.run ol li').nth(1).boundingBox())!;
  await take(page, 'scan-report', { y: y + 8, height: hint.y + hint.height - y - 14 });

  // Until the agent that takes no advice has been refused, and another is stuck.
  await page.goto(`${url}/?open=demo-1-1`);
  await page.locator('.pane .acts', { hasText: 'Asked a human' }).waitFor({ timeout: 120_000 });
  await page.waitForTimeout(4000);
  await take(page, 'dashboard', { y: 0, height: 620 });
} finally {
  await browser.close();
  server.kill();
  rmSync(scratch, { recursive: true, force: true });
}
