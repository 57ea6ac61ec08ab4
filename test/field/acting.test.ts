import type { AgentEvent, Capability } from '@unrut/engine/event';
import { describe, expect, test } from 'vitest';
import { createGuard, type GuardOptions, type Plan } from '../../packages/cli/src/index.ts';

/** Findings of the field study on acting, each with its honest twin. */

interface Step {
  tool: string;
  args: object;
  result?: unknown;
  failed?: true;
  exitCode?: number;
  /** Seconds before it; 5 unless said. */
  wait?: number;
}

const CAN: Capability[] = ['note', 'hint', 'block', 'escalate', 'stop'];

/** An agent that obeys refusals, in a host that announces its calls. */
function agentIn(options: GuardOptions = {}, announces = true) {
  const guard = createGuard({ can: CAN, ...options });
  const plans: Plan[] = [];
  let at = 1_760_000_000_000;
  let calls = 0;
  const see = (event: object): Plan | null => {
    const { plan, faults } = guard.observe({ session: 's', at, ...event } as unknown as AgentEvent);
    expect(faults).toEqual([]);
    if (plan) plans.push(plan);
    return plan;
  };
  /** The rung of what the call led to; `-` for nothing. */
  const call = ({ tool, args, result, failed, exitCode, wait = 5 }: Step): string => {
    at += wait * 1000;
    const one = { id: `c${++calls}`, tool, args };
    const before = announces ? see({ type: 'call-proposed', call: one }) : null;
    at += 10;
    if (before?.rung === 'block') {
      see({ type: 'call-finished', call: one, refusedBy: 'unrut', result: before.toModel });
      return 'block';
    }
    const after = see({
      type: 'call-finished',
      call: one,
      result,
      ...(failed ? { error: true } : {}),
      exitCode,
    });
    return (before ?? after)?.rung ?? '-';
  };
  return {
    plans,
    call,
    calls: (count: number, step: Step | ((i: number) => Step)): string[] =>
      Array.from({ length: count }, (_, i) => call(typeof step === 'function' ? step(i) : step)),
    speak: () => see({ type: 'user-spoke', text: 'Go on.' }),
  };
}

const bash = (command: string, result: string, exitCode = 0): Step => ({
  tool: 'Bash',
  args: { command },
  result,
  exitCode,
});
const RED = 'FAIL a.test.ts\n 1 failed, 3 passed\nExpected 1 received 2';
const redTest = (result = RED): Step => ({
  tool: 'Bash',
  args: { command: 'npm test' },
  result,
  failed: true,
});
const edit = (i: number, file = '/repo/src/b.ts'): Step => ({
  tool: 'Edit',
  args: {
    file_path: file,
    old_string: `const limit = ${i};`,
    new_string: `const limit = ${i + 1};\n// idea ${i}`,
  },
  result: `The file ${file} has been updated.`,
});
const missingFile: Step = {
  tool: 'read_text_file',
  args: { path: '/repo/out.txt' },
  result: "ENOENT: no such file or directory, open '/repo/out.txt'",
  failed: true,
};
const click = (more: Partial<Step>): Step => ({
  tool: 'browser_click',
  args: { element: 'Sign in', ref: 'e12' },
  ...more,
});

describe('the call that would show that the recovery worked runs', () => {
  const write = (path: string): Step => ({
    tool: 'write_file',
    args: { path, content: 'made' },
    result: `Successfully wrote to ${path}`,
  });
  const cases: [string, Step, Step][] = [
    ['a missing file is written', missingFile, write('/repo/out.txt')],
    [
      'a file is written into a listed folder',
      {
        tool: 'list_directory',
        args: { path: '/repo/docs' },
        result: '[FILE] one.md\n[FILE] two.md',
      },
      write('/repo/docs/three.md'),
    ],
    [
      'what is searched for is written',
      {
        tool: 'search_files',
        args: { path: '/repo', pattern: 'notes.md' },
        result: 'No matches found',
      },
      write('/repo/notes.md'),
    ],
    [
      'a dialog is dealt with',
      click({
        result:
          '### Error\nError: Tool "browser_click" does not handle the modal state. [confirm dialog]',
        failed: true,
      }),
      {
        tool: 'browser_handle_dialog',
        args: { accept: true },
        result: '### Page\n- Page URL: http://localhost/',
      },
    ],
    [
      'a field is filled in',
      click({
        result:
          '### Page\n- Page URL: http://localhost/login\n- Page Title: Sign in to the shop\n- alert: Enter your e-mail address first',
      }),
      {
        tool: 'browser_type',
        args: { element: 'E-mail', ref: 'e9', text: 'a@example.org' },
        result: 'Typed into the field.',
      },
    ],
    [
      'a fresh snapshot gives the element the same reference',
      {
        tool: 'browser_click',
        args: { element: 'Save', ref: 'f1e2' },
        result: 'Error: Ref f1e2 not found in the current page snapshot.',
        failed: true,
      },
      {
        tool: 'browser_snapshot',
        args: {},
        result:
          '### Page\n- Page URL: http://localhost/\n- iframe [ref=f1]\n  - button "Save" [ref=f1e2]',
      },
    ],
    ['the code is edited', redTest(), edit(1)],
    [
      'a command of unknown reach ran',
      redTest(),
      bash('./fix-fixtures.sh', 'Rewrote 3 fixtures of the invoice tests.'),
    ],
  ];

  test.each(cases)('after %s', (_, repeated, between) => {
    const { call, calls } = agentIn();
    expect(calls(4, repeated).slice(0, 4)).toEqual(['-', '-', 'note', 'hint']);
    call(between);
    expect(call({ ...repeated, result: 'Something else altogether came of it this time.' })).toBe(
      '-',
    );
  });

  test.each(cases)('twin: without it, the fifth is refused (%s)', (_, repeated) => {
    const { call, calls, plans } = agentIn();
    calls(4, repeated);
    expect(call(repeated)).toBe('block');
    expect(plans.at(-1)!.toModel).toContain('4 times');
  });

  test('and a server that does not answer may be asked again: it may start', () => {
    const refused: Step = {
      tool: 'browser_navigate',
      args: { url: 'http://localhost:4000/' },
      result: 'Error: net::ERR_CONNECTION_REFUSED at http://localhost:4000/',
      failed: true,
    };
    expect(agentIn().calls(9, refused)).toEqual([
      '-',
      '-',
      'note',
      '-',
      '-',
      'hint',
      '-',
      '-',
      '-',
    ]);
  });

  test('after the answer was another one, whatever was due before', () => {
    const { call, calls } = agentIn();
    const read = (result: string, wait = 5): Step => ({
      tool: 'read_text_file',
      args: { path: '/repo/state.txt' },
      result,
      wait,
    });
    calls(4, read('not created yet, come back later'));
    call(read('created now: 42 entries were imported from the archive', 20));
    expect(call(read('created now: 42 entries were imported from the archive', 1))).toBe('-');
  });

  test('and in a response in which it comes after the write', () => {
    const guard = createGuard({ can: CAN });
    const { call, calls } = agentIn();
    calls(4, missingFile);
    expect(call(missingFile)).toBe('block');
    // Both are announced before either has run.
    const at = 1_760_000_000_000;
    const event = (
      type: string,
      i: number,
      { tool, args, result }: Step,
      done = false,
    ): AgentEvent =>
      ({
        type,
        session: 's',
        at: at + 1000 * i,
        batch: `b${i}`,
        call: { id: `c${i}${tool}`, tool, args },
        ...(done ? { result, error: tool !== 'write_file' } : {}),
      }) as unknown as AgentEvent;
    for (let i = 0; i < 4; i++) {
      guard.observe(event('call-proposed', i, missingFile));
      guard.observe(event('call-finished', i, missingFile, true));
    }
    expect(guard.observe(event('call-proposed', 4, write('/repo/out.txt'))).plan).toBeNull();
    expect(guard.observe(event('call-proposed', 4, missingFile)).plan).toBeNull();
  });
});

describe('where only a part of the world is seen, a refusal ends by itself', () => {
  const can = CAN.filter((rung) => rung !== 'stop');
  const read: Step = {
    tool: 'read_text_file',
    args: { path: '/repo/app.txt' },
    result: 'the shop is built from parts',
    wait: 1,
  };

  test('a read runs again after 2, 4, 8 refusals', () => {
    const { calls } = agentIn({ can, partial: true });
    const runs = calls(24, read).flatMap((rung, i) => (rung === 'block' ? [] : [i + 1]));
    expect(runs).toEqual([1, 2, 3, 4, 6, 9, 14, 23]);
  });

  test('and the first other answer ends it', () => {
    const { call, calls } = agentIn({ can, partial: true });
    calls(8, read);
    const done = { ...read, result: 'BUILD DONE in 14 s, 212 files written to dist' };
    expect([call(done), call(done), call(done)]).toEqual(['-', '-', '-']);
  });

  test('twin: where all is seen, it is refused for as long as the answer holds', () => {
    const { calls } = agentIn({ can });
    const runs = calls(24, read).flatMap((rung, i) => (rung === 'block' ? [] : [i + 1]));
    expect(runs).toEqual([1, 2, 3, 4, 6]);
  });

  test('also at a slower pace: only somebody’s work changes a file', () => {
    const { calls } = agentIn({ can });
    const runs = calls(24, { ...read, wait: 10 }).flatMap((rung, i) =>
      rung === 'block' ? [] : [i + 1],
    );
    expect(runs).toEqual([1, 2, 3, 4, 6]);
  });
});

describe('before a stop that nobody is asked about, the agent is asked for its report', () => {
  const cat = bash('cat missing.txt', 'cat: missing.txt: No such file or directory', 1);

  test('once, with every tool refused, and then the run ends with a reason', () => {
    const { call, calls, plans } = agentIn({ attended: false });
    expect(calls(8, cat)).toEqual([
      '-',
      '-',
      'note',
      'hint',
      'block',
      'escalate',
      'block',
      'block',
    ]);
    expect(plans.at(-1)!.toModel).toMatch(
      /report: what you tried, what you know, and what is needed/,
    );
    expect(call(bash('ls', 'a.txt  b.txt'))).toBe('block');
    expect(call(cat)).toBe('stop');
    expect(plans.at(-1)!.toHuman).toContain('cat missing.txt');
    expect(plans.filter(({ rung }) => rung === 'escalate')[0]!.toModel).not.toContain(
      'asks a human',
    );
  });

  test('if nothing can be blocked, in a note next to a result', () => {
    const { calls, plans } = agentIn({
      attended: false,
      can: ['note', 'hint', 'escalate', 'stop'],
    });
    expect(calls(8, cat)).toEqual(['-', '-', 'note', 'hint', 'escalate', '-', 'escalate', 'stop']);
    expect(plans.filter(({ toModel }) => toModel.includes('Call no more tools'))).toHaveLength(1);
  });

  test('twin: who gets out of it after all is not stopped', () => {
    const { call, calls } = agentIn({ attended: false, can: ['note', 'hint', 'escalate', 'stop'] });
    calls(7, cat);
    expect(
      call(
        bash(
          'ls -la',
          'total 8\n-rw-r--r-- 1 dev dev 12 missing-file.txt\n-rw-r--r-- 1 dev dev 40 notes.txt',
        ),
      ),
    ).toBe('-');
    expect(call(bash('cat missing-file.txt', 'hello from here'))).toBe('-');
  });

  test('twin: where a person is asked, no report is asked for', () => {
    const { calls, plans } = agentIn();
    expect(calls(9, cat)).toEqual([
      '-',
      '-',
      'note',
      'hint',
      'block',
      'escalate',
      'block',
      'block',
      'stop',
    ]);
    expect(plans.some(({ toModel }) => toModel.includes('Call no more tools'))).toBe(false);
    expect(plans.find(({ rung }) => rung === 'escalate')!.toModel).toContain('asks a human');
  });
});

describe('after a stop and a word of a person', () => {
  const cat = bash('cat missing.txt', 'cat: missing.txt: No such file or directory', 1);

  test('the same loop is reported again, two rungs below the stop', () => {
    const { calls, speak } = agentIn();
    expect(calls(9, cat).at(-1)).toBe('stop');
    speak();
    expect(calls(8, cat)).toEqual(['-', '-', '-', 'block', 'escalate', 'block', 'block', 'stop']);
  });

  test('another loop begins with a note', () => {
    const { calls, speak } = agentIn();
    calls(9, cat);
    speak();
    expect(calls(4, bash('cat other.txt', 'cat: other.txt: No such file or directory', 1))).toEqual(
      ['-', '-', 'note', 'hint'],
    );
  });

  test('twin: who heeds the person gets no note', () => {
    const { call, calls, speak } = agentIn();
    calls(9, cat);
    speak();
    expect([
      call(bash('ls', 'a.txt  b.txt')),
      call(bash('cat a.txt', 'the first line of a')),
    ]).toEqual(['-', '-']);
  });
});

describe('of several true statements the surest is said', () => {
  const toggle = (i: number): Step => ({
    tool: 'Edit',
    args: {
      file_path: '/repo/calc.py',
      old_string: `return ${1 + (i % 2)}`,
      new_string: `return ${2 - (i % 2)}`,
    },
    result: 'The file /repo/calc.py has been updated.',
  });

  test('that a file was restored to what it had been, and not that it was edited', () => {
    const { call, plans } = agentIn();
    for (let i = 0; i < 6; i++) {
      call(toggle(i));
      call(bash('bash t.sh', `${10 + i}:0${i}:00 expected 7 in calc.py, line ${i}`, 1));
    }
    const said = plans.map(({ reason }) => reason);
    expect(said.some((reason) => reason.startsWith('edit-revert'))).toBe(true);
    const revert = plans.find(({ reason }) => reason.startsWith('edit-revert'))!;
    expect(
      plans
        .slice(0, plans.indexOf(revert))
        .every(({ reason }) => !reason.startsWith('edit-streak')),
    ).toBe(true);
  });

  test('and the same is not said again before its count has doubled', () => {
    const { calls, plans } = agentIn();
    calls(12, (i) => edit(i));
    const gists = plans.map(({ toModel }) => toModel.replace(/\d+(?:st|nd|rd|th)?/g, '#'));
    for (const gist of new Set(gists))
      expect(gists.filter((each) => each === gist).length).toBeLessThanOrEqual(3);
  });
});

describe('in order, and true', () => {
  const cat = bash('cat missing.txt', 'cat: missing.txt: No such file or directory', 1);

  test('after the report the call is refused until the last time, which is the stop', () => {
    expect(agentIn().calls(9, cat)).toEqual([
      '-',
      '-',
      'note',
      'hint',
      'block',
      'escalate',
      'block',
      'block',
      'stop',
    ]);
  });

  test('a call that ran is not said not to have run', () => {
    const { calls, plans } = agentIn({}, false);
    expect(calls(8, cat)).toEqual(['-', '-', 'note', 'hint', 'escalate', '-', '-', 'stop']);
    expect(plans.some(({ toModel }) => toModel.includes('not run'))).toBe(false);
  });
});

describe('a person is being asked only where one is', () => {
  test.each([true, false])('attended: %j', (attended) => {
    const { calls, plans } = agentIn({ attended });
    calls(6, redTest());
    expect(plans.find(({ rung }) => rung === 'escalate')!.toModel.includes('asks a human')).toBe(
      attended,
    );
  });
});

describe('force follows certainty', () => {
  const height = (rungs: string[]): number =>
    Math.max(...rungs.map((rung) => ['-', 'note', 'hint', ...CAN.slice(2)].indexOf(rung)));
  const HINT = 2;
  const NOTE = 1;
  const names = [
    'LegacyMapper',
    'parseXml',
    'FtpUploader',
    'colorTable',
    'useJquery',
    'Backbone',
    'flash',
    'Soap',
    'Gopher',
    'Telnet',
    'Archie',
    'Finger',
  ];

  const weak: [string, (i: number) => Step][] = [
    [
      'searches for different names that find nothing',
      (i) => ({ tool: 'Grep', args: { pattern: names[i] }, result: 'No files found' }),
    ],
    ['grep that finds nothing', (i) => bash(`grep -rn "${names[i]}" src`, '', 1)],
    ['empty folders', (i) => bash(`ls ${names[i]}`, '')],
    [
      'pages that are not there',
      (i) => ({
        tool: 'WebFetch',
        args: { url: `https://example.org/${names[i]}` },
        result: 'HTTP 404 Not Found',
        failed: true,
      }),
    ],
    ['programs that are not installed', (i) => bash(`which ${names[i]}`, '', 1)],
    [
      'records that are not found',
      (i) => ({
        tool: 'get_customer',
        args: { id: names[i] },
        result: 'Error: customer not found',
        failed: true,
      }),
    ],
    [
      'messages to different people that fail',
      (i) => ({
        tool: 'send_message',
        args: { to: names[i], text: 'Hello' },
        result: 'Error: recipient unavailable',
        failed: true,
      }),
    ],
  ];
  test.each(weak)('%s get at most a hint', (_, step) => {
    expect(height(agentIn().calls(12, step))).toBeLessThanOrEqual(HINT);
  });

  test('twin: one search that finds nothing, over and over, is stopped', () => {
    expect(
      agentIn().calls(12, { tool: 'Grep', args: { pattern: 'Legacy' }, result: 'No files found' }),
    ).toContain('stop');
  });

  test('an act whose receipt says nothing gets at most a note', () => {
    const rungs = agentIn().calls(12, {
      tool: 'browser_click',
      args: { element: 'Next', ref: 'e5' },
      result: 'ok',
    });
    expect(height(rungs)).toBeLessThanOrEqual(NOTE);
  });

  test('what nobody knows the result of gets at most a note', () => {
    expect(
      height(agentIn().calls(12, { tool: 'browser_press_key', args: { key: 'ArrowDown' } })),
    ).toBeLessThanOrEqual(NOTE);
  });

  test('different edits and the same test, red each time, are never stopped nor refused', () => {
    const { call } = agentIn();
    const rungs = Array.from({ length: 14 }, (_, i) => [
      call(edit(i, `/repo/src/${names[i % 3]}.ts`)),
      call(redTest()),
    ]).flat();
    expect(height(rungs)).toBeLessThanOrEqual(HINT);
  });

  test('nor when the wrong value differs, or files are read in between', () => {
    const { call } = agentIn();
    const rungs = Array.from({ length: 12 }, (_, i) => [
      call(edit(i)),
      call({
        tool: 'Read',
        args: { file_path: '/repo/src/b.ts' },
        result: `1\tconst limit = ${i + 1};\n2\t// idea ${i}`,
      }),
      call(redTest(`FAIL a.test.ts\n 1 failed, 3 passed\nExpected 1 received ${i}`)),
    ]).flat();
    expect(height(rungs)).toBeLessThanOrEqual(HINT);
  });

  test('twin: the same red test without any edit is stopped', () => {
    expect(agentIn().calls(12, redTest())).toContain('stop');
  });

  test('twin: the same two edits to and fro with the same red test are stopped', () => {
    const { call } = agentIn();
    const toggled = (i: number): Step => ({
      tool: 'Edit',
      args: {
        file_path: '/repo/a.py',
        old_string: `x = ${i % 2}`,
        new_string: `x = ${1 - (i % 2)}`,
      },
      result: 'The file /repo/a.py has been updated.',
    });
    const rungs = Array.from({ length: 24 }, (_, i) => [call(toggled(i)), call(redTest())]).flat();
    expect(rungs).toContain('stop');
  });
});

describe('the pace of the ladder', () => {
  test('a stop comes at the third occurrence after the report, also where nothing can be refused', () => {
    const cat = bash('cat missing.txt', 'cat: missing.txt: No such file or directory', 1);
    expect(agentIn({ can: ['note', 'hint', 'escalate', 'stop'] }).calls(8, cat)).toEqual([
      '-',
      '-',
      'note',
      'hint',
      'escalate',
      '-',
      '-',
      'stop',
    ]);
  });

  test('a host that can only refuse does so', () => {
    const cat = bash('cat missing.txt', 'cat: missing.txt: No such file or directory', 1);
    expect(agentIn({ can: ['block'] }).calls(5, cat)).toEqual(['-', '-', '-', 'block', 'block']);
  });

  test('a host that can do little but stop does not before the eighth time', () => {
    const cat = bash('cat missing.txt', 'cat: missing.txt: No such file or directory', 1);
    expect(agentIn({ can: ['stop'] }).calls(8, cat)).toEqual([...Array(7).fill('-'), 'stop']);
    expect(agentIn({ can: ['note', 'stop'] }).calls(8, cat)).toEqual([
      '-',
      '-',
      'note',
      '-',
      '-',
      '-',
      'note',
      'stop',
    ]);
  });

  test.each([[['stop']], [['note', 'hint', 'escalate', 'stop']], [CAN]])(
    '%j: nobody is stopped within ten steps after something new',
    (can) => {
      const cat = bash('cat missing.txt', 'cat: missing.txt: No such file or directory', 1);
      const { call, calls } = agentIn({ can: can as Capability[] });
      call({
        tool: 'Read',
        args: { file_path: '/repo/src/a.ts' },
        result: '1\texport const value = 77;',
      });
      const rungs = calls(10, cat);
      expect([rungs.slice(0, 9).includes('stop'), rungs.at(-1)]).toEqual([false, 'stop']);
    },
  );

  test('nor after an act of which nobody can say what it did', () => {
    const cat = bash('cat missing.txt', 'cat: missing.txt: No such file or directory', 1);
    const next: Step = {
      tool: 'browser_click',
      args: { element: 'Next', ref: 'e5' },
      result: 'ok',
    };
    const { call, calls } = agentIn();
    calls(2, next);
    expect(calls(9, cat)).not.toContain('stop');
    expect(call(cat)).toBe('stop');
  });

  test('what goes forward in between puts the stop off', () => {
    const cat = bash('cat missing.txt', 'cat: missing.txt: No such file or directory', 1);
    const { call } = agentIn({ can: ['note', 'hint', 'escalate', 'stop'] });
    const read = (i: number): Step => ({
      tool: 'Read',
      args: { file_path: `/repo/src/${i}.ts` },
      result: `1\texport const value${i} = ${i * 77};`,
    });
    const rungs = Array.from({ length: 40 }, (_, i) => call(i % 4 === 3 ? read(i) : cat));
    expect(rungs).not.toContain('stop');
  });
});

describe('an outcome counts what happened in the world', () => {
  const end = (guard: ReturnType<typeof createGuard>) =>
    guard.observe({ type: 'session-ended', session: 's', at: 9e12 }).outcomes;
  /** A guard that has just made a note, and its plan. */
  function noted() {
    const guard = createGuard({ can: CAN });
    const lookup = (i: number) =>
      guard.observe({
        type: 'call-finished',
        session: 's',
        at: 5000 * i,
        call: { id: `c${i}`, tool: 'lookup_order', args: { order: 7 } },
        result: 'Order 7 was shipped on Monday.',
      });
    const plan = [1, 2, 3].map(lookup).at(-1)!.plan!;
    return { guard, plan };
  }
  const say = (i: number): AgentEvent => ({
    type: 'text-added',
    session: 's',
    at: 20_000 + i,
    channel: 'answer',
    done: true,
    text: `Done: I have fixed number ${i} and all is well now.`,
  });
  const write = (i: number): AgentEvent => ({
    type: 'call-finished',
    session: 's',
    at: 30_000 + 5000 * i,
    call: {
      id: `w${i}`,
      tool: 'Write',
      args: { file_path: `/repo/src/${i}.ts`, content: `export const part${i} = ${i * 31};` },
    },
    result: `The file /repo/src/${i}.ts has been created.`,
  });

  test('a refusal has helped when the call later brings something else, and not when it brings the same', () => {
    const outcomesOf = (after: Step): string[] => {
      const guard = createGuard({ can: CAN });
      let at = 1_760_000_000_000;
      const found: string[] = [];
      const step = ({ tool, args, result, failed, wait = 5 }: Step, id: number): void => {
        at += wait * 1000;
        const call = { id: `c${id}`, tool, args };
        const see = (event: object): Plan | null => {
          at += 10;
          const { plan, outcomes } = guard.observe({
            session: 's',
            at,
            call,
            ...event,
          } as unknown as AgentEvent);
          found.push(
            ...outcomes.filter(({ rung }) => rung === 'block').map(({ outcome }) => outcome),
          );
          return plan;
        };
        if (see({ type: 'call-proposed' })?.rung === 'block')
          see({ type: 'call-finished', refusedBy: 'unrut', result: '' });
        else see({ type: 'call-finished', result, ...(failed ? { error: true } : {}) });
      };
      for (const [id, each] of [...Array<Step>(5).fill(missingFile), after].entries())
        step(each, id);
      guard.observe({ type: 'session-ended', session: 's', at: at + 1 } as AgentEvent);
      return found;
    };
    const { failed: _, ...there } = missingFile;
    expect(outcomesOf({ ...there, result: 'here now', wait: 60 })).toEqual(['recovered']);
    expect(outcomesOf({ ...missingFile, wait: 60 })).toEqual(['persisted']);
  });

  test('talk neither uses up the time nor counts as a recovery', () => {
    const { guard, plan } = noted();
    const during = Array.from({ length: 6 }, (_, i) => guard.observe(say(i)).outcomes).flat();
    expect(during.filter((outcome) => outcome.plan === plan.id)).toEqual([]);
    expect(end(guard).find((outcome) => outcome.plan === plan.id)).toMatchObject({
      outcome: 'unknown',
    });
  });

  test('twin: what the agent does after its talk counts', () => {
    const { guard, plan } = noted();
    for (let i = 0; i < 6; i++) guard.observe(say(i));
    const outcomes = Array.from({ length: 5 }, (_, i) => guard.observe(write(i)).outcomes).flat();
    expect(outcomes.find((outcome) => outcome.plan === plan.id)).toMatchObject({
      outcome: 'recovered',
    });
  });

  test('a plan that no host performed has not helped, and is recorded as failed', () => {
    const { guard, plan } = noted();
    guard.observe({
      type: 'plan-performed',
      session: 's',
      at: 16_000,
      plan: plan.id,
      rung: 'note',
      failed: true,
    });
    expect(
      Array.from({ length: 5 }, (_, i) => guard.observe(write(i)).outcomes).flat(),
    ).toMatchObject([{ outcome: 'unknown', failed: true }]);
  });
});
