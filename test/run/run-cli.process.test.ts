import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { describe, expect, it, vi } from 'vitest';
import { badAgent, type Ended, makePlace, type Place } from './place.ts';

const examples = fileURLToPath(new URL('../../examples', import.meta.url));

/** How often the agent was run, and how the command ended. */
const briefly = ({ code, stderr }: Ended) => ({
  code,
  iterations: stderr.match(/iteration \d+ of/g)?.length ?? 0,
});

const linesIn = (file: string): string[] => {
  try {
    return readFileSync(file, 'utf8').trim().split('\n');
  } catch {
    return [];
  }
};

describe("a newcomer's path", () => {
  const path = (...more: string[]) =>
    makePlace().unrut(
      join(examples, 'PROMPT.md'),
      '--',
      process.execPath,
      join(examples, 'toy-agent.mjs'),
      ...more,
    );

  it('the toy agent loops, is caught, reads the note, and finishes', async () => {
    const ended = await path();
    expect(briefly(ended)).toEqual({ code: 0, iterations: 4 });
    expect(ended.stdout).toContain('## Loop Detected');
    expect(ended.stdout).toContain('← Loop detected');
    expect(ended.stdout).not.toContain('**Options**');
    expect(ended.stderr).toContain(
      'No terminal to ask at: continuing; the agent is warned about the loop',
    );
    expect(ended.stderr).toContain('Done after 4 iterations');
  });

  it('the toy agent that does not listen is stopped at its second loop', async () => {
    const ended = await path('--stubborn');
    expect(briefly(ended)).toEqual({ code: 3, iterations: 6 });
    expect(ended.stdout.match(/## Loop Detected/g)).toHaveLength(2);
    const run = /unrut show (\S+)/.exec(ended.stderr)?.[1];
    expect(ended.stderr.trim().split('\n').slice(-3)).toEqual([
      `[unrut] Show what happened: unrut show ${run}`,
      `[unrut] Explain the loop: unrut explain --run ${run}`,
      '[unrut] Resume: unrut run --resume',
    ]);
  });
});

describe('the exit code', () => {
  it.each<[number, string, string[], string[]]>([
    [0, 'done', [], ['says-done']],
    [0, 'done, as its check passes', ['--check', 'test -e count.txt'], ['falls-to-none']],
    [0, 'done, after failures that fall', [], ['falls-to-none']],
    [2, 'at max_iterations', ['--max-iterations', '2'], ['same-fix']],
    [2, 'at consecutive_errors', [], ['other-errors']],
    [2, 'at max_runtime, which ends an agent that hangs', ['--max-runtime', '1s'], ['hangs']],
    [2, 'after three that took too long', ['--iteration-timeout', '1s'], ['hangs']],
    [3, 'in a loop', ['--on-loop', 'stop'], ['same-fix']],
    [2, 'after three errors, however alike', ['--on-loop', 'stop'], ['same-error']],
    [3, 'in a loop of two', ['--on-loop', 'stop', '--loop-threshold', '2'], ['same-fix']],
    [4, 'when a person is needed', ['--on-loop', 'escalate'], ['same-fix']],
  ])('is %i %s', async (code, _, options, agent) => {
    const ended = await makePlace().unrut('PROMPT.md', ...options, '--', ...badAgent(...agent));
    expect(ended.code, ended.stderr).toBe(code);
  });

  it.each<[string[], string]>([
    [['missing.md', '--', 'true'], 'it does not exist'],
    [['empty.md', '--', 'true'], 'is empty'],
    [
      ['PROMPT.md', '--', 'no-such-agent'],
      'Cannot run the agent: command not found: no-such-agent.',
    ],
    [
      ['long.md', '--', 'echo', '{prompt}'],
      'the prompt is too long for an argument of echo; leave {prompt} out',
    ],
    [['--resume'], 'No run was started'],
    [['--resume', 'run-1'], 'Unknown run `run-1`'],
    [['status'], 'No run was started'],
  ])('is 64 after one line when the run cannot begin: %j', async (args, said) => {
    const { unrut } = makePlace({
      'PROMPT.md': 'Do it.',
      'empty.md': '\n',
      'long.md': 'Do it. '.repeat(500_000),
    });
    const { code, stderr } = await unrut(...args);
    expect(stderr).toContain(said);
    expect(
      stderr
        .trim()
        .split('\n')
        .filter((line) => !line.includes('iteration 1 of')),
    ).toHaveLength(1);
    expect(code).toBe(64);
  });
});

describe('a run continues', () => {
  const interrupt = async ({ start, folder }: Place, signal: NodeJS.Signals) => {
    const { pid, ended } = await start(
      'PROMPT.md',
      '--max-iterations',
      '5',
      '--',
      ...badAgent('leaves-a-mark', join(folder, 'marks')),
    );
    await vi.waitFor(() => expect(linesIn(join(folder, 'marks')).length).toBeGreaterThan(2), {
      timeout: 30_000,
      interval: 20,
    });
    process.kill(pid, signal);
    return await ended;
  };

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'after %s, which ends it with 130',
    async (signal) => {
      const place = makePlace();
      const first = await interrupt(place, signal);
      expect(first.code, first.stderr).toBe(130);
      const second = await place.unrut('--resume');
      expect(second.code, second.stderr).toBe(2);
      expect(second.stderr).toContain('iteration 5 of 5');
      expect(linesIn(join(place.folder, 'marks')).filter((mark) => mark === 'begun')).toHaveLength(
        5,
      );
    },
  );

  it('after a limit, with a higher one', async () => {
    const { unrut } = makePlace();
    await unrut('PROMPT.md', '--max-iterations', '1', '--', ...badAgent('falls-to-none'));
    const { code, stderr } = await unrut('--resume', '--max-iterations', '9');
    expect({ code, first: /iteration \d+ of \d+/.exec(stderr)?.[0] }).toEqual({
      code: 0,
      first: 'iteration 2 of 9',
    });
  });

  it('after a limit, of which only the higher one is named', async () => {
    const { stderr } = await makePlace().unrut(
      'PROMPT.md',
      '--max-iterations',
      '1',
      '--',
      ...badAgent('same-fix'),
    );
    expect(stderr).toContain('Stopped at a limit after 1 iteration, ');
    expect(stderr).toContain('1 iteration was run.');
    expect(stderr.match(/unrut run --resume.*/g)).toEqual([
      'unrut run --resume --max-iterations 2',
    ]);
  });

  it('after a loop, with the advice in its prompt', async () => {
    const { unrut, folder } = makePlace();
    const prompts = join(folder, 'prompts.log');
    await unrut('PROMPT.md', '--on-loop', 'stop', '--', ...badAgent('keeps-prompts', prompts));
    await unrut('--resume', '--max-iterations', '4');
    expect(readFileSync(prompts, 'utf8').split('=====')[3]).toContain(
      'You are repeating yourself.',
    );
  });

  it('with the command said again, when that held a secret; the ledger does not', async () => {
    const { unrut, home } = makePlace();
    const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    await unrut('PROMPT.md', '--max-iterations', '1', '--', ...badAgent('same-fix', secret));
    expect((await unrut('--resume')).stderr).toContain('Give it again');
    const again = await unrut(
      '--resume',
      '--max-iterations',
      '2',
      '--',
      ...badAgent('says-done', secret),
    );
    expect(again.code, again.stderr).toBe(0);
    for (const file of ['ledger.db', 'ledger.db-wal', 'run.log'])
      expect(linesIn(join(home, file)).join('\n')).not.toContain('ghp_');
  });
});

describe('unrut run', () => {
  it('status --json gives the status object', async () => {
    const { unrut } = makePlace();
    await unrut('PROMPT.md', '--max-iterations', '2', '--', ...badAgent('same-fix'));
    expect(JSON.parse((await unrut('status', '--json')).stdout)).toMatchObject({
      running: false,
      tickCount: 2,
      loopDetection: { 'PROMPT.md': { attemptCount: 2, lastAttempt: expect.any(Number) } },
      ending: 'limit',
    });
  });

  it('--json prints nothing else on standard output', async () => {
    const { stdout, stderr } = await makePlace().unrut(
      'PROMPT.md',
      '--json',
      '--',
      ...badAgent('says-done'),
    );
    expect(JSON.parse(stdout)).toMatchObject({ ending: 'done', iterations: 1, signals: 0 });
    expect(stderr).toContain('All done.');
  });

  it('reads the prompt again before each iteration, and continues when it has gone', async () => {
    const { unrut, folder } = makePlace({ 'PROMPT.md': 'First words.\n' });
    const prompts = join(folder, 'prompts');
    const change = `require('fs').appendFileSync('prompts', require('fs').readFileSync(0)); require('fs').writeFileSync('PROMPT.md', 'Second words.')`;
    await unrut('PROMPT.md', '--max-iterations', '2', '--', process.execPath, '-e', change);
    expect(readFileSync(prompts, 'utf8')).toMatch(/^First words\.[\s\S]*Second words\./);
  });

  it('works where the ledger cannot be used, and says that it cannot be resumed', async () => {
    const { unrut, home } = makePlace();
    rmSync(home, { recursive: true });
    writeFileSync(home, 'a file where a folder should be');
    const { code, stderr } = await unrut(
      'PROMPT.md',
      '--on-loop',
      'stop',
      '--',
      ...badAgent('same-fix'),
    );
    expect(code, stderr).toBe(3);
    expect(stderr).toContain('This run cannot be resumed.');
  });

  it('keeps the outputs and the report in the ledger, and a log next to it', async () => {
    const { unrut, home } = makePlace();
    await unrut('PROMPT.md', '--on-loop', 'stop', '--', ...badAgent('same-fix'));
    const ledger = createSqliteLedger({ path: join(home, 'ledger.db') });
    const topics = (await ledger.context()).map(({ topic }) => topic);
    await ledger.close();
    expect(topics).toEqual([
      'iteration_output',
      'iteration_output',
      'iteration_output',
      'loop_escalation',
    ]);
    expect(readFileSync(join(home, 'run.log'), 'utf8')).toContain('Loop detected in iteration 3.');
  });

  it('notifies when a person is needed', async () => {
    const { unrut, folder, home } = makePlace();
    writeFileSync(
      join(home, 'unrut.config.json'),
      JSON.stringify({ notify: { command: `cat > ${join(folder, 'told')}` } }),
    );
    await unrut('PROMPT.md', '--on-loop', 'escalate', '--', ...badAgent('same-fix'));
    await vi.waitFor(
      () =>
        expect(linesIn(join(folder, 'told')).join('')).toContain(
          '3 iterations in a row reported the same change',
        ),
      20_000,
    );
  });
});
