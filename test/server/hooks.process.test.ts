import { spawn, spawnSync } from 'node:child_process';
import { request } from 'node:http';
import { join } from 'node:path';
import { answerHook } from '@unrut/agents/hook/answer-hook';
import type { HostName } from '@unrut/agents/hosts';
import type { Ledger } from '@unrut/ledger/ledger';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { type AppOptions, createApp } from '@unrut/server/create-app';
import { startServer } from '@unrut/server/start-server';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { bundledPrograms } from '../bundled-programs.ts';
import { fixturesOf, HOSTS, type Payload, payloadsIn } from '../hosts/hook-process.ts';
import { LOOPING } from '../hosts/looping-host.ts';
import { newFolder, newPath } from '../ledger-files.ts';
import { ask } from './request.ts';

const { cli, hook } = bundledPrograms();
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

async function serve(
  path: string,
  options: Partial<AppOptions> = {},
): Promise<{ url: string; ledger: Ledger }> {
  const ledger = createSqliteLedger({ path });
  const app = createApp({
    ledger,
    settingsIn: () => ({ guard: {} }),
    loopbackOnly: true,
    version: '0.0.0',
    ...options,
  });
  const { url, close } = await startServer({ app, host: '127.0.0.1', port: 0 });
  closing.push(close, ledger.close);
  return { url, ledger };
}

describe('where a person reads more', () => {
  const told = async (options: Partial<AppOptions>): Promise<string> => {
    const { url } = await serve(newPath(), options);
    const { before, after } = LOOPING['claude-code'];
    const answers: string[] = [];
    for (let i = 1; i < 5; i++)
      for (const payload of [before(i), ...after(i)])
        answers.push(
          (await ask(`${url}/v1/hooks/claude-code`, { body: JSON.stringify(payload) })).text,
        );
    return answers.join('\n');
  };

  test('is the page of the session if others reach the server', async () => {
    const text = await told({ publicUrl: 'https://unrut.example', loopbackOnly: false });
    expect(text).toMatch(/\(https:\/\/unrut\.example\/session\?id=[\w-]+\)/);
    expect(text).not.toContain('unrut show');
  });

  test('are the commands on the machine of the ledger: the twin', async () => {
    expect(await told({})).toMatch(
      /\((?:npx )?unrut show [\w-]+; wrong\? (?:npx )?unrut false-alarm\)/,
    );
  });
});

/** The program itself, as agents and people meet it. */
const start = (home: string, ...args: string[]) => {
  const child = spawn(process.execPath, [cli, 'serve', ...args], {
    env: { ...process.env, UNRUT_HOME: home },
    stdio: 'pipe',
  });
  closing.push(async () => void child.kill('SIGKILL'));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const url = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (data: Buffer) =>
      resolve(/http:\/\/[^,\s]+/.exec(data.toString())![0]),
    );
    child.stderr.on('data', (data: Buffer) => reject(new Error(data.toString())));
  });
  return { child, ended, url };
};

const tell = async (
  url: string,
  host: HostName,
  payload: Payload,
  query = '',
): Promise<unknown> => {
  const { status, text } = await ask(`${url}/v1/hooks/${host}${query}`, {
    body: JSON.stringify(payload),
  });
  expect(status, text).toBe(200);
  return text.startsWith('{') ? JSON.parse(text) : text;
};

/** Seven tries of a command that always fails, as a host tells of them; refusals are not heeded. */
const loopOf = (host: HostName): Payload[] =>
  [1, 2, 3, 4, 5, 6, 7].flatMap((n) => [LOOPING[host].before(n), ...LOOPING[host].after(n)]);

/** What the program answers, where nothing is an empty object. */
const said = (stdout: string): unknown =>
  stdout === '' ? {} : stdout.startsWith('{') ? JSON.parse(stdout) : stdout;

/** What a hook process answers. */
function runHook(home: string, payload: Payload): unknown {
  // Over HTTP nobody knows of these.
  const { CI: _, CLAUDE_CODE_ENTRYPOINT: __, ...environment } = process.env;
  const env = { ...environment, UNRUT_HOME: home };
  return said(
    spawnSync(process.execPath, [hook], { input: JSON.stringify(payload), encoding: 'utf8', env })
      .stdout,
  );
}

/** Each hook comes two and a half seconds after the one before. */
function clock(): () => number {
  let at = 1_794_800_000_000;
  return () => (at += 2500);
}

describe('a hook over HTTP', () => {
  test.each(HOSTS)(
    'of %s has the verdicts of the command, on a loop and on what was recorded',
    async (host) => {
      const { url } = await serve(newPath(), { now: clock() });
      const command = createSqliteLedger({ path: newPath() });
      const now = clock();
      const answers = { http: [] as unknown[], command: [] as unknown[] };
      for (const payload of [
        ...loopOf(host),
        ...fixturesOf(host).flatMap((fixture) => payloadsIn(host, fixture)),
      ]) {
        answers.http.push(await tell(url, host, payload));
        const { stdout } = await answerHook(payload, {
          environment: {},
          ledger: command,
          settings: { guard: {} },
          at: now(),
        });
        answers.command.push(said(stdout));
      }
      await command.close();
      expect(answers.http).toEqual(answers.command);
      // goose does not tell what a call brought, so nothing is known by which one could be refused.
      expect(answers.http.some((answer) => JSON.stringify(answer) !== '{}')).toBe(host !== 'goose');
    },
  );

  test('has the verdicts of the program that agents start', async () => {
    const home = newFolder();
    const { url } = await serve(newPath());
    for (const payload of loopOf('claude-code'))
      expect(await tell(url, 'claude-code', payload)).toEqual(runHook(home, payload));
  });

  test('changes nothing with ?shadow=1, but is recorded', async () => {
    const { url, ledger } = await serve(newPath());
    for (const payload of loopOf('claude-code'))
      expect(await tell(url, 'claude-code', payload, '?shadow=1')).toEqual({});
    expect((await ledger.entries({ kind: 'plan' })).map(({ data }) => data.shadow)).toContain(true);
  });

  test('continues where a hook process stopped, and the other way round', async () => {
    const home = newFolder();
    const url = await start(home, '--port', '0').url;
    const spoken: unknown[] = [];
    for (const [i, payload] of loopOf('claude-code').slice(0, 9).entries()) {
      spoken.push(i % 2 === 0 ? await tell(url, 'claude-code', payload) : runHook(home, payload));
    }
    expect(spoken.filter((answer) => JSON.stringify(answer).includes('3 times'))).toHaveLength(1);
  });

  test('shares its ledger with hook processes that run at the same time, and no event is lost', async () => {
    const home = newFolder();
    const url = await start(home, '--port', '0').url;
    const payload = (n: number): Payload => ({
      ...LOOPING['claude-code'].before(n),
      tool_input: { command: `make part-${n}` },
    });
    const processes = Array.from({ length: 8 }, (_, n) => {
      const child = spawn(process.execPath, [hook], {
        env: { ...process.env, UNRUT_HOME: home },
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      child.stdin.end(JSON.stringify(payload(n)));
      return new Promise((resolve) => child.on('close', resolve));
    });
    const requests = Array.from({ length: 40 }, (_, n) =>
      tell(url, 'claude-code', payload(100 + n)),
    );
    await Promise.all([...processes, ...requests]);
    const ledger = createSqliteLedger({ path: join(home, 'ledger.db') });
    const labels = (await ledger.entries({ kind: 'event' })).map(
      ({ data }) => (data.seen as { call: { label: string } }).call.label,
    );
    await ledger.close();
    expect(new Set(labels).size).toBe(48);
  });

  test('says nothing if the ledger cannot be used, and readyz tells of it', async () => {
    const { url, ledger } = await serve(newPath());
    expect(JSON.parse((await ask(`${url}/readyz`, { method: 'GET' })).text)).toEqual({ ok: true });
    await ledger.close();
    for (const payload of loopOf('claude-code'))
      expect(await tell(url, 'claude-code', payload)).toEqual({});
    await vi.waitFor(
      async () => expect((await ask(`${url}/readyz`, { method: 'GET' })).status).toBe(503),
      10_000,
    );
    expect((await ask(`${url}/livez`, { method: 'GET' })).status).toBe(200);
  });
});

describe('unrut serve', () => {
  const run = (...args: string[]) => {
    const { UNRUT_TOKEN: _, ...env } = process.env;
    const { status, stderr } = spawnSync(process.execPath, [cli, 'serve', ...args], {
      encoding: 'utf8',
      env: { ...env, UNRUT_HOME: newFolder() },
    });
    return { status, lines: stderr.trim().split('\n') };
  };

  test('answers what is under way before it ends', async () => {
    const { child, ended, url } = start(newFolder(), '--port', '0');
    const body = JSON.stringify(LOOPING['claude-code'].before(1));
    const address = new URL(await url);
    const answered = new Promise<number>((resolve, reject) => {
      const asking = request(
        new URL('/v1/hooks/claude-code', address),
        { method: 'POST', headers: { expect: '100-continue' } },
        (response) => {
          response.resume().on('end', () => resolve(response.statusCode!));
        },
      );
      asking.on('error', reject);
      // The server has begun with the request when it says so.
      asking.on('continue', () => {
        child.kill('SIGINT');
        asking.write(body.slice(0, 20));
        asking.end(body.slice(20));
      });
      asking.flushHeaders();
    });
    expect(await answered).toBe(200);
    expect(await ended).toBe(0);
  });

  test('says in one line that a port is in use', async () => {
    const { url, child, ended } = start(newFolder(), '--port', '0');
    const { port } = new URL(await url);
    const { status, lines } = run('--port', port);
    expect({ status, lines: lines.length }).toEqual({ status: 2, lines: 1 });
    expect(lines[0]).toContain(`port ${port}: the port is in use`);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });
});
