import type { AgentEvent } from '@unrut/engine/event';
import { createGuard } from '@unrut/engine/guard';
import { describe, expect, test } from 'vitest';
import { blocksAndStops, force, play, type Turn, times } from './play.ts';

describe('hammering', () => {
  const away: Turn = { tool: 'fetch_report', args: { id: 7 }, error: 'HTTP 429 Too Many Requests' };

  test('ten calls in 30 seconds that are all turned away are held back, with the time to wait', () => {
    const { acts } = play({ turns: times(14, away), every: 0.3 });
    const blocks = acts.filter(({ rung }) => rung === 'block');
    expect(blocks.map(({ call }) => call)).toEqual([11, 12, 13, 14]);
    expect(blocks[0]!.text).toMatch(/Wait 5 seconds before you try again/);
    expect(blocks[0]!.reason).toBe('hammering/turned-away');
  });

  test('the hint to wait comes at the third call, and nothing more until calls are held back', () => {
    const { acts } = play({ turns: times(10, away), every: 0.3 });
    expect(acts.map(({ call, rung }) => `${call} ${rung}`)).toEqual(['3 hint']);
    expect(acts[0]!.text).toContain('was turned away 3 times');
    expect(acts[0]!.text).toMatch(/wait/i);
  });

  test.each([
    ['0.5 s longer each time', times(12, (i) => ({ ...away, after: 0.5 + 0.5 * i }))],
    ['twice as long each time', times(9, (i) => ({ ...away, after: 2 ** i }))],
  ])('twin: waits that are %s get one note and nothing else', (_name, turns) => {
    const { acts } = play({ turns });
    expect(acts.map(({ call, rung }) => `${call} ${rung}`)).toEqual(['3 note']);
  });

  test('the time that the server names counts', () => {
    const named = { ...away, error: 'HTTP 429 Too Many Requests, try again in 20s' };
    const { acts } = play({ turns: times(11, named), every: 0.3 });
    expect(acts.at(-1)!.text).toMatch(/Wait 20 seconds/);
  });

  test('a call proposed after that time runs, and the next wait is twice as long', () => {
    const turns = [...times(10, away), { ...away, after: 6 }, { ...away, after: 0.3 }];
    const { acts } = play({ turns, every: 0.3 });
    const blocks = acts.filter(({ rung }) => rung === 'block');
    expect(blocks.map(({ call }) => call)).toEqual([12]);
    expect(blocks[0]!.text).toMatch(/Wait 10 seconds/);
  });

  const above = (turns: Turn[], attended: boolean): string[] =>
    force(play({ turns, every: 0.3, attended })).filter((act) => !act.endsWith('block'));

  test('an agent that ignores 30 holds is put before a human, again at each doubling', () => {
    const acts = above(times(140, away), true);
    expect(acts.map((act) => act.split(' ')[1])).toEqual(['escalate', 'escalate', 'escalate']);
    expect(acts[0]).toBe('41 escalate');
  });

  test('unattended, its report is asked for, and the run is stopped', () => {
    expect(above(times(140, away), false)).toEqual(['41 escalate', '72 stop']);
  });

  test.each([
    [
      'an agent that waits as long as it is told',
      times(60, (i) => ({ ...away, after: i > 9 ? 61 : 0.3 })),
    ],
    [
      'an agent that gets through now and then',
      times(
        140,
        (i) =>
          (i % 25 === 24
            ? { ...away, error: undefined, result: `part ${i}`, after: 61 }
            : away) as Turn,
      ),
    ],
  ])('twin: %s is not stopped for ignoring holds', (_name, turns) => {
    for (const attended of [true, false])
      expect(
        play({ turns, every: 0.3, attended }).acts.filter(
          ({ rung, reason }) => rung !== 'block' && reason === 'hammering/turned-away',
        ),
      ).toEqual([]);
  });

  test('twin: the calls of one response ignore nothing', () => {
    const guard = createGuard({ attended: false });
    const rungs: (string | undefined)[] = [];
    const base = { session: 's', batch: 'one' };
    const call = (i: number) => ({ id: `c${i}`, tool: 'fetch_report', args: { id: i } });
    for (let i = 0; i < 80; i++) {
      const event = { ...base, at: i * 100, call: call(i) };
      const { plan } = guard.observe({ ...event, type: 'call-proposed' });
      rungs.push(plan?.rung);
      if (!plan)
        guard.observe({ ...event, type: 'call-finished', error: 'HTTP 429 Too Many Requests' });
    }
    expect(rungs).toContain('block');
    expect(rungs.filter((rung) => rung === 'escalate' || rung === 'stop')).toEqual([]);
  });

  test('a call with other arguments is held back too, and one of another tool is not', () => {
    const turns = [
      ...times(10, away),
      { ...away, args: { id: 8 } },
      { tool: 'read_notes', args: {}, result: 'the notes' },
    ];
    expect(force(play({ turns, every: 0.3 }))).toEqual(['11 block']);
  });

  test.each([
    ['with real back-off', times(12, (i) => ({ ...away, after: 0.5 + 0.4 * i }))],
    ['every four seconds', times(30, { ...away, after: 4 })],
    [
      'when a call gets through now and then',
      times(
        30,
        (i) => (i % 5 === 4 ? { ...away, error: undefined, result: `report ${i}` } : away) as Turn,
      ),
    ],
    [
      'when the connection is refused: a server may be starting',
      times(30, {
        run: 'curl -s localhost:3000',
        result: 'curl: (7) Failed to connect: Connection refused',
        exitCode: 7,
      }),
    ],
  ])('nothing is blocked %s', (_name, turns) => {
    expect(blocksAndStops(play({ turns, every: 0.3 }))).toEqual([]);
  });
});

describe('outer loops are minutes apart by nature', () => {
  const base = { session: 's' };
  const climb = (event: (i: number) => AgentEvent, count = 15, attended = false): string[] => {
    const guard = createGuard({ attended });
    const acts: string[] = [];
    for (let i = 0; i < count; i++) {
      const { plan } = guard.observe(event(i));
      if (plan) acts.push(plan.rung);
      if (plan?.rung === 'stop') break;
    }
    return acts;
  };
  const minute = 60_000;

  test('equal reports of iterations climb the whole ladder', () => {
    const acts = climb((i) => ({
      ...base,
      type: 'output-finished',
      at: i * minute,
      iteration: i,
      output:
        'I ran the tests. 3 failed in cart.test.ts: expected 3, got 4. I will fix the rounding next.',
    }));
    expect(acts).toContain('escalate');
    expect(acts.at(-1)).toBe('stop');
  });

  test('twin: iterations that report something else each time are left alone', () => {
    const acts = climb((i) => ({
      ...base,
      type: 'output-finished',
      at: i * minute,
      iteration: i,
      output: `Finished part ${i} of the plan: module-${i * 7} now has ${i + 3} tests, and ${40 - 2 * i} remain.`,
      moved: true,
    }));
    expect(acts).toEqual([]);
  });

  test('attempts at a task that stays blocked reach a human', () => {
    const acts = climb(
      (i) => ({
        ...base,
        type: 'task-attempted',
        at: i * 5 * minute,
        task: 'deploy',
        status: 'blocked',
        blockers: ['the staging server does not answer'],
        work: [],
        attemptSession: `a${i}`,
      }),
      15,
    );
    expect(acts.length).toBeGreaterThan(0);
  });
});

describe('checks are seen, whatever program they are', () => {
  const edit = (i: number): Turn => ({
    tool: 'Edit',
    args: { file_path: '/p/lib.json', old_string: `"n": ${i}`, new_string: `"n": ${i + 1}` },
    result: 'updated',
  });

  test.each([
    ['node run12.mjs', (i: number) => `${30 - i} of 30 cases fail`],
    [
      'make check',
      (i: number) => `not ok ${30 - i}\n# fail ${30 - i}\nmake: *** [Makefile:3: check] Error 1`,
    ],
    [
      'make test',
      (i: number) => `${30 - i} failed, ${i} passed\nmake: *** [Makefile:3: test] Error 1`,
    ],
    [
      'vendor/bin/phpunit',
      (i: number) => `FAILURES!\nTests: 30, Assertions: 30, Failures: ${30 - i}.`,
    ],
  ])(
    'an edit before each run of %s is no streak, and fewer failures are progress',
    (run, result) => {
      const turns = times(24, (i) =>
        i % 2 ? { run, result: result(i >> 1), exitCode: 1 } : edit(i >> 1),
      );
      expect(play({ turns }).acts).toEqual([]);
    },
  );

  test('twin: the same failure under make after each edit is a loop', () => {
    const turns = times(24, (i) =>
      i % 2
        ? {
            run: 'make test',
            result: '3 failed, 9 passed\nmake: *** [Makefile:3: test] Error 1',
            exitCode: 2,
          }
        : edit(i >> 1),
    );
    expect(play({ turns }).acts.length).toBeGreaterThan(0);
  });
});

describe('after a human acted', () => {
  const deploy: Turn = {
    run: 'node deploy.js',
    result: 'Error: no such secret DEPLOY_KEY',
    exitCode: 1,
  };
  test('a call whose cause was fixed runs at once', () => {
    const guard = createGuard();
    let at = 0;
    const call = (id: string) => ({ id, tool: 'Bash', args: { command: deploy.run } });
    let blocked = false;
    for (let i = 0; i < 8 && !blocked; i++) {
      at += 2000;
      const event = { session: 's', at, batch: `b${i}`, call: call(`c${i}`) };
      blocked = guard.observe({ ...event, type: 'call-proposed' }).plan?.rung === 'block';
      guard.observe({
        ...event,
        at: at + 9,
        type: 'call-finished',
        ...(blocked ? { refusedBy: 'unrut' } : { result: deploy.result, exitCode: 1 }),
      });
    }
    expect(blocked).toBe(true);
    guard.observe({ type: 'user-spoke', session: 's', at: at + 3000, text: 'the key is set' });
    const { plan } = guard.observe({
      type: 'call-proposed',
      session: 's',
      at: at + 4000,
      batch: 'x',
      call: call('y'),
    });
    expect(plan).toBeNull();
  });
});
