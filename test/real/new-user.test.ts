import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Agent, Place } from './agents/agent.ts';
import { claudeCode } from './agents/claude-code.ts';
import { installAgent, PATH } from './install-agent.ts';
import { installUnrut, programsOf } from './install-unrut.ts';
import { runAgent } from './run-agent.ts';
import { sameFailure } from './scripts.ts';
import { heard } from './test-agent.ts';

/** What a person types at a terminal in the project. */
const typed = async ({ home, project }: Place, ...args: string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(
    'node',
    [join(programsOf({ home, project, url: '' }), 'cli.js'), ...args],
    {
      cwd: project,
      env: { PATH, HOME: home },
    },
  );
  return stdout;
};

/** Claude Code, asked something else. */
const asked = (prompt: string): Agent => ({
  ...claudeCode,
  args: () => ['-p', prompt, '--output-format', 'json'],
});

describe('Claude Code with a new user of Unrut', () => {
  it('is connected, switched off, on and forgiven, and disconnected, each in one step', async () => {
    const before = join('.claude', 'settings.json');
    const run = await runAgent(claudeCode, sameFailure, async (place) => {
      const text = readFileSync(join(place.home, before), 'utf8');
      await installUnrut(claudeCode, '--statusline')(place);
      await typed(place, 'uninstall', 'claude');
      expect(readFileSync(join(place.home, before), 'utf8')).toBe(text);
      expect(existsSync(join(place.home, '.claude', 'commands'))).toBe(false);
      expect(await typed(place, 'install', 'claude')).toContain(
        'Checked: the hook was called once',
      );
    });
    expect(heard(run)).toEqual(['4 note']);
    const line = await promisify(execFile)(
      '/bin/sh',
      [
        '-c',
        `echo '{}' | node "${join(programsOf(run.place), 'hook.cjs')}" --for claude-code --statusline`,
      ],
      {
        cwd: run.place.project,
        env: { PATH, HOME: run.place.home },
      },
    );
    expect(line.stdout).toBe('Unrut: quiet\n');
    expect(await typed(run.place, 'false-alarm')).toContain('Noted as a false alarm');
  });

  it('says nothing to the agent while it is off', async () => {
    const run = await runAgent(claudeCode, sameFailure, async (place) => {
      await installUnrut(claudeCode)(place);
      expect(await typed(place, 'off')).toMatch(/Switch it on: (?:npx )?unrut on/);
    });
    expect(heard(run)).toEqual([]);
    expect(await typed(run.place, 'show', '--list')).toContain('(off)');
  });

  it.each(['/unrut status', 'unrut status'])(
    'answers %s itself, and the model is not asked',
    async (prompt) => {
      await installAgent(claudeCode);
      const run = await runAgent(asked(prompt), sameFailure, installUnrut(claudeCode));
      expect(run.exchanges).toEqual([]);
      expect(run.output).toContain('Unrut: ');
    },
  );
});
