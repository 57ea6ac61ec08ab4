import { describe, expect, test } from 'vitest';
import { blocksAndStops, force, type Played, play, type Turn, times } from './play.ts';

/** Commands that ask for the state of something that runs, and an answer of each. */
const OPEN: [command: string, answer: string, exitCode: number][] = (
  [
    ['gh run view 123', '* main CI · 123\nTriggered via push about 2 minutes ago\n* build (ID 7)'],
    ['gh run list --limit 1', 'STATUS  TITLE  WORKFLOW\n*  Fix typo  CI  main  push  123'],
    ['gh pr checks 12', 'build\tpending\t0\thttps://example.com/1', 8],
    ['docker ps', 'CONTAINER ID   IMAGE   STATUS\n1a2b3c   web   Up 2 minutes (health: starting)'],
    ['docker logs web', 'listening soon\nloading modules'],
    ['systemctl status web', '● web.service - Web\n   Active: activating (start)', 3],
    ['systemctl is-active web', 'inactive', 3],
    ['kubectl get pods', 'NAME  READY  STATUS\nweb-1  0/1  Init:0/1'],
    ['tail -n 5 build/output.txt', 'compiling\ncompiling more'],
    ['tail -n 5 test.log', 'running suite'],
    ['cat test.log', 'running suite\n12 files'],
    ['curl -s http://localhost:3000/health', '{"ok":false,"db":"connecting"}'],
    [
      'curl -s http://localhost:3000/',
      'curl: (7) Failed to connect to localhost port 3000: Connection refused',
      7,
    ],
    ['curl -s https://api.example.com/healthz', 'warming up'],
    ['pgrep -f train.py', '4242'],
    ['pgrep -f train.py', '', 1],
    ['ps aux', 'USER PID COMMAND\nme 4242 python train.py'],
    ['squeue -u me', 'JOBID PARTITION NAME ST\n77 gpu train PD'],
    ['glab ci status', '(running) • build\n(created) • deploy'],
    [
      'aws cloudformation describe-stacks --stack-name web',
      '{"Stacks":[{"StackStatus":"UPDATE"}]}',
    ],
    ['fly status', 'App\n  Name = web\nMachines\nPROCESS STATE\napp     starting'],
    ['nvidia-smi', 'GPU 0: 97% util, 40000MiB'],
    ['lsof -i :3000', '', 1],
    ['test -f done.flag', '', 1],
    ['psql -c "select count(*) from jobs"', ' count\n-------\n    12\n(1 row)'],
    ['journalctl -u web -n 5', 'web started\nweb waits'],
    ['date', 'Wed Nov 18'],
    ['pbpaste', ''],
    ['xclip -o', ''],
    ['curl -I http://localhost:8000/', 'HTTP/1.1 503 Service Unavailable\r\nServer: nginx'],
  ] as [string, string, number?][]
).map(([run, answer, exitCode = 0]) => [run, answer, exitCode]);

describe('in the open world 30 equal answers are neither blocked nor stopped', () => {
  for (const attended of [true, false])
    for (const every of [0, 3, 30])
      test.each(OPEN)(
        `%s, every ${every} s, ${attended ? 'attended' : 'unattended'}`,
        (run: string, result: string, exitCode: number) => {
          const turn: Turn = { run, result, exitCode };
          expect(force(play({ turns: times(30, turn), every, attended }))).toEqual([]);
        },
      );
});

describe('what the agent started is to be waited for', () => {
  test.each([
    [
      'a log that a job writes',
      { run: 'nohup npm test > results.txt 2>&1 &', result: '[1] 4242' },
      { run: 'cat results.txt', result: 'running' },
    ],
    [
      'a log that a job writes, read with a tool',
      { run: 'npm test > results.txt 2>&1 &', result: '' },
      { tool: 'Read', args: { file_path: '/p/results.txt' }, result: 'running the suite' },
    ],
    [
      'a server that starts',
      { run: 'npm run dev &', result: '[1] 4242' },
      { run: 'curl -s http://localhost:5173/', result: 'Connection refused', exitCode: 7 },
    ],
    [
      'a server in a container',
      { run: 'docker compose up -d', result: 'Container web Started' },
      { run: 'curl -sf http://localhost:8080/app', result: '502', exitCode: 22 },
    ],
    [
      'the output of a background task of the host',
      {
        tool: 'Bash',
        args: { command: 'sh build.sh', run_in_background: true },
        result:
          'Command running in background with ID: b1. Output is being written to: /t/b1.output',
      },
      { tool: 'Read', args: { file_path: '/t/b1.output' }, result: '1\tbuilding' },
    ],
    [
      'files of a job that are not there yet',
      { run: 'sh convert.sh > convert.txt 2>&1 &', result: '[1] 4242' },
      {
        run: 'ls out/*.done',
        result: "ls: cannot access 'out/*.done': No such file or directory",
        exitCode: 2,
      },
    ],
    [
      'files of a job, listed with a tool',
      { run: 'sh convert.sh > convert.txt 2>&1 &', result: '[1] 4242' },
      { tool: 'Glob', args: { pattern: 'out/*.done' }, result: 'No files found' },
    ],
    [
      'a background task of the host',
      {
        tool: 'Bash',
        args: { command: 'npm run dev', run_in_background: true },
        result: 'Command running in background with ID: b1',
      },
      {
        tool: 'WebFetch',
        args: { url: 'http://localhost:3000/', prompt: 'x' },
        result: 'starting up',
      },
    ],
  ] as [string, Turn, Turn][])('%s', (_name, start, look) => {
    for (const every of [0, 2.5, 30])
      expect(blocksAndStops(play({ turns: [start, ...times(30, look)], every }))).toEqual([]);
  });

  test('a file that the host reports as changed is not claimed to be unchanged', () => {
    const read: Turn = {
      tool: 'Read',
      args: { file_path: '/p/data.json' },
      result: '{"rows": 12, "name": "x"}',
    };
    const turns = times(20, (i) => ({ ...read, changed: i % 2 ? ['/p/data.json'] : [] }));
    expect(force(play({ turns }))).toEqual([]);
  });

  test('the twin: another file is read again while the server runs', () => {
    const turns = [
      { run: 'npm run dev &', result: '[1] 4242' },
      ...times(12, {
        tool: 'Read',
        args: { file_path: '/p/src/a.ts' },
        result: 'export const a = 1;',
      }),
    ];
    expect(blocksAndStops(play({ turns })).length).toBeGreaterThan(0);
  });
});

/** Questions about the state of something, and answers that mean: not yet. */
const WAITING: readonly (readonly [tool: string, answer: unknown])[] = [
  ['get_deployment', '2/5 pods ready'],
  ['deployment', 'deployment "api": 2 of 5 replicas updated'],
  ['get_order', { order: 7, status: 'awaiting_payment' }],
  ['get_order', 'awaiting_payment'],
  ['get_request', { status: 'WAITING_FOR_APPROVAL' }],
  ['check_reply', 'No reply yet'],
  ['get_claim', { status: 'submitted' }],
  ['get_claim', 'submitted'],
  ['get_cluster', { status: 'created' }],
  ['get_cluster', 'created'],
  ['get_order', { shipped: false }],
  ['get_order', { order: 7, shipped: false }],
  ['get_training', 'Still training, epoch 3'],
  ['check_inbox', []],
  ['check_inbox', '[]'],
  ['get_queue', '3 jobs queued'],
  ['get_clipboard', ''],
  ['read_clipboard', 'Clipboard is empty'],
];

describe('waiting', () => {
  for (const modelSeconds of [undefined, 2])
    for (const every of [5, 10, 20, 60, 120])
      test.each(WAITING)(
        `%s: %j every ${every} s, modelMs ${modelSeconds ? 'given' : 'not given'}`,
        (tool, result) => {
          const played = play({
            turns: times(30, { tool, args: { id: 7 }, result }),
            every,
            ...(modelSeconds ? { modelSeconds } : {}),
          });
          expect(blocksAndStops(played)).toEqual([]);
          for (const { text } of played.acts) {
            expect(text).not.toContain('nothing has changed since');
            expect(text).not.toContain('ork with the result above');
          }
        },
      );
});

const page = 'Release notes\n\nVersion 2 adds tables, and removes the old parser. '.repeat(4);
/** Questions whose answer changes only through work, so that loops of them must end. */
const CLOSED: readonly (readonly [name: string, turn: Turn])[] = [
  [
    'files that no job of the agent writes',
    { tool: 'Glob', args: { pattern: 'out/*.done' }, result: 'No files found' },
  ],
  [
    'the same file',
    { tool: 'Read', args: { file_path: '/p/src/a.ts' }, result: 'export const a = 1;\n'.repeat(9) },
  ],
  ['the same file with cat', { run: 'cat src/a.ts', result: 'export const a = 1;', exitCode: 0 }],
  [
    'the same failing edit',
    {
      tool: 'Edit',
      args: { file_path: '/p/a.ts', old_string: 'x', new_string: 'y' },
      error: 'String to replace not found in file.',
    },
  ],
  [
    'the same unknown tool',
    { tool: 'get_sum', args: { a: 1 }, error: 'No such tool available: get_sum' },
  ],
  [
    'the same tsc error',
    {
      run: 'npx tsc --noEmit',
      result: "src/a.ts(1,7): error TS2322: Type 'string' is not assignable.",
      exitCode: 2,
    },
  ],
  [
    'the same error',
    { tool: 'get_order', args: { id: 7 }, error: 'Error: order 7 belongs to another account' },
  ],
  ['the same search result', { tool: 'search_docs', args: { query: 'tables' }, result: page }],
  [
    'the same page',
    { tool: 'fetch_page', args: { url: 'https://example.com/notes' }, result: page },
  ],
];

describe('the closed world still ends', () => {
  const isEnded = ({ stoppedAt }: Played): boolean => stoppedAt !== null;
  for (const modelSeconds of [undefined, 2])
    for (const every of [2, 5, 10, 20, 60, 120])
      test.each(CLOSED)(
        `%s every ${every} s, modelMs ${modelSeconds ? 'given' : 'not given'}`,
        (_name, turn) => {
          const played = play({
            turns: times(16, turn),
            every,
            attended: false,
            ...(modelSeconds ? { modelSeconds } : {}),
          });
          expect(isEnded(played), JSON.stringify(force(played))).toBe(true);
        },
      );
});

describe('what the user asked for', () => {
  test('files that the user waits for may be looked for again and again', () => {
    const look: Turn = {
      run: 'ls out/*.done',
      result: "ls: cannot access 'out/*.done': No such file or directory",
      exitCode: 2,
    };
    const prompt = 'Wait for the .done files in out, then merge them';
    expect(blocksAndStops(play({ turns: times(30, look), prompt, every: 3 }))).toEqual([]);
    expect(blocksAndStops(play({ turns: times(12, look) })).length).toBeGreaterThan(0);
  });

  const flaky = (i: number): Turn => ({
    run: 'node tdd/flaky.mjs',
    result: `1 passed in ${20 + i}.1 ms`,
    exitCode: 0,
  });
  test.each([
    'Run node tdd/flaky.mjs 8 times in a row and tell me how often it fails',
    'please do eight runs of node tdd/flaky.mjs',
    'Collect readings until you have 20 samples',
  ])('is not commented on: %s', (prompt) => {
    expect(play({ turns: times(8, flaky), prompt, every: 1 }).acts).toEqual([]);
  });

  test('covers a check that fails in the same way', () => {
    const turn: Turn = { run: 'npm test', result: '1 failed\nError: boom', exitCode: 1 };
    expect(play({ turns: times(10, turn), prompt: 'run npm test 10 times' }).acts).toEqual([]);
  });

  test('without a count, the same program leads to a note and a question, never to a block or a stop', () => {
    const played = play({ turns: times(12, flaky), prompt: 'is it flaky?', every: 1 });
    expect(played.acts.length).toBeGreaterThan(0);
    expect(blocksAndStops(played)).toEqual([]);
  });

  test("a report of a program of one's own is asked about, but never blocked or stopped", () => {
    const turn: Turn = {
      run: 'python manage.py showmigrations',
      result: 'lamps\n [X] 0001_initial\n [ ] 0002_globe',
    };
    const played = play({ turns: times(30, turn), every: 3, attended: false });
    expect(blocksAndStops(played)).toEqual([]);
  });

  test('"until" does not cover a failure that repeats', () => {
    const turn: Turn = { run: 'npm test', result: '1 failed\nError: boom', exitCode: 1 };
    const played = play({
      turns: times(16, turn),
      prompt: 'keep fixing until the tests pass',
      attended: false,
    });
    expect(played.stoppedAt).not.toBeNull();
  });

  test('a count does not cover the same file again and again', () => {
    const turn: Turn = { tool: 'Read', args: { file_path: '/p/a.ts' }, result: 'const a = 1;' };
    expect(
      blocksAndStops(play({ turns: times(12, turn), prompt: 'run it 20 times' })).length,
    ).toBeGreaterThan(0);
  });
});
