import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readLedger } from '../../src/ledger-views/read-ledger.ts';
import { createMachine, type Machine } from './programs.ts';

let machine: Machine;
beforeAll(async () => {
  machine = await createMachine();
}, 60_000);
afterAll(() => machine.remove());
beforeEach(() => {
  for (const folder of [machine.home, machine.project]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
  }
});

const PAYLOAD = {
  hook_event_name: 'PreToolUse',
  session_id: 's',
  transcript_path: '/home/dev/.claude/t.jsonl',
  cwd: '/home/dev/project',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
  tool_use_id: 't',
};
const inHome = (...parts: string[]): string => join(machine.home, ...parts);
const inProject = (...parts: string[]): string => join(machine.project, ...parts);
const settings = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as { hooks: Record<string, { hooks: { command: string }[] }[]> };
const commandIn = (path: string): string => settings(path).hooks.PreToolUse![0]!.hooks[0]!.command;
const eventsIn = (home: string) => readLedger(join(home, 'ledger.db'), (ledger) => ledger.entries({ kind: 'event' }));

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

  it('without a name lists the agents that are there, and what to type', async () => {
    mkdirSync(inHome('.gemini'));
    const { stdout } = await machine.unrut('install');
    expect(stdout).toMatch(/Gemini CLI +unrut install gemini-cli/);
    await machine.unrut('install', 'gemini-cli');
    expect((await machine.unrut('install')).stdout).toMatch(/Gemini CLI +connected/);
  });

  it('writes a command that works as it stands, although the paths hold blanks', async () => {
    await machine.unrut('install', 'claude-code', '--shadow');
    const command = commandIn(inHome('.claude', 'settings.json'));
    expect(command).toContain(`'${join(machine.built, 'hook.cjs')}' --for claude-code --shadow`);
    const unrut = inHome('unrut');
    const { code, stderr } = await machine.run('/bin/sh', ['-c', command], JSON.stringify(PAYLOAD), { UNRUT_HOME: unrut });
    expect([code, stderr]).toEqual([0, '']);
    expect(await eventsIn(unrut)).toHaveLength(1);
  });

  it('leaves out events that an old Claude Code would refuse its whole settings for', async () => {
    const eventsFor = async (version: string): Promise<string[]> => {
      const program = inHome('bin', 'claude');
      mkdirSync(inHome('bin'), { recursive: true });
      writeFileSync(program, `#!/bin/sh\necho "${version} (Claude Code)"\n`);
      chmodSync(program, 0o755);
      const { code } = await machine.run(process.execPath, [join(machine.built, 'cli.js'), 'install', 'claude-code'], '', {
        PATH: inHome('bin'),
      });
      expect(code).toBe(0);
      return Object.keys(settings(inHome('.claude', 'settings.json')).hooks);
    };
    expect(await eventsFor('2.1.325')).toContain('PostToolBatch');
    const before = await eventsFor('2.1.90');
    expect(before).toContain('PostToolUseFailure');
    expect(before).not.toContain('PostToolBatch');
    expect(await eventsFor('2.0.20')).not.toContain('PostToolUseFailure');
  });

  it('points HTTP hooks at the server', async () => {
    await machine.unrut('install', 'claude-code', '--http', '--shadow');
    const [handler] = settings(inHome('.claude', 'settings.json')).hooks.PostToolBatch![0]!.hooks;
    expect(handler).toEqual({ type: 'http', url: 'http://127.0.0.1:4717/v1/hooks/claude-code?shadow=1', timeout: 10 });
    await machine.unrut('install', 'claude-code', '--http', 'http://127.0.0.1:9000/');
    const [changed] = settings(inHome('.claude', 'settings.json')).hooks.PostToolBatch![0]!.hooks;
    expect(changed).toEqual({ type: 'http', url: 'http://127.0.0.1:9000/v1/hooks/claude-code', timeout: 10 });
    expect((await machine.unrut('uninstall', '--all')).code).toBe(0);
    expect(existsSync(inHome('.claude'))).toBe(false);
  });

  it('writes the rules into the instructions, and takes them out again', async () => {
    const file = inHome('.claude', 'CLAUDE.md');
    mkdirSync(inHome('.claude'));
    writeFileSync(file, '# Mine\n\nBe brief.');
    await machine.unrut('install', 'claude-code', '--rules');
    expect(readFileSync(file, 'utf8')).toMatch(/^# Mine\n\nBe brief\.\n\n<!-- unrut: begin -->\n[\s\S]*`Note:`[\s\S]*<!-- unrut: end -->$/);
    await machine.unrut('uninstall', 'claude-code');
    expect(readFileSync(file, 'utf8')).toBe('# Mine\n\nBe brief.');
  });

  it('goes on with the other agents when the settings of one are broken', async () => {
    mkdirSync(inHome('.claude'));
    writeFileSync(inHome('.claude', 'settings.json'), '{');
    const { code, stdout, stderr } = await machine.unrut('install', 'claude-code', 'codex');
    expect(code).toBe(2);
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('settings.json:1 is no JSON')]);
    expect(stdout).toContain('Codex is connected');
  });

  it('copies the hook when the package was fetched for one run only', async () => {
    const fetched = inHome('_npx', 'abc', 'node_modules', 'unrut', 'dist');
    cpSync(machine.built, fetched, { recursive: true });
    const unrut = inHome('unrut');
    const { code } = await machine.run(process.execPath, [join(fetched, 'cli.js'), 'install', 'codex'], '', { UNRUT_HOME: unrut });
    expect(code).toBe(0);
    const command = commandIn(inHome('.codex', 'hooks.json'));
    expect(command).toContain(join(unrut, 'hook.cjs'));
    rmSync(inHome('_npx'), { recursive: true });
    await machine.run('/bin/sh', ['-c', command], JSON.stringify(PAYLOAD), { UNRUT_HOME: unrut });
    expect(await eventsIn(unrut)).toHaveLength(1);
  });

  it.each([
    [['install', 'clod'], 'There is no agent clod'],
    [['install', 'codex', '--http'], 'Codex has no HTTP hooks. Install Codex without --http.'],
    [['install', 'copilot', '--http'], 'https'],
    [['install', 'kimi', '--project'], 'Kimi has no settings of a project'],
    [['install', 'codex', '--user', '--project'], 'cannot be given both'],
    [['install', 'claude-code', 'http://127.0.0.1:1'], '--http'],
    [['uninstall'], 'names of agents, or --all'],
    [['doctor', 'codex'], 'takes no operand'],
  ])('%j is wrong usage, and says so', async (args, complaint) => {
    const { code, stderr } = await machine.unrut(...args);
    expect(code).toBe(64);
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(complaint)]);
    expect(readdirSync(machine.home)).toEqual([]);
  });
});

describe('unrut install --project', () => {
  const inShell = (command: string, more: Record<string, string>) => machine.run('/bin/sh', ['-c', command], JSON.stringify(PAYLOAD), more);

  it('writes a launcher that does nothing without the package, and starts the hook of the package with it', async () => {
    await machine.unrut('install', 'claude-code', '--project');
    const command = commandIn(inProject('.claude', 'settings.json'));
    expect(command).not.toContain(machine.built);
    const unrut = inHome('unrut');
    expect(await inShell(command, { UNRUT_HOME: unrut })).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(existsSync(unrut)).toBe(false);

    mkdirSync(inProject('node_modules', 'unrut', 'dist'), { recursive: true });
    cpSync(join(machine.built, 'hook.cjs'), inProject('node_modules', 'unrut', 'dist', 'hook.cjs'));
    expect(await inShell(command, { UNRUT_HOME: unrut, CLAUDE_PROJECT_DIR: machine.project })).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await eventsIn(unrut)).toHaveLength(1);
  });

  it.each([
    ['the launcher was not committed', () => rmSync(inProject('.unrut'), { recursive: true }), {}],
    ['the agent was started elsewhere', () => {}, { CLAUDE_PROJECT_DIR: '/' }],
    ['there is no Node', () => {}, { PATH: '/nowhere' }],
  ])('writes a command that ends well when %s', async (_, happens, more) => {
    await machine.unrut('install', 'claude-code', 'copilot', '--project');
    happens();
    expect(await inShell(commandIn(inProject('.claude', 'settings.json')), more)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('keeps the launcher as long as another agent needs it', async () => {
    await machine.unrut('install', 'claude-code', 'codex', '--project');
    await machine.unrut('uninstall', 'claude-code', '--project');
    expect(existsSync(inProject('.unrut', 'hook.cjs'))).toBe(true);
    await machine.unrut('uninstall', 'codex', '--project');
    expect(readdirSync(machine.project)).toEqual([]);
  });
});

describe('unrut doctor', () => {
  const doctor = async () => {
    const { code, stdout } = await machine.unrut('doctor', '--json');
    return { code, ...(JSON.parse(stdout) as { agents: { name: string; connections: object[] }[]; problems: string[] }) };
  };

  it('finds nothing wrong where the hook works, and leaves no trace', async () => {
    await machine.unrut('install', 'claude-code', 'gemini-cli', 'opencode', 'cursor', 'copilot', 'qwen-code', 'kimi', 'crush', 'cline');
    const { code, agents, problems } = await doctor();
    expect([code, problems]).toEqual([0, []]);
    const connected = agents.filter(({ connections }) => connections.length > 0);
    expect(connected.map(({ name }) => name)).toHaveLength(9);
    for (const { connections } of connected) expect(connections).toEqual([expect.objectContaining({ scope: 'user', fires: true })]);
    expect(existsSync(inHome('.local'))).toBe(false);
    expect((await machine.unrut('doctor')).stdout).toMatch(/Claude Code +connected for you .*: works/);
  });

  it('says that Codex has to trust the hooks', async () => {
    await machine.unrut('install', 'codex');
    expect(await doctor()).toMatchObject({ code: 1, problems: [expect.stringContaining('type /hooks')] });
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
    writeFileSync(file, part === 'hook.cjs' ? text.replaceAll(machine.built, `${machine.built} ${other}`) : text.replaceAll(part, other));
    const { code, problems } = await doctor();
    expect(code).toBe(1);
    expect(problems).toEqual([expect.stringMatching(new RegExp(`${complaint}.*unrut install claude-code`))]);
  });

  it('says so when no server answers, when hooks are switched off, and when the config is broken', async () => {
    await machine.unrut('install', 'claude-code', '--http', 'http://127.0.0.1:1');
    const file = inHome('.claude', 'settings.json');
    writeFileSync(file, JSON.stringify({ ...settings(file), disableAllHooks: true }));
    writeFileSync(inProject('unrut.config.json'), '{');
    const { code, problems } = await doctor();
    expect(code).toBe(1);
    expect(problems).toEqual([
      expect.stringContaining('unrut.config.json'),
      expect.stringContaining('start unrut serve'),
      expect.stringContaining('disableAllHooks'),
    ]);
  });

  it('says when an agent is connected twice', async () => {
    await machine.unrut('install', 'claude-code');
    mkdirSync(inProject('node_modules', 'unrut', 'dist'), { recursive: true });
    cpSync(join(machine.built, 'hook.cjs'), inProject('node_modules', 'unrut', 'dist', 'hook.cjs'));
    await machine.unrut('install', 'claude-code', '--project');
    const { code, stdout } = await machine.unrut('doctor');
    expect(code).toBe(0);
    expect(stdout).toContain('connected twice');
  });
});
