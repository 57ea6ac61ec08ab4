import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import type { AgentEvent } from '../src/event.ts';
import { momentsOf, tracesIn } from '../src/testing/trace.ts';
import { launchChromium } from '../test/browser/chromium.ts';
import { buildDashboard, root } from './build.ts';

/** Makes the pictures of the README from what the commands really show for the bundled example. */

const EXAMPLE = 'examples/stuck-on-a-test.jsonl';
const IMAGES = join(root, 'docs/images');
const MAX_BYTES = 200_000;
const WIDTH = 1280;

const command = ['src/cli/main.ts'];
const scratch = mkdtempSync(join(tmpdir(), 'unrut-pictures-'));
const environment = { ...process.env, UNRUT_HOME: join(scratch, 'home') };

const recorded = readFileSync(join(root, EXAMPLE), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as AgentEvent);

function scanReport(): string {
  const page = join(scratch, 'report.html');
  const { status, stderr } = spawnSync(process.execPath, [...command, 'scan', EXAMPLE, '--exit-zero', '--html', page], {
    ...{ cwd: root, env: environment, encoding: 'utf8' as const },
  });
  if (status !== 0) throw new Error(`unrut scan: exit ${status}: ${stderr}`);
  return pathToFileURL(page).href;
}

async function startServer(): Promise<{ server: ChildProcess; url: string }> {
  const server = spawn(process.execPath, [...command, 'serve', '--port', '0'], {
    ...{ cwd: root, env: environment, stdio: ['ignore', 'pipe', 'inherit'] as const },
  });
  const [said] = (await once(server.stdout!, 'data')) as [Buffer];
  const [url] = /http:\/\/[\d.:]+/.exec(said.toString()) ?? [];
  if (!url) throw new Error(`unrut serve: expected an address, got ${said}`);
  return { server, url };
}

async function post(url: string, body: unknown): Promise<string> {
  const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${url}: ${response.status} ${text}`);
  return text;
}

interface Session {
  host: 'claude-code' | 'codex';
  id: string;
  folder: string;
  events: AgentEvent[];
  ended?: boolean;
}

/** Runs of several agents: one is stuck on its tests, one on a search, one works, and two are done. */
function sessions(): Session[] {
  const calls = (from: number, to: number): AgentEvent[] =>
    recorded.filter((event) => 'call' in event && inside(Number(event.call.id.replace('call_', '')), from, to));
  const asked = recorded.slice(0, 1);
  const search = readFileSync(join(root, 'src/detectors/near-repeat/README.md'), 'utf8');
  const searching = tracesIn(search).find(({ name }) => name === 'paraphrased-search')!;
  return [
    { host: 'claude-code', id: '5d20b7f4', folder: 'web-app', events: [...asked, ...calls(1, 6), ...calls(13, 15)], ended: true },
    { host: 'claude-code', id: '81c4e6aa', folder: 'billing', events: [...asked, ...calls(1, 9), ...calls(13, 15)], ended: true },
    { host: 'claude-code', id: 'b09f7d13', folder: 'docs-site', events: [...asked, ...calls(1, 5)] },
    { host: 'codex', id: '01a1e164', folder: 'search-api', events: momentsOf(searching.lines).flatMap(({ events }) => events) },
    { host: 'claude-code', id: 'f3a1c09e', folder: 'shop', events: [...asked, ...calls(1, 10)] },
  ];
}

const inside = (value: number, from: number, to: number): boolean => value >= from && value <= to;

/** Reports a session as the hooks of a coding agent do. A call that is blocked does not run. */
async function report(url: string, { host, id, folder, events, ended }: Session): Promise<void> {
  const send = (payload: object): Promise<string> =>
    post(`${url}/v1/hooks/${host}`, { session_id: id, cwd: `/home/dev/${folder}`, permission_mode: 'default', ...payload });
  const blocked = new Set<string>();
  for (const event of events) {
    const payload = 'call' in event && blocked.has(event.call.id) ? null : hookPayload(host, event);
    const answer = payload ? await send(payload) : '';
    if ('call' in event && answer.includes('"deny"')) blocked.add(event.call.id);
  }
  if (ended) await send({ hook_event_name: 'SessionEnd', reason: 'done' });
}

function hookPayload(host: Session['host'], event: AgentEvent): object | null {
  if (event.type === 'user-spoke') return { hook_event_name: 'UserPromptSubmit', prompt: event.text };
  if (event.type !== 'call-proposed' && event.type !== 'call-finished') return null;
  const call = { tool_name: event.call.tool, tool_input: event.call.args, tool_use_id: event.call.id };
  if (event.type === 'call-proposed') return { hook_event_name: 'PreToolUse', ...call };
  if (event.exitCode) return { hook_event_name: 'PostToolUseFailure', ...call, error: `Exit code ${event.exitCode}\n${event.result}` };
  const isShell = host === 'claude-code' && call.tool_name === 'Bash';
  return { hook_event_name: 'PostToolUse', ...call, tool_response: isShell ? { stdout: event.result, stderr: '' } : event.result };
}

async function take(page: Page, name: string, clip: { y: number; height: number }): Promise<void> {
  const path = join(IMAGES, `${name}.png`);
  await page.screenshot({ path, clip: { x: 0, width: WIDTH, ...clip }, fullPage: true, animations: 'disabled' });
  const { size } = statSync(path);
  if (size > MAX_BYTES) throw new Error(`${name}.png has ${size} bytes, at most ${MAX_BYTES}`);
  console.log(`Wrote docs/images/${name}.png (${Math.round(size / 1000)} KB).`);
}

mkdirSync(IMAGES, { recursive: true });
await buildDashboard(join(root, 'dist/dashboard'));
const { server, url } = await startServer();
const browser = await launchChromium();
try {
  const page = await browser.newPage({ viewport: { width: WIDTH, height: 900 }, colorScheme: 'light' });
  await page.goto(scanReport());
  const { y } = (await page.locator('article.run').first().boundingBox())!;
  const hint = (await page.locator('article.run ol li').nth(1).boundingBox())!;
  await take(page, 'scan-report', { y: y + 8, height: hint.y + hint.height - y - 14 });

  for (const session of sessions()) await report(url, session);
  await page.goto(url);
  await page.getByText('search-api').first().waitFor();
  const last = (await page.getByText('web-app').first().boundingBox())!;
  await take(page, 'dashboard', { y: 0, height: last.y - 20 });
} finally {
  await browser.close();
  server.kill();
  rmSync(scratch, { recursive: true, force: true });
}
