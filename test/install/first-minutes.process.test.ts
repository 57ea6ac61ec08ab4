import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inHome, machine } from './fresh-machine.ts';

const DAY = 86_400_000;

/** A recent session with a call that always returns the same. */
function stuckSession(
  call: object = { tool: 'Bash', args: { command: 'npm run build' } },
  brought: object = {
    error: 'exit 1',
    result: "src/a.ts(3,1): error TS2304: Cannot find name 'Ledger'.",
  },
): void {
  const folder = inHome('.claude', 'projects', 'shop');
  mkdirSync(folder, { recursive: true });
  const from = Date.now() - DAY;
  const events: object[] = [
    { type: 'user-spoke', session: 's1', at: from, text: 'Make the build green.' },
  ];
  for (let i = 0; i < 7; i++) {
    const about = { session: 's1', at: from + (i + 1) * 60_000, call: { id: `c${i}`, ...call } };
    events.push({ type: 'call-proposed', ...about });
    events.push({ type: 'call-finished', ...about, ...brought });
  }
  writeFileSync(
    join(folder, 's1.jsonl'),
    `${events.map((event) => JSON.stringify(event)).join('\n')}\n`,
  );
}

/** The commands that are printed with a number before them. */
const numbered = (text: string): string[][] =>
  [...text.matchAll(/^ {2}\d {2}(?:npx )?unrut (.+?)(?: {3}.*)?$/gm)].map(([, line]) =>
    line!.split(' '),
  );

describe('the first minutes', () => {
  it('each command that bare unrut prints works as it stands', async () => {
    stuckSession();
    const first = await machine.unrut();
    expect(first.stdout).toMatch(/^1 session in 7 days: 1 loop, .*`npm run build` failed 7 times/);
    const commands = numbered(first.stdout);
    expect(commands).toHaveLength(2);
    const [install, scan] = commands;
    expect((await machine.unrut(...install!)).code).toBe(0);
    // Loops were found.
    expect((await machine.unrut(...scan!.slice(0, -1), inHome('report.html'))).code).toBe(1);
    expect(readFileSync(inHome('report.html'), 'utf8')).toContain('npm run build');
  });

  it('each command that install prints works as it stands', async () => {
    const { stdout } = await machine.unrut('install', 'claude-code');
    const commands = [...stdout.matchAll(/^ {2}(?:npx )?unrut (.+?) {3}/gm)].map(
      ([, line]) => line!,
    );
    expect(commands).toEqual([
      'watch',
      'doctor',
      'off',
      'uninstall claude-code',
      'install claude-code --rules',
      'install claude-code --statusline',
    ]);
    // `watch` continues until it is stopped.
    for (const command of commands.slice(1))
      expect([command, (await machine.unrut(...command.split(' '))).code]).toEqual([command, 0]);
  });

  it('install replays the worst loop of this machine through the new hook', async () => {
    stuckSession();
    const { code, stdout } = await machine.unrut('install', 'claude-code');
    expect(code).toBe(0);
    const text = stdout.replace(/\s+/g, ' ');
    expect(text).toContain('Proof: your own loop (`npm run build` failed 7 times');
    expect(text).toMatch(
      /At call 3 the agent reads: Unrut \(loop guard\): `npm run build` failed 3/,
    );
  });

  it('what succeeded in a loop succeeds in its replay, and one replay does for all agents', async () => {
    stuckSession(
      { tool: 'Read', args: { file_path: '/home/ann/shop/notes.md' } },
      { result: 'A note.', error: false },
    );
    const { stdout } = await machine.unrut('install', 'claude-code', 'codex');
    const text = stdout.replace(/\s+/g, ' ');
    expect(
      text.split('Proof: your own loop (`Read notes.md` returned the same result'),
    ).toHaveLength(2);
    expect(text).toMatch(
      /At call 3 the agent reads: Unrut \(loop guard\): `Read [^`]*` returned the same/,
    );
  });

  it('without a loop of its own, install replays one that is made up', async () => {
    const { stdout } = await machine.unrut('install', 'claude-code');
    expect(stdout).toContain('Proof: a loop of `npm test -- invoice` that is made up');
    expect(stdout).toContain('Unrut (loop guard): `npm test -- invoice` failed 3 times');
  });

  it.each([
    ['codex', 'exec_command'],
    ['gemini-cli', 'run_shell_command'],
  ])(
    '%s reads the name of its own shell, also of a loop of another agent',
    async (agent, shell) => {
      const { stdout } = await machine.unrut('install', agent);
      expect(stdout.replace(/\s+/g, ' ')).toContain(`Try next: 1. \`${shell}\``);
      stuckSession();
      await machine.unrut('uninstall', agent);
      const again = (await machine.unrut('install', agent)).stdout.replace(/\s+/g, ' ');
      expect(again).toContain('Proof: your own loop (`npm run build` failed 7 times');
      expect(again).not.toContain('`Bash`');
    },
  );

  it('twin: a loop of a tool that only the other agent has is not replayed', async () => {
    stuckSession(
      { tool: 'Read', args: { file_path: '/home/ann/shop/notes.md' } },
      { result: 'A note.', error: false },
    );
    const { stdout } = await machine.unrut('install', 'codex');
    expect(stdout).toContain('Proof: a loop of `npm test -- invoice` that is made up');
  });

  it('a hook that only records proves nothing, and says nothing of it', async () => {
    const { stdout } = await machine.unrut('install', 'claude-code', '--shadow');
    expect(stdout).not.toContain('Proof');
  });

  it('install in a project names the project in what it recommends', async () => {
    mkdirSync(inHome('project', '.git'), { recursive: true });
    const { stdout } = await machine.unrut('install', 'claude-code', '--project');
    expect(stdout).toMatch(/install claude-code --project --rules/);
    expect(stdout).toMatch(/install claude-code --project --statusline/);
  });

  it('uninstall leaves nothing of what install wrote, of one agent or of two', async () => {
    await machine.unrut('install', 'claude-code', 'codex');
    expect(existsSync(inHome('.local', 'state', 'unrut', 'new-codex'))).toBe(true);
    await machine.unrut('uninstall', '--all');
    expect(readdirSync(inHome())).toEqual([]);
  });

  it('uninstall says that a file is restored if it is as it was, and changed if it is not', async () => {
    const file = inHome('.claude', 'settings.json');
    mkdirSync(inHome('.claude'), { recursive: true });
    writeFileSync(file, '{ "model": "opus" }\n');
    await machine.unrut('install', 'claude-code');
    expect((await machine.unrut('uninstall', 'claude-code')).stdout).toContain(
      'settings.json is restored',
    );
    expect(readFileSync(file, 'utf8')).toBe('{ "model": "opus" }\n');
    await machine.unrut('install', 'claude-code');
    writeFileSync(file, readFileSync(file, 'utf8').replace('opus', 'sonnet'));
    expect((await machine.unrut('uninstall', 'claude-code')).stdout).toContain(
      'settings.json is changed',
    );
  });
});
