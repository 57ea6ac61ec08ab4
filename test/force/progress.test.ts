import { describe, expect, test } from 'vitest';
import { force, type Played, play, type Turn, times } from './play.ts';

/** An honest run that must not be asked about, and the loop that resembles it, which must be. */
interface Pair {
  name: string;
  honest(i: number): Turn;
  loop(i: number): Turn;
  count?: number;
  every?: number;
}

const edit = (i: number, file = `/p/src/a${i}.py`): Turn => ({
  tool: 'Edit',
  args: { file_path: file, old_string: `old ${i}`, new_string: `new ${i}` },
  result: `The file ${file} has been updated.`,
});
/** An edit, then a run of a command that fails. */
const editAndRun =
  (run: string, result: (round: number) => string) =>
  (i: number): Turn =>
    i % 2 === 0 ? edit(i >> 1) : { run, result: result(i >> 1), exitCode: 1 };
const MISSING = "TypeError: f() missing 1 required positional argument: 'ctx'";
const UNDEFINED = "TypeError: Cannot read properties of undefined (reading 'theme')";

const PAIRS: readonly Pair[] = [
  {
    name: 'the next test fails with the same message (pytest -x)',
    honest: editAndRun(
      'pytest -x -q',
      (i) => `FAILED tests/test_m${i}.py::test_ok - ${MISSING}\n1 failed, ${i} passed in 0.3s`,
    ),
    loop: editAndRun(
      'pytest -x -q',
      () => `FAILED tests/test_m3.py::test_ok - ${MISSING}\n1 failed, 3 passed in 0.3s`,
    ),
  },
  {
    name: 'another test file fails, and passed tests are not counted (jest --bail)',
    honest: editAndRun(
      'npx jest --bail',
      (i) => `FAIL src/c${i}.test.js\n  ● renders\n    ${UNDEFINED}\nTests: 1 failed, 1 total`,
    ),
    loop: editAndRun(
      'npx jest --bail',
      () => `FAIL src/c3.test.js\n  ● renders\n    ${UNDEFINED}\nTests: 1 failed, 1 total`,
    ),
  },
  {
    name: 'more rows are imported each time, and one test repairs what the other breaks',
    honest: editAndRun(
      'python import.py',
      (i) => `row ${i}: ValueError: invalid date format\nimported ${i} rows, stopped`,
    ),
    loop: editAndRun(
      'python import.py',
      (i) => `row ${5 + (i % 2)}: ValueError: invalid date format\nimported ${5 + (i % 2)} rows`,
    ),
  },
  {
    name: 'two tests fail in turn',
    honest: editAndRun(
      'python -m unittest -f',
      (i) =>
        `ERROR: test_ok (tests.test_m${i}.T)\n${MISSING}\nRan ${i + 1} tests\nFAILED (errors=1)`,
    ),
    loop: editAndRun(
      'python -m unittest -f',
      (i) => `ERROR: test_ok (tests.test_m${i % 2}.T)\n${MISSING}\nRan 9 tests\nFAILED (errors=1)`,
    ),
  },
  {
    name: 'a row of files that cannot be read, and guesses at paths',
    honest: (i) => ({
      run: `sudo -u nobody cat /srv/app/f${i}.key`,
      result: `cat: /srv/app/f${i}.key: Permission denied`,
      exitCode: 1,
    }),
    loop: (i) => {
      const path = `/etc/secret/${['a', 'b', 'key', 'conf', 'db'][i % 5]}${i}`;
      return { run: `cat ${path}`, result: `cat: ${path}: Permission denied`, exitCode: 1 };
    },
  },
  {
    name: 'an audit of one folder after another, and one test with other options each time',
    honest: (i) => ({
      run: `npm audit --prefix apps/a${i}`,
      result: 'found 1 high severity vulnerability',
      exitCode: 1,
    }),
    loop: (i) => ({
      run: `pytest --maxfail=${i}`,
      result: 'FAILED test_a.py::test_x - assert 1 == 3\n1 failed in 0.12s',
      exitCode: 1,
    }),
  },
  {
    name: 'one seed after another, and one new script after another with the same error',
    honest: (i) => ({ run: `./solve --seed ${i}`, result: 'no solution', exitCode: 1 }),
    loop: (i) =>
      i % 2 === 0
        ? {
            tool: 'Write',
            args: { file_path: `/p/try_${i >> 1}.py`, content: `import numpy\nprint(${i})` },
            result: `Wrote /p/try_${i >> 1}.py`,
          }
        : {
            run: `python try_${i >> 1}.py`,
            result: "ModuleNotFoundError: No module named 'numpy'",
            exitCode: 1,
          },
  },
  {
    name: 'a debugger that moves from line to line, and one that stays',
    honest: (i) => ({
      tool: 'debug_step',
      args: { thread: 1 },
      result: { line: 10 + i, file: 'loop.c' },
    }),
    loop: () => ({ tool: 'debug_step', args: { thread: 1 }, result: { line: 10, file: 'loop.c' } }),
  },
  {
    name: 'a clock that goes, and one that has stopped',
    honest: (i) => ({ tool: 'get_time', args: {}, result: { time: `09:0${i % 10}:1${i % 6}` } }),
    loop: () => ({ tool: 'get_time', args: {}, result: { time: '09:00:11' } }),
    count: 20,
  },
  {
    name: 'searches with other links as their answer, and with the same link',
    honest: (i) => ({
      tool: 'search',
      args: { query: `how do I install part ${i} of the frob tool` },
      result: [{ title: `Part ${i}`, url: `https://frob.example/part-${'abcdefgh'[i % 8]}${i}` }],
    }),
    loop: (i) => ({
      tool: 'search',
      args: {
        query: `how do I ${['install', 'use', 'get', 'make'][i % 4]} the frob tool try ${i}`,
      },
      result: [{ title: 'Home', url: 'https://frob.example' }],
    }),
  },
];

const texts = ({ acts }: Played): string => acts.map(({ text }) => text).join('\n');

describe.each(PAIRS)('$name', ({ honest, loop, count = 80, every = 6 }) => {
  test.each([true, false])('the honest run is left alone (attended: %s)', (attended) => {
    const played = play({ turns: times(Math.min(count, 72), honest), every, attended });
    expect(force(played)).toEqual([]);
  });

  test('its loop is put before a human, and ends when nobody watches', () => {
    expect(force(play({ turns: times(160, loop), every }))).not.toEqual([]);
    expect(play({ turns: times(160, loop), every, attended: false }).stoppedAt).not.toBeNull();
  });
});

describe('a look at one’s own edit', () => {
  const FAILURE = 'FAILED spec/a_spec.rb\n  expected 3, got 4\n1 example, 1 failure';
  const round =
    (look: (i: number) => Turn, result: (i: number) => string) =>
    (i: number): Turn =>
      [
        look(Math.floor(i / 3)),
        edit(Math.floor(i / 3), '/p/src/a.rb'),
        { run: 'rspec', result: result(Math.floor(i / 3)), exitCode: 1 },
      ][i % 3]!;
  const LOOKS: readonly [name: string, look: (i: number) => Turn][] = [
    [
      'reads the file',
      (i) => ({
        tool: 'Read',
        args: { file_path: '/p/src/a.rb' },
        result: `def f\n  new ${i}\nend`,
      }),
    ],
    ['runs git diff', (i) => ({ run: 'git diff', result: `-old\n+new ${i}`, exitCode: 0 })],
  ];

  test.each(LOOKS)('does not hide the loop of an agent that %s before each edit', (_, look) => {
    const turns = times(
      150,
      round(look, () => FAILURE),
    );
    expect(play({ turns, attended: false }).stoppedAt).not.toBeNull();
    expect(force(play({ turns }))).not.toEqual([]);
  });

  test.each(LOOKS)('costs an agent that %s and gets on nothing', (_, look) => {
    const better = (i: number): string => `${60 - i} examples failed\n${60 - i} failures`;
    expect(force(play({ turns: times(150, round(look, better)), attended: false }))).toEqual([]);
  });

  test('is not meant if the host reports that somebody else changed the file', () => {
    const turns = times(90, (i) => {
      const turn = round(LOOKS[0]![1], () => FAILURE)(i);
      return i % 3 === 0
        ? { ...turn, changed: ['/p/src/a.rb'], result: `def f\n  their text ${i} of today\nend` }
        : turn;
    });
    expect(force(play({ turns, attended: false }))).toEqual([]);
  });
});

describe('time with results that tell nothing', () => {
  const sync: Turn = {
    tool: 'trigger_sync',
    args: { id: 1 },
    result: { url: 'https://x.example/1' },
  };

  test.each([
    ['is not explained', undefined],
    ['is said to be the model’s', 60],
  ] as const)('ends an unattended run after an hour, if the time %s', (_, modelSeconds) => {
    const base = { turns: times(150, sync), every: 60, attended: false };
    const played = play(modelSeconds === undefined ? base : { ...base, modelSeconds });
    expect(played.stoppedAt).toBeGreaterThan(55);
    expect(played.stoppedAt).toBeLessThan(75);
  });

  test('is not reached within an hour, and polls are never stopped', () => {
    expect(play({ turns: times(50, sync), every: 60, attended: false }).stoppedAt).toBeNull();
    const poll: Turn = { run: 'gh run view 7', result: '* main CI · 7\n* build (ID 1)' };
    expect(play({ turns: times(150, poll), every: 60, attended: false }).stoppedAt).toBeNull();
  });

  test('a slow model that fails ten times in different ways is not asked about', () => {
    const turns = times(11, (i) => ({
      run: 'make',
      result: `error: step ${['one', 'two', 'three'][i % 3]} failed`,
      exitCode: 2,
    }));
    expect(
      play({ turns, every: 200, modelSeconds: 200 }).acts.filter(
        ({ byPrice, rung }) => byPrice && rung === 'escalate',
      ),
    ).toEqual([]);
  });
});

describe('the words are true', () => {
  test('a test that ran did not refuse its arguments', () => {
    const { loop } = PAIRS[0]!;
    const said = texts(play({ turns: times(40, loop), every: 6 }));
    expect(said).toContain('failed');
    expect(said).not.toMatch(/refused its arguments|none of these calls has run/);
  });

  test('an action with other results each time has not done the same', () => {
    const turns = times(6, (i) => ({ tool: 'move_forward', args: {}, result: { x: i, y: 4 } }));
    expect(texts(play({ turns }))).not.toMatch(/did the same|take it as done/i);
  });

  test('a missing tool is called by its name, not by its argument', () => {
    const turns = times(8, {
      tool: 'run_terminal',
      args: { cmd: 'ls' },
      error: 'No such tool available: run_terminal',
    });
    expect(texts(play({ turns }))).toContain('`run_terminal`');
  });

  test('tools that do not exist, five names in turn, come before a human and end', () => {
    const names = ['run_terminal', 'terminal', 'shell_exec', 'exec_cmd', 'run_cmd'];
    const turns = times(100, (i) => ({
      tool: names[i % 5]!,
      args: { cmd: `ls ${i}` },
      error: `No such tool available: ${names[i % 5]}`,
    }));
    expect(play({ turns, attended: false }).stoppedAt).not.toBeNull();
    expect(force(play({ turns }))).not.toEqual([]);
  });
});
