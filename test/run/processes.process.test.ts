import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runAgentCommand } from '@unrut/tasks/run/run-agent-command';
import { describe, expect, it, vi } from 'vitest';
import { whatItSaid } from '../../packages/tasks/src/iteration.ts';
import { badAgent, isThere, makePlace } from './place.ts';

const never = new AbortController().signal;

function start(
  behaviour: string[],
  options: {
    timeout?: number;
    stall?: number;
    signal?: AbortSignal;
    folder?: string;
    show?: (text: string) => void;
  } = {},
) {
  const { folder = makePlace().folder, signal = never, ...rest } = options;
  return runAgentCommand(badAgent(...behaviour), 'Get the test to pass.', {
    run: 'run-test',
    cwd: folder,
    signal,
    ...rest,
  });
}

describe('an agent that', () => {
  it('hangs is ended when its time is over', async () => {
    const turn = await start(['hangs'], { timeout: 300 });
    expect(turn).toMatchObject({
      failed: true,
      wasStopped: false,
      problem: 'it timed out after 0 seconds',
    });
  });

  it('prints nothing new is ended, and its problem says for how long', async () => {
    const turn = await start(['hangs'], { stall: 1000 });
    expect(turn).toMatchObject({
      failed: true,
      wasStopped: false,
      problem: 'it stalled: nothing new was printed for 1 second',
    });
  });

  const prints = (line: string, stall: number) =>
    runAgentCommand(
      [
        process.execPath,
        '-e',
        `let n = 0; const t = setInterval(() => { console.log(${line}); if (++n === 12) clearInterval(t); }, 500);`,
        '{prompt}',
      ],
      'Go.',
      { run: 'run-test', cwd: makePlace().folder, signal: never, stall },
    );

  it('prints the same line with a growing number has stalled', async () => {
    const turn = await prints('"still waiting, " + n + " s"', 3000);
    expect(turn.problem).toBe('it stalled: nothing new was printed for 3 seconds');
  });

  it('prints something new each time has not stalled, however long it takes', async () => {
    const turn = await prints('"step " + String.fromCharCode(97 + n) + " is done"', 3000);
    expect(turn).toMatchObject({ failed: false, exitCode: 0 });
  });

  it('prints how far it is has not stalled, if that grows', async () => {
    const turn = await prints('"built " + (n + 1) + "/12 of the targets"', 3000);
    expect(turn).toMatchObject({ failed: false, exitCode: 0 });
  });

  it('ignores being asked to end is killed', async () => {
    const stop = new AbortController();
    const turn = await start(['ignores-signals'], {
      signal: stop.signal,
      show: () => stop.abort(),
    });
    expect(turn).toMatchObject({ failed: true, wasStopped: true, signal: 'SIGKILL' });
  });

  it('prints a gigabyte is shown all of it and kept in little memory', async () => {
    let shown = 0;
    const before = process.memoryUsage().rss;
    const turn = await start(['floods', String(2 ** 30)], {
      show: (text) => {
        shown += text.length;
      },
    });
    expect(shown).toBeGreaterThan(2 ** 30);
    expect(turn.output.length).toBeLessThan(70_000);
    expect(turn.output).toMatch(/TASK_COMPLETE\n$/);
    expect(process.memoryUsage().rss - before).toBeLessThan(300e6);
  });

  it('dies by a signal has failed', async () => {
    expect(await start(['dies', 'SIGKILL'])).toMatchObject({
      failed: true,
      exitCode: null,
      signal: 'SIGKILL',
      problem: 'it was killed by SIGKILL',
    });
  });

  it('ends with 0 but prints only an error has failed', async () => {
    const turn = await start(['prints-an-error']);
    const { failed, problem } = whatItSaid(turn, 'TASK_COMPLETE', '');
    expect({ failed, exitCode: turn.exitCode }).toEqual({ failed: true, exitCode: 0 });
    expect(problem).toContain('API Error: 529 overloaded');
  });

  it('asks for input gets none, and that is said', async () => {
    const turn = await start(['asks']);
    expect(turn.failed).toBe(false);
    expect(turn.problem).toBe(
      'it asked for input, which nobody can give here: Overwrite cart.ts? [y/N]',
    );
  });

  it('starts children leaves none of them, not even those that have left its group', async () => {
    const { folder } = makePlace();
    const turn = await start(['forks', join(folder, 'pids')], { folder });
    const pids = readFileSync(join(folder, 'pids'), 'utf8').trim().split('\n').map(Number);
    const printed = Number(/^\d+$/m.exec(turn.output)?.[0]);
    // The machine may take a moment to forget those whose parent is gone.
    await vi.waitFor(() => expect([...pids, printed].filter(isThere)).toEqual([]), 20_000);
    expect(turn).toMatchObject({ failed: false, exitCode: 0 });
    expect(turn.output).toContain('Started a server.');
  });

  it('has a notification under way is ended, and the notification arrives all the same', async () => {
    const { folder } = makePlace();
    const told = join(folder, 'told');
    const notify = new URL('../../packages/ledger/src/notify/notify.ts', import.meta.url);
    const plan = {
      rung: 'escalate',
      reason: 'r/v',
      recovery: 'ask-human',
      toHuman: 'Please have a look.',
    };
    const tells = `import(${JSON.stringify(notify)}).then(({ notify }) => notify(${JSON.stringify({ command: `sleep 1; echo told >> '${told}'` })},
      ${JSON.stringify({ plan, session: 's', at: 0 })}))`;
    const command = [process.execPath, '--eval', tells] as [string, ...string[]];
    const turn = await runAgentCommand(command, 'Hello', {
      run: 'run-test',
      cwd: folder,
      signal: never,
    });
    expect(turn).toMatchObject({ failed: false, output: '' });
    await vi.waitFor(() => expect(readFileSync(told, 'utf8')).toBe('told\n'), 9_000);
  });

  it('does not exist was never started', async () => {
    const turn = await runAgentCommand(['no-such-agent'], 'Hello', {
      run: 'run-test',
      cwd: makePlace().folder,
      signal: never,
    });
    expect(turn).toMatchObject({
      neverStarted: true,
      failed: true,
      problem: 'command not found: no-such-agent',
    });
  });
});

describe('the prompt', () => {
  it('is what the command reads from standard input', async () => {
    expect((await start(['echoes'])).output).toBe('Get the test to pass.');
  });

  it('takes the place of {prompt} in an argument, as it is', async () => {
    const prompt = 'Fix "it" for $1 and $& in `x`;\nthen stop';
    const print = [process.execPath, '-e', 'console.log(process.argv[1])', 'task: {prompt}!'] as [
      string,
      ...string[],
    ];
    const turn = await runAgentCommand(print, prompt, {
      run: 'run-test',
      cwd: makePlace().folder,
      signal: never,
    });
    expect(turn.output).toBe(`task: ${prompt}!\n`);
  });
});
