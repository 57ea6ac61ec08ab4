import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { badAgent, isThere, makePlace } from './place.ts';

const fileThere = async (path: string): Promise<string> => {
  while (!existsSync(path) || readFileSync(path, 'utf8') === '') await wait(20);
  return readFileSync(path, 'utf8');
};

describe('a damaged ledger', () => {
  it('is reported in the first line, with its new place, and again when the run is asked for later', async () => {
    const { unrut, home } = makePlace();
    await unrut('PROMPT.md', '--max-iterations', '1', '--', ...badAgent('same-fix'));
    writeFileSync(join(home, 'ledger.db'), 'this is no database');
    const first = await unrut('--resume');
    expect(first.code).toBe(64);
    expect(first.stderr.split('\n')[0]).toMatch(
      /^\[unrut\] The ledger was damaged and is set aside as .*ledger\.db\.corrupt-.* The runs in it are lost/,
    );
    const later = await unrut('status');
    expect(later.stderr).toMatch(
      /^\[unrut\] No run was started in .* A damaged ledger is set aside as .*ledger\.db\.corrupt-/,
    );
  });

  it('a ledger that is sound is not spoken of: the twin', async () => {
    const { stderr } = await makePlace().unrut('--resume');
    expect(stderr).toMatch(/No run was started in/);
    expect(stderr).not.toContain('damaged');
  });
});

it('a second Ctrl-C ends at once, with an agent that ignores the first', async () => {
  const { start, folder } = makePlace();
  const stubborn =
    'trap "" TERM INT; cat >/dev/null; echo $$ > agent.log; while :; do sleep 1; done';
  const { pid, ended } = await start('PROMPT.md', '--', 'sh', '-c', stubborn);
  const agent = Number(await fileThere(join(folder, 'agent.log')));
  process.kill(pid, 'SIGINT');
  await wait(50);
  process.kill(pid, 'SIGINT');
  const { signal, code } = await ended;
  expect([signal, code]).toSatisfy(([name, number]) => name === 'SIGINT' || number === 130);
  while (isThere(agent)) await wait(20);
});

describe('unrut run', () => {
  it('ends an attempt at a task that hangs', async () => {
    const { unrut } = makePlace({ 'roadmap.yaml': 'tasks:\n  - id: T\n    prompt: Do it.\n' });
    const { code, stderr } = await unrut(
      'roadmap.yaml',
      '--iteration-timeout',
      '1s',
      '--max-errors',
      '1',
      '--',
      ...badAgent('hangs'),
    );
    expect(code).toBe(2);
    expect(stderr).toContain('it timed out after 1 second');
  });

  it('says in its help how long an iteration may take', async () => {
    const { command } = makePlace();
    const { stdout } = await command('help', 'run');
    expect(stdout).toContain('stop an iteration that takes longer (default 15m)');
    expect((await command('--help')).stdout).toContain(
      'unrut run and unrut cua have codes of their own',
    );
  });

  it('waits out a limit of the provider, and adds what a person notes next to the prompt', async () => {
    const { unrut, folder } = makePlace({
      'PROMPT.md': 'Do it.',
      'PROMPT.notes.md': 'Use the blue one.',
    });
    const script = `cat > seen.log; if [ ! -e tried.log ]; then echo x > tried.log; echo "Rate limit reached. Try again in 1s."; exit 1; fi; echo TASK_COMPLETE`;
    const { code, stderr } = await unrut(
      'PROMPT.md',
      '--max-errors',
      '1',
      '--',
      'sh',
      '-c',
      script,
    );
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(
      "The provider's limit is reached: Rate limit reached. Try again in 1s.",
    );
    expect(stderr).toContain('Done after 1 iteration');
    expect(stderr).toContain('nothing checked it');
    expect(readFileSync(join(folder, 'seen.log'), 'utf8')).toContain('Use the blue one.');
  });
});
