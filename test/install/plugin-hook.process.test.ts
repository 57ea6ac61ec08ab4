import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { newFolder } from '../ledger-files.ts';
import { eventsIn } from './fresh-machine.ts';

const payload = (hook_event_name: string): string =>
  JSON.stringify({
    hook_event_name,
    session_id: 's',
    transcript_path: '/home/.claude/s.jsonl',
    cwd: '/',
    tool_name: 'Read',
    tool_input: { file_path: '/' },
    tool_use_id: 't',
  });

/** Calls the hook of a plugin that an agent has copied to its own folder. */
function callPlugin(name: string, event: string, path: string, home: string) {
  const copy = newFolder();
  cpSync(join(inject('programs'), name), copy, { recursive: true });
  const { status, stdout } = spawnSync(process.execPath, [join(copy, 'hook.cjs')], {
    input: payload(event),
    encoding: 'utf8',
    env: { PATH: path, HOME: home, UNRUT_HOME: home, UNRUT_COMPANION: 'false' },
  });
  return { status, stdout };
}

/** A folder of the PATH in which the package is installed for all. */
function globalFolder(): string {
  const folder = newFolder();
  mkdirSync(join(folder, 'node_modules', 'unrut'), { recursive: true });
  symlinkSync(inject('programs'), join(folder, 'node_modules', 'unrut', 'dist'));
  return folder;
}

describe.each(['claude-code-plugin', 'gemini-cli-extension'])('the hook of %s', (name) => {
  it('holds no copy of the program', () => {
    expect(existsSync(join(inject('programs'), name, 'hook.cjs'))).toBe(true);
    expect(existsSync(join(inject('programs'), name, 'hook-program.cjs'))).toBe(false);
  });

  it('starts the hook of the package that is installed for all', async () => {
    const home = newFolder();
    const answer = callPlugin(name, 'PreToolUse', globalFolder(), home);
    expect(answer).toEqual({ status: 0, stdout: '' });
    expect(await eventsIn(home)).toHaveLength(1);
  });

  it('says so once a session if no package is installed, and lets the agent go on', () => {
    const home = newFolder();
    expect(callPlugin(name, 'PreToolUse', newFolder(), home)).toEqual({ status: 0, stdout: '' });
    const { status, stdout } = callPlugin(name, 'SessionStart', newFolder(), home);
    expect(status).toBe(0);
    expect(stdout).toContain('npm install --global unrut');
    expect(existsSync(join(home, 'ledger.db'))).toBe(false);
  });
});
