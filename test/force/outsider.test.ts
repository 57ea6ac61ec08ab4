import type { Capability } from '@unrut/engine/event';
import { describe, expect, test } from 'vitest';
import { ends, quiet } from './expected.ts';
import { blocksAndStops, force, type Play, play, type Turn, times } from './play.ts';

// Runs that an outsider wrote from the documentation alone, and that the guard once got wrong.

const WORDS = 'logo brand icon header banner badge mark sign'.split(' ');
const name = (i: number): string => `${WORDS[i % 8]}${'-dark,2,_new,@2x'.split(',')[(i >> 3) % 4]}`;

describe('a file that another program will write, at a model that takes all the time', () => {
  const look: Turn = {
    run: 'ls /tmp/report.csv',
    error: "Exit code 2\nls: cannot access '/tmp/report.csv': No such file or directory",
    exitCode: 2,
  };
  const given: Play = { turns: times(20, look), every: 10, modelSeconds: 10 };

  test('is waited for if the user asked for it, and the advice is to wait longer', () => {
    const prompt = 'Wait until /tmp/report.csv appears, then summarise it.';
    quiet({ ...given, prompt });
    const { acts } = play({ ...given, prompt });
    expect(acts.map(({ reason }) => reason)).toEqual(['stale-poll/often']);
  });

  test.each([undefined, 'Summarise /tmp/report.csv.', 'Keep fixing until the tests pass.'])(
    'twin: is not there otherwise: %s',
    (prompt) => ends({ ...given, ...(prompt ? { prompt } : {}) }),
  );

  test('twin: a request to wait does not cover a check that fails', () => {
    const check: Turn = { run: 'npm test', result: 'FAIL a.test.ts\n1 failed', exitCode: 1 };
    ends({ ...given, turns: times(20, check), prompt: 'Wait until the build is there.' });
  });
});

describe('a record of something that nobody has decided yet', () => {
  test.each([
    { request: 'r1', decision: null },
    { id: 7, approved_by: null },
    { order: 7, shipped_at: null },
  ])('is polled: %j', (result) => {
    quiet({ turns: times(25, { tool: 'approvals__fetch', args: { id: 1 }, result }), every: 10 });
  });

  test.each([{ decision: 'granted' }, { result: null }, { user: null }])(
    'twin: %j will not change',
    (result) => {
      ends({ turns: times(25, { tool: 'approvals__fetch', args: { id: 1 }, result }), every: 10 });
    },
  );
});

describe('guesses', () => {
  const path = (i: number): Turn => {
    const file = `/p/${['public', 'assets', 'static'][i % 3]}/${name(i)}.png`;
    const missing = `ls: cannot access '${file}': No such file or directory`;
    return i % 2
      ? { tool: 'Read', args: { file_path: file }, error: 'File does not exist.' }
      : { run: `ls ${file}`, result: missing, exitCode: 2 };
  };
  const page = (i: number): Turn => ({
    tool: 'fetch',
    args: { url: `https://docs.example.com/${['api', 'guide', 'v2'][i % 3]}/${name(i)}` },
    error: 'HTTP 404 Not Found',
  });

  test.each([
    ['at paths with two tools in turn', path],
    ['at addresses', page],
  ])('%s end', (_, turn) => ends({ turns: times(70, turn), prompt: 'Show me the logo.' }));

  test.each([
    ['paths that the user listed', path, 'Which of these files exist?'],
    ['links that are checked', page, 'Check all links of the page.'],
    [
      'guesses of which some are right',
      (i: number): Turn =>
        i % 8 === 7
          ? { tool: 'fetch', args: { url: `https://docs.example.com/${i}` }, result: `page ${i}` }
          : page(i),
      'Show me the logo.',
    ],
  ])('twin: %s', (_, turn, prompt) => quiet({ turns: times(48, turn), prompt }));
});

describe('a plan that is written down', () => {
  const plan =
    (state: (i: number) => string) =>
    (i: number): Turn => ({
      tool: 'TodoWrite',
      args: { todos: [{ content: 'Analyse the code', status: state(i), activeForm: 'x' }] },
      result: 'Todos have been modified successfully. Ensure that you use the list.',
    });

  test('again and again with the same words ends', () => {
    const given = {
      turns: times(
        60,
        plan(() => 'in_progress'),
      ),
    };
    ends(given);
    expect(blocksAndStops(play(given))).toEqual([]);
  });

  test('twin: after each step with something new', () => {
    const steps = times(60, (i) =>
      i % 2
        ? { tool: 'Read', args: { file_path: `/p/${name(i)}` }, result: name(i) }
        : plan(String)(i),
    );
    quiet({ turns: steps });
  });
});

describe('agents', () => {
  const agent = (prompt: string, result: string): Turn => ({
    tool: 'Task',
    args: { description: 'look', prompt, subagent_type: 'general-purpose' },
    result,
  });

  test('with one task in other words and the same short answer end', () => {
    const words = ['Look closely.', 'Be thorough.', 'Search everything.'];
    ends({
      turns: times(60, (i) => agent(`Find the cause of the crash. ${words[i % 3]}`, 'Not found.')),
      every: 40,
    });
  });

  test('twin: one for each module', () => {
    quiet({
      turns: times(12, (i) => agent(`Review ${name(i)} closely.`, `${name(i)}: line ${i} leaks`)),
      every: 40,
    });
  });
});

describe('a version that CI is about to publish', () => {
  const view = (name: string): Turn => ({
    run: `npm view ${name} version`,
    error: 'Exit code 1\nnpm error code E404\nnpm error 404 No match found',
    exitCode: 1,
  });

  test('is looked for until it is there', () => {
    quiet({ turns: times(30, view('lamps@1.4.2')) });
  });

  test('twin: guessed names of a package end', () => {
    ends({ turns: times(60, (i) => view(`${name(i)}-${WORDS[i % 7]}`)) });
  });
});

describe('an instrument', () => {
  const look: Turn = { tool: 'read_sensor', args: { id: 'f-2' }, result: { celsius: -18.5 } };

  test('is read again and again', () => quiet({ turns: times(30, look), every: 30 }));

  test('twin: a record is not', () => {
    ends({ turns: times(30, { ...look, tool: 'read_record' }), every: 5 });
  });

  test('twin: a sum is not, because it cannot change', () => {
    ends({ turns: times(30, { tool: 'calculator', args: { sum: '7 * 6' }, result: '42' }) });
  });
});

describe('a tool that shows one page for all numbers', () => {
  const page =
    (photos: (i: number) => string[]) =>
    (i: number): Turn => ({
      tool: 'list_photos',
      args: { page: i + 1 },
      result: { photos: photos(i) },
    });

  test('ends', () =>
    ends({
      turns: times(
        60,
        page(() => ['beach.jpg', 'dog.jpg', 'cake.jpg']),
      ),
    }));

  test('twin: other photos on each page', () => {
    quiet({
      turns: times(
        60,
        page((i) => [`${name(i)}-${i}.jpg`, `${WORDS[i % 7]}${i}.jpg`]),
      ),
    });
  });

  test('twin: the same state of each machine of a list', () => {
    const check = (i: number): Turn => ({
      tool: 'check_machine',
      args: { machine: i },
      result: { power: 'on', fans: 'quiet', doors: 'closed' },
    });
    quiet({ turns: times(30, check) });
  });
});

describe('a memory that is searched', () => {
  const search = (i: number): Turn => ({
    tool: 'memory_search',
    args: { text: `${WORDS[i % 8]} ${['of the', 'for', 'with', ''][(i >> 3) % 4]} house` },
    result: 'No memories found.',
  });

  test('in other words for one thing ends', () => {
    ends({ turns: times(60, search), prompt: 'What is on the sign of my house?' });
  });

  test('twin: for each name of a list', () => {
    const prompt = 'Which of these names do you know: Ada, Bo, Cy, Di?';
    quiet({ turns: times(30, (i) => ({ ...search(i), args: { text: name(i) } })), prompt });
  });
});

test('a count that the user named holds for a state, too', () => {
  const flip: Turn = { tool: 'flip_coin', args: {}, result: 'heads' };
  const { acts } = play({ turns: times(12, flip), prompt: 'Flip a coin 12 times.', every: 0.1 });
  expect(acts).toEqual([]);
  expect(play({ turns: times(12, flip), every: 0.1 }).acts).not.toEqual([]);
});

describe('something that goes on, as a tool or a program that nobody knows says it', () => {
  const render: Turn = { tool: 'render_info', args: { job: 'r77' }, result: 'Rendering: 32 %' };
  const store: Turn = {
    run: 'bundle exec fastlane build_info build:412',
    result: 'Build 412 (3.1): PROCESSING',
  };
  const service: Turn = {
    run: 'powershell -Command "Get-Service Spooler"',
    result:
      'Status   Name     DisplayName\n------   ----     -----------\nStopped  Spooler  Print Spooler',
  };

  test.each([
    ['a share', render],
    ['a state at the end of a line', store],
    ['a service of Windows', service],
    [
      'a script that is asked for its status',
      { run: 'sh store.sh status', result: 'App 3.1: IN REVIEW' },
    ],
  ])('is waited for: %s', (_, look) => {
    for (const every of [5, 40]) quiet({ turns: times(28, look), every });
  });

  test.each<[string, Turn]>([
    ['a share that stands in a report', { ...render, result: 'Coverage: 32 % of lines' }],
    [
      'a state that is past',
      { ...store, result: 'Build 412 was processing on Monday. It failed.' },
    ],
    ['the status of files', { run: 'git status', result: 'nothing to commit, working tree clean' }],
    ['a file', { ...service, run: 'powershell -Command "Get-Content notes.md"' }],
  ])('twin: %s ends', (_, look) => ends({ turns: times(40, look), every: 5 }));
});

describe('commands that the host does not let run', () => {
  const COMMANDS = ['rm -rf x', 'find x -delete', 'unlink x', 'truncate x', 'mv x /tmp'];
  const tries = (refusedBy?: 'host'): Turn[] =>
    times(9, (i) => ({
      run: COMMANDS[i % 5]!,
      error: 'This was rejected by the policy of the project.',
      ...(refusedBy ? { refusedBy } : {}),
    }));
  const saidOf = (turns: Turn[]): string =>
    play({ turns })
      .acts.map(({ text }) => text)
      .join('\n');

  test('lead to no advice to look for a way around', () => {
    const said = saidOf(tries('host'));
    expect(said).toContain('do not look for a way around it');
    expect(said).not.toMatch(/Remove what causes|another tool|another way|a tool that/);
  });

  test('twin: the cause is to be removed if the commands themselves fail', () => {
    expect(saidOf(tries())).toContain('Remove what causes the error');
  });
});

describe('a list of what is to do', () => {
  const set = (i: number, todos: string[]): Turn => ({
    tool: 'TodoWrite',
    args: {
      todos: todos.map((content, at) => ({ content, status: at < i ? 'completed' : 'pending' })),
    },
    result: 'Todos have been modified successfully.',
  });

  test('that is set to the same again and again ends', () =>
    ends({ turns: times(60, () => set(0, ['tidy up', 'report'])) }));

  test('twin: that moves on does not', () =>
    quiet({
      turns: times(30, (i) =>
        set(
          i,
          times(30, { tool: 'x' }).map((_, at) => `item ${at}`),
        ),
      ),
    }));
});

test('where nobody is there and the host cannot stop, the report is asked for again and again', () => {
  const turns = times(
    160,
    (i): Turn =>
      i % 2
        ? { run: 'make', result: "main.c:12:5: error: unknown type name 'u32'", exitCode: 2 }
        : {
            tool: 'Edit',
            args: { file_path: `/p/${name(i)}.c`, old_string: 'x', new_string: `y${i * 7919}` },
            result: 'The file has been updated.',
          },
  );
  const can: Capability[] = ['note', 'hint', 'block', 'escalate'];
  const acts = force(play({ turns, attended: false, options: { can } }));
  expect(acts.filter((act) => act.endsWith('escalate')).length).toBeGreaterThanOrEqual(3);
});
