import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { inHome, machine } from '../install/fresh-machine.ts';

/** Writes the budget into the settings of the user. */
function set(budget: object): void {
  mkdirSync(inHome('.config', 'unrut'), { recursive: true });
  writeFileSync(inHome('.config', 'unrut', 'unrut.config.json'), JSON.stringify({ budget }));
}

describe('a limit that an agent does not report', () => {
  const NOTES = [
    'budget.usd: Claude Code reports no cost here; use minutes or steps, or unrut install claude-code --statusline, to which it reports it.',
    'budget.usd: Codex reports no cost here; use minutes or steps.',
    'budget.subagents: Codex does not name its subagents here; use minutes or steps.',
  ];

  test('is named by config --check and doctor for each connected agent, and by nobody else', async () => {
    set({ usd: 5, subagents: 4, steps: 400 });
    expect((await machine.unrut('config', '--check')).stderr).toBe('');
    await machine.unrut('install', 'claude-code', 'codex');
    const check = await machine.unrut('config', '--check');
    expect(check.code).toBe(0);
    expect(
      check.stderr
        .trim()
        .split('\n')
        .map((line) => line.replace('[unrut] ', '')),
    ).toEqual(NOTES);
    const config = await machine.unrut('config', '--json');
    expect(JSON.parse(config.stdout).notes).toEqual(NOTES);
    const doctor = await machine.unrut('doctor', '--json');
    expect(JSON.parse(doctor.stdout).notes).toEqual(NOTES);
    const { stdout } = await machine.unrut('doctor');
    expect(stdout).toContain(`Cannot be enforced:\n- ${NOTES[0]}`);
    await machine.unrut('install', 'claude-code', '--statusline');
    expect((await machine.unrut('config', '--check')).stderr).not.toContain('Claude Code');
    // Steps alone can be kept by all of them.
    set({ steps: 9 });
    const twin = await machine.unrut('config', '--check');
    expect(twin.stderr).toBe('');
  });

  test('a wrong value is reported by both, with the sound part in force', async () => {
    set({ usd: 'five', steps: 400 });
    const check = await machine.unrut('config', '--check');
    expect(check.code).toBe(2);
    expect(check.stderr).toMatch(/`budget\.usd`.*five.*Ignored\./);
    const doctor = await machine.unrut('doctor', '--json');
    expect(JSON.parse(doctor.stdout).problems.join('\n')).toMatch(/`budget\.usd`.*five/);
    const { settings } = JSON.parse((await machine.unrut('config', '--json')).stdout);
    const shown = (name: string) =>
      settings.find(({ key }: { key: string }) => key === name)?.value;
    expect([shown('budget.steps'), shown('budget.usd')]).toEqual([400, null]);
  });
});
