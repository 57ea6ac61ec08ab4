import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandIn, eventsIn, inHome, inProject, machine, PAYLOAD } from './fresh-machine.ts';

describe('unrut install --project', () => {
  const inShell = (command: string, more: Record<string, string>) =>
    machine.run('/bin/sh', ['-c', command], PAYLOAD, more);

  it('works for people who clone the project and do not have the package', async () => {
    const { code, stdout } = await machine.unrut('install', 'claude-code', '--project');
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('Checked: the hook was called once; it answers and records.'),
    ]);
    const clone = inHome('clone');
    cpSync(machine.project, clone, { recursive: true });
    const command = commandIn(join(clone, '.claude', 'settings.json'));
    expect(command).not.toContain(machine.built);
    const unrut = inHome('unrut');
    expect(await inShell(command, { UNRUT_HOME: unrut, CLAUDE_PROJECT_DIR: clone })).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect(await eventsIn(unrut)).toHaveLength(1);
    expect((await machine.unrut('doctor', '--json')).code).toBe(0);
  });

  it('works for OpenCode in a clone too', async () => {
    expect((await machine.unrut('install', 'opencode', '--project')).code).toBe(0);
    const { Unrut } = (await import(inProject('.opencode', 'plugins', 'unrut.js'))) as {
      Unrut(host: object): Promise<object>;
    };
    expect(Object.keys(await Unrut({ directory: machine.project, client: {} }))).toContain(
      'tool.execute.after',
    );
    await machine.unrut('uninstall', 'opencode', '--project');
    expect(readdirSync(machine.project)).toEqual([]);
  });

  it('in a folder of a repository is for the whole repository, and its hook is found from below', async () => {
    mkdirSync(inProject('.git'));
    mkdirSync(inProject('packages', 'one'), { recursive: true });
    const cli = join(machine.built, 'cli.js');
    const below = (args: string) =>
      machine.run('/bin/sh', ['-c', `cd packages/one && ${args}`], PAYLOAD, {
        UNRUT_HOME: inHome('unrut'),
      });
    expect(
      (await below(`"${process.execPath}" "${cli}" install codex --project`)).stdout,
    ).toContain(inProject('.codex', 'hooks.json'));
    expect(readdirSync(inProject('packages', 'one'))).toEqual([]);
    expect((await below(commandIn(inProject('.codex', 'hooks.json')))).code).toBe(0);
    expect(await eventsIn(inHome('unrut'))).toHaveLength(1);
  });

  it('writes only a launcher where the project lists the package, and starts the hook of that', async () => {
    writeFileSync(inProject('package.json'), JSON.stringify({ devDependencies: { unrut: '*' } }));
    const { code, stdout } = await machine.unrut('install', 'claude-code', '--project');
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/Not working yet: .*records nothing.* Run npm install/),
    ]);
    expect(readdirSync(inProject('.unrut'))).toEqual(['hook.cjs']);
    const command = commandIn(inProject('.claude', 'settings.json'));
    const unrut = inHome('unrut');
    expect(await inShell(command, { UNRUT_HOME: unrut })).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect(existsSync(unrut)).toBe(false);

    mkdirSync(inProject('node_modules', 'unrut', 'dist'), { recursive: true });
    for (const name of ['hook.cjs', 'hook-program.cjs'])
      cpSync(join(machine.built, name), inProject('node_modules', 'unrut', 'dist', name));
    expect(
      await inShell(command, { UNRUT_HOME: unrut, CLAUDE_PROJECT_DIR: machine.project }),
    ).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await eventsIn(unrut)).toHaveLength(1);
  });

  it.each([
    ['the launcher was not committed', () => rmSync(inProject('.unrut'), { recursive: true }), {}],
    ['the agent was started elsewhere', () => {}, { CLAUDE_PROJECT_DIR: '/' }],
    ['there is no Node', () => {}, { PATH: '/nowhere' }],
  ])('writes a command that ends well when %s', async (_, happens, more) => {
    await machine.unrut('install', 'claude-code', 'copilot', '--project');
    happens();
    expect(await inShell(commandIn(inProject('.claude', 'settings.json')), more)).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
  });

  it('keeps the launcher as long as another agent needs it', async () => {
    await machine.unrut('install', 'claude-code', 'codex', '--project');
    await machine.unrut('uninstall', 'claude-code', '--project');
    expect(existsSync(inProject('.unrut', 'hook.cjs'))).toBe(true);
    await machine.unrut('uninstall', 'codex', '--project');
    expect(readdirSync(machine.project)).toEqual([]);
  });
});
