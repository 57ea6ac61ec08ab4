import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import type { DetectorsAnswer, SessionsAnswer, StatusAnswer } from '@unrut/server/api/answers';
import { afterEach, describe, expect, test } from 'vitest';
import { bundledPrograms } from '../bundled-programs.ts';
import { LOOPING } from '../hosts/looping-host.ts';
import { newFolder } from '../ledger-files.ts';
import { type Listening, listen } from './listen.ts';
import { ask } from './request.ts';

const { cli, hook } = bundledPrograms();
const ending: (() => unknown)[] = [];
afterEach(() => {
  for (const end of ending.splice(0)) end();
});

/** `unrut serve` as people start it. */
async function serve(home: string | Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [cli, 'serve', '--port', '0', ...args], {
    env: { ...process.env, ...(typeof home === 'string' ? { UNRUT_HOME: home } : home) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  ending.push(() => child.kill('SIGKILL'));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const first = await new Promise<string>((resolve) => {
    child.stdout.on('data', (data: Buffer) => resolve(data.toString()));
  });
  const [url = ''] = /http:\/\/[^,\s]+/.exec(first) ?? [];
  const json = async <T>(path: string): Promise<T> =>
    JSON.parse((await ask(url + path, { method: 'GET' })).text) as T;
  return { child, ended, first, url, json };
}

/** One hook of an agent, told by a process of its own. */
function runHook(home: string, n: number): void {
  const input = JSON.stringify({ ...LOOPING['claude-code'].before(n), session_id: 'hooked' });
  spawnSync(process.execPath, [hook], { input, env: { ...process.env, UNRUT_HOME: home } });
}

describe('unrut serve', () => {
  test('with --log json says in JSON where it listens', async () => {
    const { first, url } = await serve(newFolder(), '--log', 'json');
    expect(JSON.parse(first)).toMatchObject({
      level: 'info',
      event: 'listening',
      detail: expect.stringContaining(`Listening on ${url},`),
    });
  });

  test('with --trial draws sessions for its arms, whatever the settings say', async () => {
    const { url, json } = await serve(newFolder(), '--trial', '100%');
    const payload = { ...LOOPING['claude-code'].before(1), session_id: 'drawn', cwd: newFolder() };
    await ask(`${url}/v1/hooks/claude-code`, { body: JSON.stringify(payload) });
    expect(await json('/v1/trial')).toMatchObject({ trials: [{ trial: '100%', recorded: 1 }] });
  });

  test('shows what hook processes record while it runs, and what was recorded before', async () => {
    const home = newFolder();
    runHook(home, 1);
    const { url, json } = await serve(home);
    const listening: Listening = await listen(`${url}/v1/stream?session=hooked`);
    ending.push(listening.close);
    expect((await json<SessionsAnswer>('/v1/sessions')).sessions).toMatchObject([
      { session: 'hooked', host: 'claude-code' },
    ]);
    runHook(home, 2);
    await listening.until(({ messages }) => messages.length > 0);
    expect(JSON.parse(listening.messages[0]!.data!)).toMatchObject({
      session: 'hooked',
      text: 'is about to call npm test',
    });
    expect((await json<DetectorsAnswer>('/v1/detectors')).detectors.length).toBeGreaterThan(20);
    expect(await json<StatusAnswer>('/v1/status')).toMatchObject({ running: false, run: null });
  });

  test('plays recorded sessions into a ledger of its own, which goes with it', async () => {
    const [home, scratch] = [newFolder(), newFolder()];
    const { child, ended, json } = await serve({ UNRUT_HOME: home, TMPDIR: scratch }, '--demo');
    const seen = async (): Promise<string[]> => {
      const { sessions } = await json<SessionsAnswer>('/v1/sessions?limit=1000');
      return sessions.flatMap(({ state, loops, outcomes }) => [
        state,
        ...(outcomes.recovered > 0 ? ['recovered'] : []),
        `loops ${loops > 0}`,
      ]);
    };
    await expect
      .poll(seen, { timeout: 60_000 })
      .toEqual(expect.arrayContaining(['looping', 'ended', 'recovered', 'loops false']));
    await expect
      .poll(async () => (await json<{ runs: object[] }>('/v1/runs')).runs, { timeout: 30_000 })
      .toHaveLength(1);
    const ledgers = (): string[] =>
      readdirSync(scratch).filter((name) => name.startsWith('unrut-demo-'));
    expect(ledgers()).toHaveLength(1);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect([readdirSync(home).filter((name) => name.startsWith('ledger')), ledgers()]).toEqual([
      [],
      [],
    ]);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'ends with its streams and runs on %s',
    async (signal) => {
      const { child, ended, url } = await serve(newFolder(), '--cua-hosts', 'localhost:1');
      const listening = await listen(`${url}/v1/stream`);
      const body = JSON.stringify({
        url: 'http://localhost:1/',
        task: 'Wait.',
        brain: { kind: 'scripted', script: [] },
      });
      expect((await ask(`${url}/v1/cua`, { body })).status).toBe(202);
      child.kill(signal);
      await listening.ended;
      expect(await ended).toBe(0);
    },
  );

  test('continues after a crash with all that it had answered', async () => {
    const home = newFolder();
    const first = await serve(home);
    const told = (n: number) => ({
      body: JSON.stringify({
        type: 'user-spoke',
        session: `s${n}`,
        at: 1_794_800_000_000 + n,
        id: 'e',
      }),
    });
    for (let n = 0; n < 5; n++)
      expect((await ask(`${first.url}/v1/events`, told(n))).status).toBe(200);
    first.child.kill('SIGKILL');
    await first.ended;
    const { json } = await serve(home);
    expect((await json<SessionsAnswer>('/v1/sessions')).total).toBe(5);
    const ledger = createSqliteLedger({ path: join(home, 'ledger.db') });
    expect(await ledger.entries()).toHaveLength(5);
    await ledger.close();
  });

  test('tells what it takes', () => {
    const { stdout, status } = spawnSync(process.execPath, [cli, 'serve', '--help'], {
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    for (const option of [
      '--port',
      '--host',
      '--token',
      '--public-url',
      '--rate',
      '--cua-hosts',
      '--cua-runs',
    ])
      expect(stdout).toContain(option);
  });
});
