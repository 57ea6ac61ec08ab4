import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandIn, eventsIn, inHome, machine, PAYLOAD, settingsIn } from './fresh-machine.ts';

describe('unrut install', () => {
  it('says what it did, how to check it, and how to undo it', async () => {
    const { code, stdout } = await machine.unrut('install', 'codex');
    expect(code).toBe(0);
    expect(stdout).toContain(`${inHome('.codex', 'hooks.json')} is new`);
    expect(stdout).toContain('/hooks');
    expect(stdout).toContain('unrut doctor');
    expect(stdout).toContain('unrut uninstall codex');
    expect((await machine.unrut('install', 'codex')).stdout).toContain('already connected');
    expect((await machine.unrut('uninstall', 'codex')).stdout).toContain('is removed');
    expect((await machine.unrut('uninstall', 'codex')).stdout).toContain('not connected');
    expect(readdirSync(machine.home)).toEqual([]);
  });

  it('with --trial writes the share into the config, and keeps what it says', async () => {
    const config = inHome('.config', 'unrut', 'unrut.config.json');
    const { code, stdout } = await machine.unrut('install', 'codex', '--trial', '50%');
    expect([code, readFileSync(config, 'utf8')]).toEqual([
      0,
      '{\n  "trial": {\n    "share": 0.5\n  }\n}\n',
    ]);
    expect(stdout).toContain(`50 % of new sessions are only recorded:\n  ${config} is new`);
    writeFileSync(config, '{\n  // ours\n  "trial": { "name": "spring", "share": 0.5 }\n}\n');
    await machine.unrut('install', 'codex', '--trial', '0.25', '--dry-run');
    expect(readFileSync(config, 'utf8')).toContain('0.5');
    await machine.unrut('install', 'codex', '--trial', '0.25');
    expect(readFileSync(config, 'utf8')).toBe(
      '{\n  // ours\n  "trial": { "name": "spring", "share": 0.25 }\n}\n',
    );
  });

  it.each([
    [['codex', '--trial', 'half'], '--trial takes a share such as 50% or 0.5; got half.'],
    [['codex', '--trial', '120%'], '--trial takes a share such as 50% or 0.5; got 120%.'],
    [['codex', '--trial', '50%', '--shadow'], '--trial and --shadow cannot be combined'],
    [['--trial', '50%'], '--trial needs an agent'],
  ])('refuses %j, and changes nothing', async (args, said) => {
    const { code, stderr } = await machine.unrut('install', ...args);
    expect([code, stderr]).toEqual([64, expect.stringContaining(said)]);
    expect(readdirSync(machine.home)).toEqual([]);
  });

  it('with --trial leaves a config alone that is a program, and connects nothing', async () => {
    mkdirSync(inHome('.config', 'unrut'), { recursive: true });
    writeFileSync(inHome('.config', 'unrut', 'unrut.config.js'), 'export default {};\n');
    const { code, stderr } = await machine.unrut('install', 'codex', '--trial', '50%');
    expect([code, stderr]).toEqual([2, expect.stringContaining('add trial: { share: 0.5 } to it')]);
    expect(readdirSync(machine.home)).toEqual(['.config']);
  });

  it('without a name lists the agents that are there, and what to type', async () => {
    mkdirSync(inHome('.gemini'));
    const { stdout } = await machine.unrut('install');
    expect(stdout).toMatch(/Gemini CLI +npx unrut install gemini-cli/);
    await machine.unrut('install', 'gemini-cli');
    expect((await machine.unrut('install')).stdout).toMatch(/Gemini CLI +connected/);
  });

  it('writes a command that works as it stands, although the paths hold blanks', async () => {
    await machine.unrut('install', 'claude-code', '--shadow');
    const command = commandIn(inHome('.claude', 'settings.json'));
    expect(command).toContain(`'${join(machine.built, 'hook.cjs')}' --for claude-code --shadow`);
    const unrut = inHome('unrut');
    const { code, stderr } = await machine.run('/bin/sh', ['-c', command], PAYLOAD, {
      UNRUT_HOME: unrut,
    });
    expect([code, stderr]).toEqual([0, '']);
    expect(await eventsIn(unrut)).toHaveLength(1);
  });

  it('leaves out events that an old Claude Code would refuse its whole settings for', async () => {
    const eventsFor = async (version: string): Promise<string[]> => {
      const program = inHome('bin', 'claude');
      mkdirSync(inHome('bin'), { recursive: true });
      writeFileSync(program, `#!/bin/sh\necho "${version} (Claude Code)"\n`);
      chmodSync(program, 0o755);
      const { code } = await machine.run(
        process.execPath,
        [join(machine.built, 'cli.js'), 'install', 'claude-code'],
        '',
        {
          PATH: inHome('bin'),
        },
      );
      expect(code).toBe(0);
      return Object.keys(settingsIn(inHome('.claude', 'settings.json')).hooks);
    };
    expect(await eventsFor('2.1.325')).toContain('PostToolBatch');
    const before = await eventsFor('2.1.90');
    expect(before).toContain('PostToolUseFailure');
    expect(before).not.toContain('PostToolBatch');
    expect(await eventsFor('2.0.20')).not.toContain('PostToolUseFailure');
  });

  it('points HTTP hooks at the server', async () => {
    const carried = {
      headers: { Authorization: 'Bearer $UNRUT_TOKEN' },
      allowedEnvVars: ['UNRUT_TOKEN'],
    };
    await machine.unrut('install', 'claude-code', '--http', '--shadow');
    const [handler] = settingsIn(inHome('.claude', 'settings.json')).hooks.PostToolBatch![0]!.hooks;
    expect(handler).toEqual({
      type: 'http',
      url: 'http://127.0.0.1:4717/v1/hooks/claude-code?shadow=1',
      ...carried,
      timeout: 10,
    });
    await machine.unrut('install', 'claude-code', '--http', 'http://127.0.0.1:9000/');
    const [changed] = settingsIn(inHome('.claude', 'settings.json')).hooks.PostToolBatch![0]!.hooks;
    expect(changed).toEqual({
      type: 'http',
      url: 'http://127.0.0.1:9000/v1/hooks/claude-code',
      ...carried,
      timeout: 10,
    });
    await machine.unrut('install', 'qwen-code', '--http');
    const [ofQwen] = settingsIn(inHome('.qwen', 'settings.json')).hooks.PostToolBatch![0]!.hooks;
    expect(ofQwen).toEqual({
      type: 'http',
      url: 'http://127.0.0.1:4717/v1/hooks/qwen-code',
      ...carried,
      timeout: 10,
    });
    expect((await machine.unrut('uninstall', '--all')).code).toBe(0);
    expect(existsSync(inHome('.claude'))).toBe(false);
  });

  it('writes the rules into the instructions, and takes them out again', async () => {
    const file = inHome('.claude', 'CLAUDE.md');
    mkdirSync(inHome('.claude'));
    writeFileSync(file, '# Mine\n\nBe brief.');
    await machine.unrut('install', 'claude-code', '--rules');
    expect(readFileSync(file, 'utf8')).toMatch(
      /^# Mine\n\nBe brief\.\n\n<!-- unrut: begin -->\n[\s\S]*`Unrut \(loop guard\)`[\s\S]*<!-- unrut: end -->$/,
    );
    await machine.unrut('uninstall', 'claude-code');
    expect(readFileSync(file, 'utf8')).toBe('# Mine\n\nBe brief.');
  });

  it('continues with the other agents when the settings of one are broken', async () => {
    mkdirSync(inHome('.claude'));
    writeFileSync(inHome('.claude', 'settings.json'), '{');
    const { code, stdout, stderr } = await machine.unrut('install', 'claude-code', 'codex');
    expect(code).toBe(2);
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringContaining('settings.json:1 is not valid JSON'),
    ]);
    expect(stdout).toContain('Codex is connected');
    expect(stdout).toContain('AGENTS.md');
    expect(stdout).not.toContain('CLAUDE.md');
  });

  it('names the backup that uninstall leaves, since others have changed the file', async () => {
    const file = inHome('.claude', 'settings.json');
    mkdirSync(inHome('.claude'));
    writeFileSync(file, '{ "model": "opus" }');
    await machine.unrut('install', 'claude-code');
    writeFileSync(file, JSON.stringify({ ...settingsIn(file), model: 'sonnet' }));
    expect((await machine.unrut('uninstall', 'claude-code')).stdout).toContain(
      `${file}.unrut-backup is kept`,
    );
    expect(settingsIn(file)).toEqual({ model: 'sonnet' });
  });

  it('copies the hook when the package was fetched for one run only', async () => {
    const fetched = inHome('_npx', 'abc', 'node_modules', 'unrut', 'dist');
    cpSync(machine.built, fetched, { recursive: true });
    const unrut = inHome('unrut');
    const { code } = await machine.run(
      process.execPath,
      [join(fetched, 'cli.js'), 'install', 'codex'],
      '',
      { UNRUT_HOME: unrut },
    );
    expect(code).toBe(0);
    const command = commandIn(inHome('.codex', 'hooks.json'));
    expect(command).toContain(join(unrut, 'hook.cjs'));
    expect([unrut, join(unrut, 'hook.cjs')].map((path) => statSync(path).mode & 0o777)).toEqual([
      0o700, 0o600,
    ]);
    rmSync(inHome('_npx'), { recursive: true });
    await machine.run('/bin/sh', ['-c', command], PAYLOAD, { UNRUT_HOME: unrut });
    expect(await eventsIn(unrut)).toHaveLength(1);
  });

  it('copies the command for the servers of an MCP client when the package was fetched for one run only', async () => {
    const fetched = inHome('_npx', 'abc', 'node_modules', 'unrut', 'dist');
    cpSync(machine.built, fetched, { recursive: true });
    const config = inHome('mcp.json');
    writeFileSync(config, JSON.stringify({ mcpServers: { one: { command: 'cat', args: [] } } }));
    const places = { UNRUT_HOME: inHome('unrut') };
    const { code } = await machine.run(
      process.execPath,
      [join(fetched, 'cli.js'), 'install', '--mcp', config],
      '',
      places,
    );
    expect(code).toBe(0);
    rmSync(inHome('_npx'), { recursive: true });
    const { one } = (
      JSON.parse(readFileSync(config, 'utf8')) as {
        mcpServers: Record<string, { command: string; args: string[] }>;
      }
    ).mcpServers;
    const message = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`;
    expect(await machine.run(one!.command, one!.args, message, places)).toEqual({
      code: 0,
      stdout: message,
      stderr: '',
    });
  });

  it.each(['claude-code', 'copilot'])(
    'writes a command for %s that ends well when the package or Node has vanished',
    async (agent) => {
      const local = inHome('app', 'node_modules', 'unrut', 'dist');
      cpSync(machine.built, local, { recursive: true });
      writeFileSync(inHome('app', 'package.json'), '{}');
      const unrut = inHome('unrut');
      const { code, stdout } = await machine.run(
        process.execPath,
        [join(local, 'cli.js'), 'install', agent],
        '',
        { UNRUT_HOME: unrut },
      );
      expect([code, stdout]).toEqual([
        0,
        expect.stringContaining('Checked: the hook was called once'),
      ]);
      const file =
        agent === 'copilot'
          ? inHome('.copilot', 'hooks', 'unrut.json')
          : inHome('.claude', 'settings.json');
      const text = readFileSync(file, 'utf8');
      const command =
        agent === 'copilot'
          ? (JSON.parse(text) as { hooks: { preToolUse: { bash: string }[] } }).hooks.preToolUse[0]!
              .bash
          : commandIn(file);
      const inShell = (line: string) =>
        machine.run('/bin/sh', ['-c', line], PAYLOAD, { UNRUT_HOME: unrut });

      // Settings for all projects must not depend on one project's packages.
      expect(text).not.toContain(inHome('app'));
      rmSync(inHome('app'), { recursive: true });
      expect(await inShell(command)).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(await eventsIn(unrut)).toHaveLength(1);
      expect(await inShell(command.replaceAll(process.execPath, '/gone/node'))).toEqual({
        code: 0,
        stdout: '',
        stderr: '',
      });
      rmSync(join(unrut, 'hook.cjs'));
      expect(await inShell(command)).toEqual({ code: 0, stdout: '', stderr: '' });
    },
  );

  it('knows agents by their programs, guesses, and connects all that are there', async () => {
    expect((await machine.unrut('install', 'claude', 'Gemini')).stdout).toMatch(
      /Claude Code is connected[\s\S]*Gemini CLI is connected/,
    );
    expect(await machine.unrut('install', 'cluade-code')).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('Did you mean claude-code?'),
    });
    expect(await machine.unrut('install', 'zed')).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('connect the one you use there'),
    });
    expect((await machine.unrut('install', 'all')).stdout).toMatch(
      /Claude Code is already connected[\s\S]*Gemini CLI is already connected/,
    );
    await machine.unrut('uninstall', '--all');
    expect((await machine.unrut('install')).stdout).toContain(
      'name it: npx unrut install claude-code',
    );
    expect(await machine.unrut('install', 'all')).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('Agents: claude-code'),
    });
  });

  it('leaves a read-only file alone, and says what to do', async () => {
    const file = inHome('.claude', 'settings.json');
    mkdirSync(inHome('.claude'));
    writeFileSync(file, '{}', { mode: 0o444 });
    const { code, stderr } = await machine.unrut('install', 'claude-code');
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('is read-only. Nothing was changed; make it writable (chmod u+w)'),
    ]);
    expect([readFileSync(file, 'utf8'), readdirSync(inHome('.claude'))]).toEqual([
      '{}',
      ['settings.json'],
    ]);
  });

  it('recommends the rules once, in one line', async () => {
    const first = (await machine.unrut('install', 'claude-code')).stdout;
    expect(first).toMatch(
      /\n {2}npx unrut install claude-code --rules {8}recommended: 4 lines in CLAUDE\.md\n/,
    );
    expect(first).toMatch(
      /\n {2}npx unrut install claude-code --statusline {3}optional: Claude Code's status line\n/,
    );
    expect((await machine.unrut('install', 'claude-code')).stdout).not.toMatch(
      /recommended|optional/,
    );
  });

  it('gives commands that can be typed: through npx where the PATH has no unrut', async () => {
    const installed = async (path: string): Promise<string> =>
      (
        await machine.run(
          process.execPath,
          [join(machine.built, 'cli.js'), 'install', 'claude-code'],
          '',
          { PATH: path },
        )
      ).stdout;
    const fleeting = inHome('.npm', '_npx', '1', 'node_modules', '.bin');
    const lasting = inHome('bin');
    for (const folder of [fleeting, lasting]) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'unrut'), '');
    }
    const byNpx = await installed(fleeting);
    expect(byNpx).toMatch(/\n {2}npx unrut doctor .*\n {2}npx unrut off /);
    expect(byNpx).toContain('or install it for good: npm install --global unrut');
    const byName = await installed(`${fleeting}:${lasting}`);
    expect(byName).toMatch(/\n {2}unrut doctor .*\n {2}unrut off /);
    expect(byName).not.toContain('npx');
  });

  it('leaves the status line of somebody else, and says how to show ours in it', async () => {
    const file = inHome('.claude', 'settings.json');
    mkdirSync(inHome('.claude'));
    writeFileSync(file, '{ "statusLine": { "type": "command", "command": "mine" } }');
    expect((await machine.unrut('install', 'claude-code', '--statusline')).stdout).toContain(
      'have it run: unrut statusline',
    );
    expect(readFileSync(file, 'utf8')).toContain('"command": "mine"');
  });

  it('keeps a link to a file that is not there yet, and leaves nothing behind it', async () => {
    const [link, target] = [
      inHome('.claude', 'settings.json'),
      inHome('dotfiles', 'settings.json'),
    ];
    mkdirSync(inHome('.claude'));
    symlinkSync(target, link);
    await machine.unrut('install', 'claude-code');
    expect(existsSync(target)).toBe(true);
    await machine.unrut('uninstall', 'claude-code');
    expect([existsSync(target), readlinkSync(link)]).toEqual([false, target]);
  });

  it.each(['', 'somewhere'])(
    'changes nothing if HOME is %j, and says what it must be',
    async (home) => {
      const { code, stderr } = await machine.run(
        process.execPath,
        [join(machine.built, 'cli.js'), 'install', 'claude-code'],
        '',
        {
          HOME: home,
        },
      );
      expect([code, stderr]).toEqual([64, expect.stringContaining('HOME takes an absolute path')]);
    },
  );

  it('says so where the folder is gone', async () => {
    const folder = inHome('gone');
    mkdirSync(folder);
    const { code, stderr } = await machine.run(
      '/bin/sh',
      [
        '-c',
        `cd '${folder}' && rmdir '${folder}' && '${process.execPath}' '${join(machine.built, 'cli.js')}' off`,
      ],
      '',
      {},
    );
    expect([code, stderr.trim()]).toEqual([
      2,
      '[unrut] The folder that you are in no longer exists. Go to another one and try again.',
    ]);
  });

  it('adds only the status line where the plugin brings the hooks, and takes it away again', async () => {
    const file = inHome('.claude', 'settings.json');
    const before = '{\n  "enabledPlugins": { "unrut@unrut": true }\n}\n';
    mkdirSync(inHome('.claude'));
    writeFileSync(file, before);
    for (let twice = 0; twice < 2; twice++) {
      const { code, stdout } = await machine.unrut('install', 'claude-code', '--statusline');
      expect([code, stdout]).toEqual([
        0,
        expect.stringContaining(
          twice === 0 ? 'its hooks come from the plugin' : 'nothing was changed',
        ),
      ]);
    }
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      enabledPlugins: { 'unrut@unrut': true },
      statusLine: { type: 'command', command: expect.stringMatching(/ --statusline$/) },
    });
    expect((await machine.unrut('doctor')).stdout).toMatch(
      /Claude Code +connected as a plugin [^\n]*: works\n/,
    );
    expect((await machine.unrut('uninstall', 'claude-code')).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});
