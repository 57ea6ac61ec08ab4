import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { hookHosts, installableHosts } from '@unrut/agents/hosts';
import { makeKey } from '@unrut/server/keys';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newPath } from '../ledger-files.ts';
import { served } from '../server/served.ts';
import { eventsIn, inHome, inProject, machine, settingsIn } from './fresh-machine.ts';

const TOKEN = 'correct-horse-battery';

describe('unrut doctor', () => {
  const doctor = async () => {
    const { code, stdout } = await machine.unrut('doctor', '--json');
    return {
      code,
      ...(JSON.parse(stdout) as {
        agents: { name: string; connections: object[] }[];
        problems: string[];
      }),
    };
  };

  it('finds nothing wrong where the hook works, and leaves no trace', async () => {
    // Codex requires the user to confirm that hooks are trusted.
    const names = installableHosts.map(({ name }) => name).filter((name) => name !== 'codex');
    await machine.unrut('install', ...names);
    const { code, agents, problems } = await doctor();
    expect([code, problems]).toEqual([0, []]);
    const connected = agents.filter(({ connections }) => connections.length > 0);
    expect(connected.map(({ name }) => name)).toEqual(names);
    for (const { connections } of connected)
      expect(connections).toEqual([expect.objectContaining({ scope: 'user', fires: true })]);
    expect(existsSync(inHome('.local', 'state', 'unrut', 'ledger.db'))).toBe(false);
    expect((await machine.unrut('doctor')).stdout).toMatch(
      /Claude Code +connected for you .*: works/,
    );
  });

  it('mentions a version of an agent whose transcripts nobody has tried', async () => {
    await machine.unrut('install', 'claude-code');
    const said = async (version: string): Promise<string> => {
      mkdirSync(inHome('bin'), { recursive: true });
      const program = `#!/bin/sh\necho '${version} (Claude Code)'\n`;
      writeFileSync(inHome('bin', 'claude'), program, { mode: 0o755 });
      const path = { PATH: `${inHome('bin')}:/usr/bin:/bin` };
      const cli = join(machine.built, 'cli.js');
      const { code, stdout } = await machine.run(process.execPath, [cli, 'doctor'], '', path);
      expect(code).toBe(0);
      return stdout;
    };
    expect(await said('2.999.1')).toMatch(/version 2\.999\.1; the latest that was tried is 2\.\d+/);
    expect(await said('2.0.7')).not.toMatch(/latest that was tried/);
  });

  it('says that Codex has to trust the hooks', async () => {
    await machine.unrut('install', 'codex');
    expect(await doctor()).toMatchObject({
      code: 1,
      problems: [expect.stringContaining('type /hooks')],
    });
    writeFileSync(
      inHome('.codex', 'config.toml'),
      `[hooks.state."${inHome('.codex', 'hooks.json')}:pre_tool_use:0:0"]\ntrusted_hash = "sha256:0"\n`,
    );
    expect(await doctor()).toMatchObject({ code: 0, problems: [] });
  });

  it.each([
    ['the hook is gone', 'hook.cjs', 'gone.cjs', 'does not exist'],
    ['Node is gone', 'bin/node', 'bin/gone/node', 'does not exist'],
  ])('says so when %s', async (_, part, other, complaint) => {
    await machine.unrut('install', 'claude-code');
    const file = inHome('.claude', 'settings.json');
    const text = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      part === 'hook.cjs'
        ? text.replaceAll(machine.built, `${machine.built} ${other}`)
        : text.replaceAll(part, other),
    );
    const { code, problems } = await doctor();
    expect(code).toBe(1);
    expect(problems).toEqual([
      expect.stringMatching(new RegExp(`${complaint}.*unrut install claude-code`)),
    ]);
  });

  it('says so when no server answers, when hooks are switched off, and when the config is broken', async () => {
    await machine.unrut('install', 'claude-code', '--http', 'http://127.0.0.1:1');
    const file = inHome('.claude', 'settings.json');
    writeFileSync(file, JSON.stringify({ ...settingsIn(file), disableAllHooks: true }));
    writeFileSync(inProject('unrut.config.json'), '{');
    const { code, problems } = await doctor();
    expect(code).toBe(1);
    expect(problems).toEqual([
      expect.stringContaining('unrut.config.json'),
      expect.stringContaining('Run unrut serve to start it'),
      expect.stringContaining('disableAllHooks'),
    ]);
  });

  it('tries a server with the token of its environment, and says in one line what is wrong with that', async () => {
    const { url } = await served(newPath(), { token: TOKEN });
    const file = inHome('.claude', 'settings.json');
    await machine.unrut('install', 'claude-code', '--http', url);
    expect(readFileSync(file, 'utf8')).not.toContain(TOKEN);
    const problems = async (environment: Record<string, string> = {}): Promise<string[]> => {
      const { stdout } = await machine.run(
        process.execPath,
        [join(machine.built, 'cli.js'), 'doctor', '--json'],
        '',
        environment,
      );
      return JSON.parse(stdout).problems;
    };
    expect(await problems({ UNRUT_TOKEN: TOKEN })).toEqual([]);
    expect(await problems()).toEqual([
      expect.stringMatching(
        /requires a token \(401\), and UNRUT_TOKEN is not set\. Set UNRUT_TOKEN to [^\n]*\.$/,
      ),
    ]);
    expect(await problems({ UNRUT_TOKEN: 'another-token-altogether' })).toEqual([
      expect.stringMatching(
        /rejects the token in UNRUT_TOKEN \(401\)\. Set UNRUT_TOKEN to [^\n]*\.$/,
      ),
    ]);

    const withoutHeaders = readFileSync(file, 'utf8').replaceAll(
      /"headers": \{[^}]*\},\s*"allowedEnvVars": \[[^\]]*\],\s*/g,
      '',
    );
    expect(withoutHeaders).not.toContain('UNRUT_TOKEN');
    writeFileSync(file, withoutHeaders);
    expect(await problems({ UNRUT_TOKEN: TOKEN })).toEqual([
      expect.stringContaining(
        `the hooks send none. To fix it, run npx unrut install claude-code --http ${url}.`,
      ),
    ]);
    await machine.unrut('install', 'claude-code', '--http', url);
    expect(await problems({ UNRUT_TOKEN: TOKEN })).toEqual([]);
  });

  it('looks at the server that UNRUT_SERVER names, leaves no session there, and says where sessions are', async () => {
    const { url, ledger } = await served(newPath(), { token: TOKEN });
    const run = (environment: Record<string, string>, ...args: string[]) =>
      machine.run(process.execPath, [join(machine.built, 'cli.js'), ...args], '', environment);
    const through = { UNRUT_SERVER: url, UNRUT_TOKEN: TOKEN };
    expect(await run(through, 'install', 'claude-code')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('it answers'),
    });
    const healthy = await run(through, 'doctor');
    expect([healthy.code, healthy.stdout]).toEqual([
      0,
      expect.stringContaining(`${url}: answers hooks and records`),
    ]);
    expect(await ledger.sessions()).toEqual([]);
    expect((await run({ UNRUT_SERVER: url }, 'doctor')).stdout).toMatch(
      /UNRUT_SERVER: the server requires a token \(401\)/,
    );
    expect(await run({ UNRUT_SERVER: 'http://127.0.0.1:1' }, 'doctor')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /UNRUT_SERVER: no server answers at .*\. Agents go on without Unrut until one does\./,
      ),
    });
    const elsewhere = expect.stringContaining(`recorded by ${url} (UNRUT_SERVER)`);
    expect((await run(through, 'show', 's')).stderr).toEqual(elsewhere);
    expect((await run(through, 'show')).stderr.split('(UNRUT_SERVER)')).toHaveLength(2);
    expect((await run(through, 'false-alarm')).stderr).toEqual(elsewhere);
    expect((await run(through, 'show', '--list')).stdout).toEqual(elsewhere);
    expect((await run({}, 'show', 's')).stderr).not.toContain('UNRUT_SERVER');
  });

  it('says so when the certificate of a server is not trusted', async () => {
    const file = (name: string): Buffer =>
      readFileSync(join(import.meta.dirname, '../fixtures/tls', name));
    const server = createServer({ cert: file('first.pem'), key: file('first.key') }).listen(
      0,
      '127.0.0.1',
    );
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { stdout } = await machine.run(
      process.execPath,
      [join(machine.built, 'cli.js'), 'doctor'],
      '',
      { UNRUT_SERVER: url },
    );
    expect(stdout).toMatch(
      /UNRUT_SERVER: the server shows a certificate that is not trusted \(\w+\) at .*\. Set NODE_EXTRA_CA_CERTS/,
    );
  });

  it('says so when a key is not for hooks', async () => {
    const { url, ledger } = await served(newPath(), { token: TOKEN });
    const { key, stored } = makeKey({ name: 'reader', scopes: ['read'] }, Date.now());
    await ledger.keys!.add(stored);
    const { code, stdout } = await machine.run(
      process.execPath,
      [join(machine.built, 'cli.js'), 'doctor'],
      '',
      {
        UNRUT_SERVER: url,
        UNRUT_TOKEN: key,
      },
    );
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining('the key in UNRUT_TOKEN is not for hooks (403)'),
    ]);
    expect(stdout).toContain(`${url}: cannot be used`);
  });

  it('says so when the files of a project were not committed', async () => {
    await machine.unrut('install', 'claude-code', 'opencode', '--project');
    rmSync(inProject('.unrut', 'hook-program.cjs'));
    const { code, problems } = await doctor();
    expect(code).toBe(1);
    expect(problems).toEqual(
      ['Claude Code', 'OpenCode'].map((label) =>
        expect.stringMatching(
          new RegExp(`^${label}: .*records nothing.*unrut install .* --project`),
        ),
      ),
    );
  });

  it('continues with the others when the settings of one cannot be read, and says so in one line', async () => {
    mkdirSync(inHome('.claude', 'settings.json'), { recursive: true });
    await machine.unrut('install', 'gemini-cli');
    const { code, agents, problems } = await doctor();
    expect(code).toBe(1);
    expect(problems).toEqual([
      expect.stringMatching(/^Claude Code: Cannot read .*settings\.json: EISDIR\./),
    ]);
    expect(agents.find(({ name }) => name === 'gemini-cli')!.connections).toHaveLength(1);
  });

  it('names the second connection, as install does: each call counts once', async () => {
    await machine.unrut('install', 'claude-code');
    const { stdout: installed } = await machine.unrut('install', 'claude-code', '--project');
    expect(installed).toContain(
      `Also connected for you (${inHome('.claude', 'settings.json')}): each call counts once`,
    );
    expect(installed).toContain('To disconnect it there: unrut uninstall claude-code\n');
    const { code, stdout } = await machine.unrut('doctor');
    expect(code).toBe(0);
    expect(stdout).toContain('connected twice: each call counts once');
  });

  it('counts a call once although two hooks tell of it, also where calls have no ids', async () => {
    const [crush] = hookHosts.filter(({ hooks }) => !hooks.callsHaveIds);
    await machine.unrut('install', crush!.name);
    await machine.unrut('install', crush!.name, '--project');
    const commands = [inHome('.config', 'crush', 'crush.json'), inProject('crush.json')].map(
      (file) =>
        (JSON.parse(readFileSync(file, 'utf8')) as { hooks: { PreToolUse: { command: string }[] } })
          .hooks.PreToolUse[0]!.command,
    );
    const payload = JSON.stringify({
      event: 'PreToolUse',
      session_id: 's',
      cwd: '/x',
      tool_name: 'bash',
      tool_input: { command: 'ls' },
    });
    const unrut = inHome('unrut');
    for (let call = 0; call < 2; call++)
      for (const command of commands)
        await machine.run('/bin/sh', ['-c', command], payload, { UNRUT_HOME: unrut });
    expect(await eventsIn(unrut)).toHaveLength(2);
  });
});
