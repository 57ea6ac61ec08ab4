import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandIn, eventsIn, inHome, inProject, machine, PAYLOAD } from './fresh-machine.ts';

describe('unrut install --project', () => {
  const inShell = (command: string, more: Record<string, string>) => machine.run('/bin/sh', ['-c', command], PAYLOAD, more);

  it('writes a launcher that does nothing without the package, and starts the hook of the package with it', async () => {
    await machine.unrut('install', 'claude-code', '--project');
    const command = commandIn(inProject('.claude', 'settings.json'));
    expect(command).not.toContain(machine.built);
    const unrut = inHome('unrut');
    expect(await inShell(command, { UNRUT_HOME: unrut })).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(existsSync(unrut)).toBe(false);

    mkdirSync(inProject('node_modules', 'unrut', 'dist'), { recursive: true });
    for (const name of ['hook.cjs', 'hook-program.cjs'])
      cpSync(join(machine.built, name), inProject('node_modules', 'unrut', 'dist', name));
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
