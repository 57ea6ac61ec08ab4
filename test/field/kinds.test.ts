import { RUNGS } from '@unrut/engine/event';
import { describe, expect, test } from 'vitest';
import { createGuard } from '../../packages/cli/src/index.ts';
import { name, prose, REMOVED_NAMES, random, source } from '../scenarios/content.ts';
import {
  type CallStep,
  expectRun,
  firstSignal,
  type Guard,
  type GuardOptions,
  type Item,
  inTurn,
  MODES,
  type Moment,
  plansOf,
  play,
  times,
  told,
} from '../scenarios/scenario.ts';

/** Kinds of loops from runs that were never used for tuning, each with a similar honest run. */

const bash = (command: string, result: string, exitCode = 0): CallStep => ({
  tool: 'Bash',
  args: { command },
  result,
  exitCode,
});
const highest = (moments: Moment[]): number =>
  Math.max(-1, ...plansOf(moments).map(({ plan }) => RUNGS.indexOf(plan.rung)));
const seen = (moments: Moment[]): string[] => [
  ...new Set(moments.flatMap(({ verdict }) => verdict.signals.map(({ detector }) => detector))),
];

/** Checks when the first signal comes, and how far it may climb. */
function finds(
  title: string,
  first: { from: number; to: number },
  items: Item[],
  more: { cap?: (typeof RUNGS)[number]; by?: string; options?: GuardOptions } = {},
) {
  for (const mode of MODES) {
    test(`${title}${mode === 'finished' ? ', calls unannounced' : ''}`, async () => {
      const moments = await play(items, {
        mode,
        ignores: true,
        ...(more.options ? { options: more.options } : {}),
      });
      expectRun(moments, first);
      if (more.by) expect(seen(moments), told(moments)).toContain(more.by);
      if (more.cap)
        expect(highest(moments), told(moments)).toBeLessThanOrEqual(RUNGS.indexOf(more.cap));
    });
  }
}

/** A loop that must be ended, not only reported. */
function climbs(title: string, items: Item[], to: (typeof RUNGS)[number] = 'stop') {
  for (const mode of MODES) {
    test(`${title}${mode === 'finished' ? ', calls unannounced' : ''}`, async () => {
      const moments = await play(items, { mode, ignores: true });
      expect(firstSignal(moments), told(moments)).toBe(3);
      expect(highest(moments), told(moments)).toBe(RUNGS.indexOf(to));
    });
  }
}

function stays(how: 'never' | 'quiet', title: string, items: Item[]) {
  for (const mode of MODES) {
    test(`${title}${mode === 'finished' ? ', calls unannounced' : ''}`, async () => {
      expectRun(await play(items, { mode, ignores: true }), how);
    });
  }
}

describe('a slow model is no waiting', () => {
  for (const wait of [3, 16, 20, 40, 90]) {
    climbs(
      `a failing read, ${wait} s apart`,
      times(12, () => ({
        ...bash('cat missing.txt', 'cat: missing.txt: No such file or directory', 1),
        wait,
      })),
    );
    climbs(
      `an equal report, ${wait} s apart, which may be meant`,
      times(12, () => ({ ...bash('./report', 'total 42 rows in table orders'), wait })),
      'escalate',
    );
  }
  test('forty identical calls of a model that thinks for 16 s, after quick work', async () => {
    const quick = times(
      12,
      (i): CallStep => ({
        tool: 'read_file',
        args: { path: `src/${name(i)}.ts` },
        result: source(i),
        wait: 3,
      }),
    );
    const slow = times(
      40,
      (): CallStep => ({ ...bash('./report', 'total 42 rows in table orders'), wait: 16 }),
    );
    const moments = await play([...quick, ...slow], { ignores: true });
    expect(firstSignal(moments), told(moments)).toBe(15);
    // A program that succeeds may be repeated on purpose, so a human is asked.
    expect(highest(moments), told(moments)).toBe(RUNGS.indexOf('escalate'));
  });
  for (const mode of ['both'] as const) {
    test('the time that the model took is not counted as waiting', async () => {
      const quick = times(
        12,
        (i): CallStep => ({
          tool: 'read_file',
          args: { path: `src/${name(i)}.ts` },
          result: source(i),
          wait: 3,
        }),
      );
      const slow = (modelMs?: number): Item[] => [
        ...quick,
        ...times(
          6,
          (): CallStep => ({
            ...bash('./report', 'total 42 rows in table orders'),
            wait: 60,
            ...(modelMs ? { modelMs } : {}),
          }),
        ),
      ];
      expect(highest(await play(slow(58_000), { mode, ignores: true }))).toBeGreaterThan(
        RUNGS.indexOf('note'),
      );
      // Sixty seconds without model time, in a session with a step every three seconds: it waited.
      expect(highest(await play(slow(), { mode, ignores: true }))).toBe(RUNGS.indexOf('note'));
    });
  }
  test('a stream that flows is not silent', async () => {
    const chat = (i: number): Item[] => [
      ...times(
        6,
        (j): Item => ({
          event: { type: 'text-added', channel: 'thinking', text: ` ${name(100 * i + j)}` },
          wait: 8,
        }),
      ),
      { ...bash('./report', 'total 42 rows in table orders'), wait: 2 },
    ];
    const quick = times(
      12,
      (i): CallStep => ({
        tool: 'read_file',
        args: { path: `src/${name(i)}.ts` },
        result: source(i),
        wait: 3,
      }),
    );
    const moments = await play([...quick, ...times(6, chat).flat()], { ignores: true });
    expect(highest(moments), told(moments)).toBeGreaterThan(RUNGS.indexOf('note'));
  });
});

describe('a poll is known by its answer', () => {
  const answers: Record<string, CallStep> = {
    'a status script': bash('./st', 'deploy d-77: pending'),
    cloudformation: bash(
      'aws cloudformation describe-stacks --stack-name web',
      '{"Stacks":[{"StackName":"web","StackStatus":"CREATE_IN_PROGRESS"}]}',
    ),
    'docker ps': bash(
      'docker ps',
      'CONTAINER ID   IMAGE   STATUS                            PORTS\nab12cd34ef56   web     Up 5 seconds (health: starting)   8080/tcp',
    ),
    'the end of a log': bash('cat build.log | tail -3', 'compiling...'),
    'nvidia-smi': bash(
      'nvidia-smi',
      '| GPU  Name        Persistence-M |\n|   0  Tesla T4            Off  |\n|  GPU   PID   Type   Process name |\n|    0   8841     C   python train.py |',
    ),
    ps: bash('ps aux | grep train', 'dev  8841 99.0  2.1 python train.py --epochs 40'),
    'done: false': { tool: 'get_job', args: { job: 'j-1' }, result: '{"done":false}' },
    'ready: false': { tool: 'get_export', args: { id: 'e-1' }, result: { ready: false } },
    'completed_at: null': {
      tool: 'get_run',
      args: { id: 'r-1' },
      result: { id: 'r-1', completed_at: null },
    },
    'is_running: true': { tool: 'fetch_build', args: { id: 'b-1' }, result: { is_running: true } },
    'progress: 0': { tool: 'get_import', args: { id: 'i-1' }, result: { progress: 0 } },
    'waiting for approval': {
      tool: 'get_change',
      args: { id: 'c-1' },
      result: 'Waiting for approval',
    },
    '202': bash(
      'curl -s -i https://ci.example.com/builds/7',
      'HTTP/2 202 Accepted\nlocation: /builds/7',
    ),
    'HTTP 202 Accepted': { tool: 'fetch_result', args: { id: 'q-1' }, result: 'HTTP 202 Accepted' },
    'no new output': { tool: 'read_process', args: { pid: 'p-1' }, result: '(no new output)' },
    poll_job: {
      tool: 'poll_job',
      args: { job: 'j-9' },
      result: { job: 'j-9', owner: 'mara', queue: 'default' },
    },
    check_status: {
      tool: 'check_status',
      args: { deployment: 'd-9' },
      result: { deployment: 'd-9', stage: 2, region: 'eu-north-1' },
    },
    task_status: {
      tool: 'task_status',
      args: { task: 't-9' },
      result: 'Task t-9 is with the reviewer Mara Lindqvist.',
    },
  };
  for (const [title, step] of Object.entries(answers)) {
    for (const wait of [3, 10])
      stays(
        'quiet',
        `${title}, ${wait} s apart`,
        times(9, () => ({ ...step, wait })),
      );
  }
  test('far beyond what waiting explains, it is advised to wait longer, never stopped', async () => {
    const moments = await play(
      times(40, () => ({ ...answers['a status script']!, wait: 5 })),
      { ignores: true },
    );
    expect(seen(moments)).toEqual(['stale-poll']);
    expect(highest(moments)).toBe(RUNGS.indexOf('note'));
    expect(plansOf(moments)[0]!.plan.toModel).toMatch(/wait/);
  });
  climbs(
    'a state that is final is asked for in vain',
    times(12, () => ({
      tool: 'check_status',
      args: { deployment: 'd-9' },
      result: { deployment: 'd-9', state: 'failed', reason: 'no quota' },
    })),
  );
  climbs(
    'a file that speaks of pending things is read again and again',
    times(12, () => ({
      tool: 'Read',
      args: { file_path: '/repo/todo.md' },
      result: 'status: pending\nowner: mara\n',
    })),
  );
});

describe('a wait that fails is a failure', () => {
  const wait = (text: string, error?: string): CallStep => ({
    tool: 'browser_wait_for',
    args: { text },
    ...(error ? { error } : { result: `### Result\nWaited for ${text}` }),
    durationMs: 5000,
  });
  finds(
    'twelve times in a row',
    { from: 3, to: 4 },
    times(12, () =>
      wait(
        'Thank you',
        'TimeoutError: locator.waitFor: Timeout 5000ms exceeded.\nCall log:\n  - waiting for getByText("Thank you")',
      ),
    ),
  );
  stays(
    'never',
    'waits that succeed',
    times(12, () => wait('Thank you')),
  );
});

describe('the same edit again', () => {
  const window = (total: number, from: number): string =>
    `[File: /repo/src/Shop.java (${total} lines total)]\n(${from} more lines above)\n${times(60, (i) => `${from + i}:${source(900 + ((from + i) % 400), 1)}`).join('\n')}\n(${total - from - 60} more lines below)\nFile updated. Please review the changes and make sure they are correct (correct indentation, no duplicate lines, etc). Edit the file again if necessary.`;
  const five = source(77, 5);
  const edit = (
    from: number,
    to: number,
    replacement: string,
    result: string,
    path = '/repo/src/Shop.java',
  ): CallStep => ({
    tool: 'edit',
    args: { path, start_line: from, end_line: to, replacement },
    result,
  });
  const open: CallStep = {
    tool: 'open',
    args: { path: '/repo/src/Shop.java', line_number: 490 },
    result: window(699, 440),
  };
  finds('one insertion ten times into a growing file', { from: 4, to: 5 }, [
    open,
    ...times(10, (i) => edit(493, 492, `${five}\n`, window(704 + 5 * i, 440))),
  ]);
  finds('as a command', { from: 4, to: 6 }, [
    open,
    ...times(10, (i) => bash(`edit 493:492\n${five}\nend_of_edit`, window(704 + 5 * i, 440))),
  ]);
  stays('never', 'ten different insertions', [
    open,
    ...times(10, (i) =>
      edit(
        493 + 20 * i,
        492 + 20 * i,
        `${source(500 + i, 5)}\n`,
        window(704 + 5 * i, 440 + 20 * i),
      ),
    ),
  ]);
  const two = source(78, 2);
  finds(
    'delete a line and write the same two lines again, twelve laps',
    { from: 6, to: 9 },
    times(12, (i) => [
      edit(300 - i, 300 - i, '', window(700 + i, 250)),
      edit(299 - i, 300 - i, `${two}\n`, window(701 + i, 250)),
    ]).flat(),
  );
  stays(
    'never',
    'delete a line and write another one, twelve places',
    times(12, (i) => [
      edit(300 - 9 * i, 300 - 9 * i, '', window(700 + i, 250 - 9 * i)),
      edit(299 - 9 * i, 300 - 9 * i, `${source(600 + i, 2)}\n`, window(701 + i, 250 - 9 * i)),
    ]).flat(),
  );
  const lap = (i: number, text: string): Item[] => [
    {
      tool: 'search_file',
      args: { path: '/repo/src/Shop.java', text: 'items' },
      result: `Found ${[28, 30, 31, 33][i]} matches for "items" in /repo/src/Shop.java:\nLine 12:  items = list();`,
    },
    {
      tool: 'search_file',
      args: { path: '/repo/src/Shop.java', text: 'total' },
      result: `Found ${[8, 9, 11, 12][i]} matches for "total" in /repo/src/Shop.java:\nLine 15:  total = 0;`,
    },
    {
      tool: 'goto',
      args: { path: '/repo/src/Shop.java', text: '300' },
      result: window(700 + 6 * i, 250),
    },
    edit(300, 300, `${text}\n`, window(706 + 6 * i, 250)),
  ];
  finds(
    'the same method added in every lap',
    { from: 9, to: 16 },
    times(4, (i) => lap(i, source(79, 6))).flat(),
  );
  stays(
    'never',
    'another method added in every lap',
    times(4, (i) => lap(i, source(700 + i, 6))).flat(),
  );
  const names = ['Repro', 'TestRepro', 'ReproBug', 'Reproduce', 'BugRepro', 'ReproMain'];
  const create = (path: string, text: string): Item[] => [
    { tool: 'create', args: { path }, result: `[File: ${path} (1 lines total)]\n1:` },
    edit(
      1,
      1,
      `${text}\n`,
      `[File: ${path} (5 lines total)]\n${text}\nFile updated. Please review the changes.`,
      path,
    ),
  ];
  finds(
    'the same file under six names',
    { from: 6, to: 12 },
    names.flatMap((each) => create(`/repo/${each}.java`, five)),
    { cap: 'hint' },
  );
  stays(
    'never',
    'six files of one kind',
    names.flatMap((each, i) => create(`/repo/${each}.java`, source(800 + i, 5))),
  );
  stays(
    'never',
    'the same small file in every package',
    names.flatMap((each) => create(`/repo/packages/${each}/index.ts`, five)),
  );
  stays(
    'never',
    'the same change made at eight places',
    times(8, (i) => ({
      tool: 'Edit',
      args: {
        file_path: '/repo/src/a.ts',
        old_string: `${name(i)}(request)`,
        new_string: `await ${name(i)}(request, context)`,
      },
      result: 'The file /repo/src/a.ts has been updated.',
    })),
  );
});

describe('a lap of ten steps', () => {
  const lap = [
    'search_dir "Mode.SKIP" src',
    'open src/Base.java',
    'search_file "Mode.SKIP"',
    'goto 2110',
    'goto 2189',
    'search_dir "ListReader" src',
    'open src/ListReader.java',
    'search_file "null"',
    'goto 76',
    'search_file "Mode"',
  ];
  const step = (line: string, i: number): CallStep => {
    const [tool = '', ...rest] = line.split(' ');
    return { tool, args: { text: rest.join(' ') }, result: source(40 + i, 8) };
  };
  finds('made 2.3 times', { from: 21, to: 23 }, inTurn(23, lap.map(step)));
  stays('never', 'made once, then again in another order with new answers', [
    ...lap.map(step),
    ...lap.toReversed().map((line, i) => step(line, 60 + i)),
  ]);
  stays('never', 'made twice', inTurn(20, lap.map(step)));
});

describe('things that are patched blind have no space', () => {
  const tools: Record<string, string> = {
    patch_widget: 'widget_id',
    update_component: 'componentId',
    edit_slide: 'slide_id',
    update_chart: 'id',
    set_node_props: 'nodeId',
    patchWidget: 'widgetId',
  };
  for (const [tool, id] of Object.entries(tools)) {
    const patch = (i: number): CallStep => ({
      tool,
      args: { [id]: 'w-1', value: name(i) },
      result: 'updated ok',
    });
    finds(tool, { from: 3, to: 3 }, times(6, patch), { by: 'edit-streak', cap: 'note' });
    stays(
      'never',
      `${tool}, with a look after every second one`,
      times(
        6,
        (i): Item =>
          i % 3 === 2
            ? { tool: tool.replace(/^[a-z]+/, 'get'), args: { [id]: 'w-1' }, result: prose(i) }
            : patch(i),
      ),
    );
  }
  stays(
    'never',
    'records of a shop, which are not drawn',
    times(6, (i) => ({
      tool: 'update_reservation',
      args: { reservation_id: 'R-1', [`field${i}`]: name(i) },
      result: 'updated ok',
    })),
  );
});

describe('different questions with the same "no"', () => {
  const gone = REMOVED_NAMES;
  stays(
    'never',
    'grep in the shell for removed names, by a host that does not tell how a command ended',
    gone.map(
      (name): CallStep => ({ tool: 'Bash', args: { command: `grep -rn ${name} .` }, result: '' }),
    ),
  );
  stays(
    'quiet',
    'Grep for removed names',
    gone.map((pattern) => ({ tool: 'Grep', args: { pattern }, result: 'No files found' })),
  );
  stays(
    'quiet',
    'grep in a shell',
    gone.map((pattern) => bash(`grep -rn "${pattern}" src`, '', 1)),
  );
  stays(
    'quiet',
    'empty folders',
    gone.map((folder) => bash(`ls ${folder}`, '')),
  );
  finds(
    'pages that do not exist',
    { from: 3, to: 4 },
    gone.map((page) => ({
      tool: 'WebFetch',
      args: { url: `https://example.com/${page}` },
      error: 'Request failed with status code 404',
    })),
    { cap: 'hint' },
  );
  stays(
    'quiet',
    'programs',
    ['rg', 'fd', 'jq', 'yq', 'bat', 'delta', 'hyperfine', 'tokei'].map((program) =>
      bash(`which ${program}`, '', 1),
    ),
  );
  stays(
    'quiet',
    'files',
    gone.map((file) => bash(`test -f ${file}.ts`, '', 1)),
  );
  finds(
    'records',
    { from: 3, to: 4 },
    times(8, (i) => ({
      tool: 'get_customer',
      args: { id: `c-${i * 37}` },
      error: `Customer c-${i * 37} not found`,
    })),
    { cap: 'hint' },
  );
  finds(
    'messages to different people',
    { from: 3, to: 4 },
    gone.map((to) => ({
      tool: 'send_email',
      args: { to, text: `Hello ${to}, your parcel has come.` },
      error: 'recipient has no mailbox',
    })),
    { cap: 'hint' },
  );
  climbs(
    'the same question with the same "no"',
    times(12, () => ({
      tool: 'get_customer',
      args: { id: 'c-1' },
      error: 'Customer c-1 not found',
    })),
  );
});

describe('edit and test', () => {
  const lap = (i: number, value: number): Item[] => [
    {
      tool: 'Edit',
      args: {
        file_path: '/repo/src/sum.ts',
        old_string: source(i, 2),
        new_string: source(i + 50, 2),
      },
      result: 'The file /repo/src/sum.ts has been updated.',
    },
    bash(
      'npm test',
      `FAIL test/sum.test.ts\n  × adds the carry\n    AssertionError: expected ${value} to be 12\n\nTests: 1 failed, 7 passed`,
      1,
    ),
  ];
  finds(
    'different edits, the same red test: told, not stopped',
    { from: 6, to: 8 },
    times(12, (i) => lap(i, 13)).flat(),
    { cap: 'hint' },
  );
  finds(
    'another wrong value each time',
    { from: 6, to: 24 },
    times(12, (i) => lap(i, 13 + i)).flat(),
    { cap: 'hint' },
  );
  stays(
    'never',
    'fewer failures each time',
    times(8, (i) => [
      lap(i, 13)[0]!,
      bash('npm test', `FAIL test/sum.test.ts\nTests: ${9 - i} failed, ${i} passed`, 1),
    ]).flat(),
  );
});

test('a write that goes through after failing is no repeat', async () => {
  const deploy = (works: boolean): CallStep => ({
    tool: 'deploy_site',
    args: { site: 'shop' },
    ...(works ? { result: 'online' } : { error: 'no quota left' }),
  });
  const moments = await play([deploy(false), deploy(false), deploy(true), deploy(true)]);
  expectRun(moments, 'never');
});

describe('the same effect with a new id each time', () => {
  const acts: Record<string, (i: number) => CallStep> = {
    'a message': (i) => ({
      tool: 'send_email',
      args: { to: 'mara@example.com', text: 'Your parcel has come.' },
      result: { id: `msg_${name(i)}`, status: 'sent' },
    }),
    'an issue': (i) => ({
      tool: 'create_issue',
      args: { title: 'Login fails', body: 'It does.' },
      result: `Created issue #${4100 + 7 * i}`,
    }),
    'a file': (i) => ({
      tool: 'upload_document',
      args: { path: '/tmp/report.pdf', bucket: 'out' },
      result: { url: `https://files.example.com/${name(i)}/report.pdf` },
    }),
  };
  for (const [title, act] of Object.entries(acts)) finds(title, { from: 3, to: 4 }, times(12, act));
  stays(
    'never',
    'different messages',
    times(12, (i) => ({
      tool: 'send_email',
      args: { to: `${name(i)}@example.com`, text: 'Your parcel has come.' },
      result: { id: `msg_${name(i)}`, status: 'sent' },
    })),
  );
  stays(
    'never',
    'a commit after each edit',
    times(8, (i) => [
      {
        tool: 'Edit',
        args: { file_path: `/repo/src/${name(i)}.ts`, old_string: 'a', new_string: prose(i) },
        result: 'The file has been updated.',
      },
      bash(
        'git commit -am wip',
        `[main ${(0xabc1230 + i * 7919).toString(16)}] wip\n 1 file changed, ${i + 2} insertions(+), 1 deletion(-)`,
      ),
    ]).flat(),
  );
});

describe('one call that fails in other words each time', () => {
  const words = times(
    16,
    (i) => `${['Handler', 'Socket', 'Parser', 'Worker'][i % 4]}Error: ${prose(i, 9)}`,
  );
  finds(
    'sixteen texts',
    { from: 4, to: 6 },
    words.map((error) => ({ tool: 'start_job', args: { job: 'import' }, error })),
  );
  finds(
    'attempts that fail before they start',
    { from: 3, to: 6 },
    times(30, (i) => ({
      tool: 'start_job',
      args: { job: 'import' },
      result: `attempt ${i + 1} failed before start`,
    })),
  );
  stays(
    'never',
    'with a repair between',
    words.slice(0, 8).flatMap((error, i): Item[] => [
      { tool: 'start_job', args: { job: 'import' }, error },
      {
        tool: 'Edit',
        args: { file_path: `/repo/${name(i)}.ts`, old_string: 'a', new_string: prose(i) },
        result: 'The file has been updated.',
      },
    ]),
  );
  stays(
    'never',
    'different jobs',
    words.map((error, i) => ({ tool: 'start_job', args: { job: name(i) }, error })),
  );
});

describe('subagents', () => {
  const trailer = (i: number): string =>
    `\nagentId: ${name(i).replace('-', '')} (use SendMessage to continue this agent)\n<usage>total_tokens: ${9000 + 31 * i}\ntool_uses: ${3 + (i % 4)}\nduration_ms: ${8123 + 97 * i}</usage>`;
  const prompts = [
    'Find the retry limit',
    'Search the code for the retry limit',
    'Where is the limit of retries defined?',
    'Look for the number of retries, the retry limit',
    'Please find where the retry limit is set',
    'Locate the retry limit constant',
    'Find any setting that limits retries',
    'Look again for the retry limit in the code',
  ];
  finds(
    'reworded prompts with the same answer',
    { from: 3, to: 5 },
    prompts.map((prompt) => ({
      tool: 'Agent',
      args: { prompt, description: 'Find limit' },
      result: 'I could not find any retry limit.',
      wait: 10,
    })),
    { cap: 'hint' },
  );
  finds(
    'reworded prompts with the same answer and a trailer',
    { from: 3, to: 6 },
    prompts.map((prompt, i) => ({
      tool: 'Agent',
      args: { prompt, description: 'Find limit' },
      result: `I could not find any retry limit.${trailer(i)}`,
      wait: 10,
    })),
    { cap: 'hint' },
  );
  stays(
    'never',
    'different prompts with different answers',
    times(8, (i) => ({
      tool: 'Agent',
      args: { prompt: prose(i), description: name(i) },
      result: prose(i + 40),
      wait: 10,
    })),
  );
  stays(
    'never',
    'different jobs that all are done',
    times(8, (i) => ({
      tool: 'Agent',
      args: {
        prompt: `Write the tests of ${name(i)} and run ${name(i + 50)}`,
        description: name(i),
      },
      result: 'Done. All tests pass now.',
      wait: 10,
    })),
  );
});

describe('reworded requests', () => {
  finds(
    'three that are not found, whatever else is offered',
    { from: 3, to: 3 },
    [
      'coordinates of the colony Tarvos',
      'the colony Tarvos coordinates',
      'the colony Tarvos latitude and longitude',
    ].map((query, i) => ({
      tool: 'search',
      args: { query },
      error: `Could not find [${query}]. Similar: ['${prose(i, 20)}', '${prose(i + 9, 20)}']`,
    })),
  );
  finds(
    'three with the very same page',
    { from: 3, to: 3 },
    [
      'Find links to the tools for profiles',
      'Identify the tools or links for profiles',
      'List links of the profile tools',
    ].map((goal) => ({
      tool: 'extract_content',
      args: { goal },
      result: `Extracted from page: ${prose(3, 20)}`,
    })),
  );
  stays(
    'quiet',
    'different look-ups with other answers',
    times(8, (i) => ({
      tool: 'search',
      args: { query: `${name(i)} harbour` },
      error: `Could not find [${name(i)} harbour]. Similar: ['${prose(i, 20)}', '${prose(i + 9, 20)}']`,
    })),
  );
});

describe('the same error through different commands', () => {
  const error =
    'fatal: unable to access https://git.example.com/shop.git/: SSL certificate problem: self-signed certificate';
  const commands = [
    'git fetch origin',
    'git pull --rebase',
    'git clone https://git.example.com/shop.git',
    'git ls-remote origin',
    'git remote update',
    'git submodule update --remote',
  ];
  finds(
    'one certificate',
    { from: 3, to: 5 },
    commands.map((command) => bash(command, error, 128)),
  );
  stays(
    'quiet',
    'different errors',
    commands.map((command, i) => bash(command, `fatal: ${prose(i, 8)}`, 128)),
  );
});

describe('clicks that never change the page', () => {
  const page = (body: string) =>
    `### Page state\n- Page URL: https://shop.example.com/cart\n- Page Snapshot:\n${body}`;
  finds(
    'one button, looked at in between',
    { from: 5, to: 8 },
    times(5, () => [
      { tool: 'browser_click', args: { element: 'Pay', ref: 'e7' }, result: 'Clicked' },
      {
        tool: 'browser_snapshot',
        args: {},
        result: page('- button "Pay" [ref=e7]\n- text: Total 118.40'),
      },
    ]).flat(),
  );
  stays(
    'never',
    'a pager',
    times(5, (i) => [
      { tool: 'browser_click', args: { element: 'Next', ref: 'e7' }, result: 'Clicked' },
      {
        tool: 'browser_snapshot',
        args: {},
        result: page(`- button "Next" [ref=e7]\n- text: ${prose(i, 20)}`),
      },
    ]).flat(),
  );
});

describe('text without word boundaries', () => {
  const observe = (guard: Guard, text: string, channel: string, size: number): string[] => {
    const found: string[] = [];
    for (let i = 0; i < text.length; i += size) {
      const verdict = guard.observe({
        type: 'text-added',
        session: 's',
        at: 1000 + i,
        text: text.slice(i, i + size),
        channel,
      } as never);
      found.push(...verdict.signals.map(({ detector }) => detector));
    }
    found.push(
      ...guard
        .observe({
          type: 'text-added',
          session: 's',
          at: 10 ** 6,
          text: '',
          channel,
          done: true,
        } as never)
        .signals.map(({ detector }) => detector),
    );
    return found;
  };
  const next = random(5);
  const digitsOf = (alphabet: string, count: number): string =>
    times(count, () => alphabet[Math.floor(next() * alphabet.length)]).join('');
  const chants: Record<string, string> = {
    letters: 'a'.repeat(4000),
    signs: '?!'.repeat(2000),
    ticks: '✓'.repeat(2000),
    emoji: '🎉'.repeat(1500),
    'two emoji': '😂👍'.repeat(900),
    digits: '7'.repeat(4000),
    'many digits': '31415'.repeat(800),
    Chinese: '好的'.repeat(1000),
    Japanese: 'はい、'.repeat(800),
    'one ideograph': '哈'.repeat(2000),
  };
  const honest: Record<string, string> = {
    'a ruler': `Here is the table.\n${'-'.repeat(240)}\n${prose(1, 40)}`,
    'a long ruler': `${'='.repeat(500)}\n${prose(2, 40)}\n${'='.repeat(500)}`,
    'a row of zeros': `const empty = [${'0, '.repeat(200)}0];\n${prose(3, 40)}`,
    base64: digitsOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', 600),
    'a table of ticks': times(60, (i) => `| ${name(i)} | ✓ | ✓ | ✓ |`).join('\n'),
    'a laugh': `哈哈哈哈哈哈哈哈哈哈 ${prose(4, 30)} 🎉🎉🎉🎉🎉`,
    'many different digits': digitsOf('0123456789', 1500),
  };
  for (const channel of ['answer', 'thinking']) {
    for (const size of [1, 7, 5000]) {
      for (const [title, text] of Object.entries(chants))
        test(`${title} in ${channel} by ${size}`, () =>
          expect(observe(createGuard(), text, channel, size)).toContain('chanting'));
      for (const [title, text] of Object.entries(honest))
        test(`${title} in ${channel} by ${size}: never`, () =>
          expect(observe(createGuard(), text, channel, size)).toEqual([]));
    }
  }
});

describe('an edit that fails, and is done in another way', () => {
  const failing = (i: number): CallStep => ({
    tool: 'Edit',
    args: {
      file_path: '/app/src/card.tsx',
      old_string: prose(i, 12),
      new_string: prose(i + 90, 12),
    },
    result: 'String to replace not found in file.',
    error: true,
  });
  const look: CallStep = bash('ls src', 'card.tsx\nlist.tsx');
  const byScript = (i: number): CallStep =>
    bash(
      `python3 -c "text = open('src/card.tsx').read(); open('src/card.tsx', 'w').write(text.replace('${name(i)}', ''))"`,
      `Replaced ${name(i)}.`,
    );
  finds(
    'three in a row, with a look in between',
    { from: 3, to: 5 },
    [failing(0), failing(1), look, failing(2), failing(3)],
    {
      by: 'repeated-error',
    },
  );
  stays('never', 'three, of which a script did the second', [
    failing(0),
    failing(1),
    byScript(1),
    failing(2),
    byScript(2),
  ]);
});

describe('agents that confirm one another', () => {
  const talk = (texts: readonly string[], speakers: readonly string[]): string[] => {
    const guard = createGuard();
    return texts.flatMap((text, i) =>
      guard
        .observe({
          type: 'text-added',
          session: 's',
          speaker: speakers[i % speakers.length]!,
          at: 4000 * i,
          text,
          channel: 'answer',
          done: true,
        })
        .signals.map(({ detector, variant }) => `${detector}/${variant}`),
    );
  };
  const assents = [
    'The answer is correct. I agree with your solution.',
    'Thank you for confirming. I agree the answer is correct.',
    'Great work, I confirm that the solution is right.',
    'Thanks! Yes, the solution is right, as you confirmed.',
    'Thank you! I agree that everything is correct.',
    'I appreciate the confirmation. The answer is correct.',
    'Yes, I can confirm the result. Well done.',
    'Wonderful, we both agree on the solution.',
    'Perfect, the solution stands. I have nothing to add.',
    'Great, then we are done. The answer is right.',
    'I agree. The answer is correct and complete.',
    'Yes, we agree. Thank you for the check.',
    'Glad we agree. The result is right.',
    'Thank you, the answer stands as confirmed.',
  ];
  test('in other words each time', () =>
    expect(talk(assents, ['Solver', 'Checker'])).toContain('repeated-message/assent'));
  test('a few times: never', () =>
    expect(talk(assents.slice(0, 5), ['Solver', 'Checker'])).toEqual([]));
  test('short messages that each say something: never', () =>
    expect(
      talk(
        times(
          30,
          (i) =>
            `I agree, and then the ${name(3 * i)} needs a ${name(3 * i + 1)} for its ${name(3 * i + 2)}.`,
        ),
        ['Planner', 'Coder'],
      ),
    ).toEqual([]));
});

describe('thinking that reshuffles itself', () => {
  const think = (paragraphs: readonly string[]): string[] => {
    const guard = createGuard();
    return paragraphs.flatMap((text, i) =>
      guard
        .observe({
          type: 'text-added',
          session: 's',
          at: 1000 * i,
          text: `${text}\n\n`,
          channel: 'thinking',
        })
        .signals.map(({ detector, variant }) => `${detector}/${variant}`),
    );
  };
  const CHEERS = [
    'I can do this.',
    'Stay calm.',
    'Focus now.',
    'Almost there.',
    'Be careful.',
    'Keep going.',
    'Think hard.',
  ];
  const reshuffled = times(
    40,
    (i) =>
      `**Considering option ${name(i)}**\n\nI need to decide how the parser should handle the empty line before the closing brace, and whether attempt ${i} ` +
      `would be any better than the one before it, since the grammar does not say so. ${CHEERS[i % CHEERS.length]}`,
  );
  test('near-duplicates under new titles, with another number and another pep talk', () =>
    expect(think(reshuffled)).toContain('repeated-thought/reshuffled'));
  test('a few of them: never', () => expect(think(reshuffled.slice(0, 11))).toEqual([]));
  test('one sentence for each of many files: never', () =>
    expect(
      think(
        times(
          40,
          (i) =>
            `Next is src/${name(i)}.ts, which imports the ${name(i + 50)} helper and exports ${name(i + 90)} only.`,
        ),
      ),
    ).toEqual([]));
  test('six equal short thoughts', () =>
    expect(think(times(6, () => 'Let me try that again.'))).toEqual(['repeated-thought/short']));
  test('short thoughts that differ: never', () =>
    expect(think(times(40, (i) => (i % 2 ? 'Let me look.' : `Now ${name(i)}.`)))).toEqual([]));
});

describe('the rest', () => {
  stays(
    'never',
    'a batch over twenty targets that answer ok',
    times(20, (i) => ({ tool: 'close_ticket', args: { ticket: `T-${i * 13}` }, result: 'ok' })),
  );
  stays(
    'never',
    'a batch over twenty targets of an unknown tool',
    times(20, (i) => ({ tool: 'frobnicate', args: { thing: `T-${i * 13}` }, result: 'ok' })),
  );
  stays(
    'never',
    'the only number of a result moves',
    times(12, (i) => ({
      tool: 'count_rows',
      args: { table: 'orders' },
      result: { output: String(1037 + 11 * i) },
    })),
  );
  test('nothing is claimed of unknown tools in between', async () => {
    const moments = await play(
      times(4, (i): Item[] => [
        {
          tool: 'lookup_order',
          args: { order: 'A-1' },
          result: 'Order A-1: three lines, 118.40 EUR, Rotterdam.',
        },
        { tool: 'frobnicate', args: { n: name(i) }, result: prose(i) },
      ]).flat(),
      { ignores: true },
    );
    const texts = moments.flatMap(({ verdict }) => verdict.signals.map(({ text }) => text));
    expect(texts.length, told(moments)).toBeGreaterThan(0);
    expect(texts.join('\n')).not.toContain('could have changed');
  });
  test('ten compactions in a row', async () => {
    const compacted: Item = { event: { type: 'context-compacted' } };
    expect(firstSignal(await play(times(10, () => compacted)))).toBeDefined();
    const work = times(10, (i): Item[] => [
      compacted,
      ...times(6, (j) => ({
        tool: 'read_file',
        args: { path: `src/${name(10 * i + j)}.ts` },
        result: source(10 * i + j),
      })),
    ]).flat();
    expectRun(await play(work), 'never');
  });
});

describe('a batch that is too wide', () => {
  const call = (i: number) => ({
    id: `c${i}`,
    tool: 'read_file',
    args: { path: `src/${name(1)}.ts` },
  });
  const base = { session: 's', batch: 'all' };
  test('is a fault that says so, and silences nothing', () => {
    const guard = createGuard();
    const faults: string[] = [];
    let first = 0;
    for (let i = 1; i <= 5; i++) {
      const proposed = guard.observe({
        ...base,
        type: 'call-proposed',
        at: 5000 * i,
        call: call(i),
      });
      const finished = guard.observe({
        ...base,
        type: 'call-finished',
        at: 5000 * i + 300,
        call: call(i),
        result: source(1),
      });
      faults.push(
        ...proposed.faults.map(({ message }) => message),
        ...finished.faults.map(({ message }) => message),
      );
      if (finished.signals.length > 0 && first === 0) first = i;
    }
    expect(faults).toHaveLength(4);
    expect(faults[0]).toMatch(/batch/);
    expect(first).toBe(3);
  });
  test('calls of one response that are proposed before any has finished are no fault', () => {
    const guard = createGuard();
    const verdicts = [1, 2, 3].map((i) =>
      guard.observe({ ...base, type: 'call-proposed', at: 5000, call: call(i) }),
    );
    verdicts.push(
      ...[1, 2, 3].map((i) =>
        guard.observe({
          ...base,
          type: 'call-finished',
          at: 5300 + i,
          call: call(i),
          result: source(1),
        }),
      ),
    );
    expect(verdicts.flatMap(({ faults, signals }) => [...faults, ...signals])).toEqual([]);
  });
});

/**
 * Honest runs that an outsider invented to embarrass the guard: it may block or stop only on known
 * results, not guesses.
 */
describe('an answer that is not known is not acted on', () => {
  const HINT = RUNGS.indexOf('hint');
  const quick = times(
    12,
    (i): CallStep => ({
      tool: 'read_file',
      args: { path: `src/${name(i)}.ts` },
      result: source(i),
      wait: 3,
    }),
  );
  const reach = async (items: Item[]): Promise<number> =>
    highest(await play(items, { ignores: true }));

  stays(
    'quiet',
    'sizes in megabytes grow',
    times(12, (i) => bash('du -sh /backup', `${80 + 71 * i}M\t/backup`)),
  );
  test('twin: durations in minutes do not', async () => {
    expect(
      await reach(
        times(12, (i) => bash('./report', `total 42 rows in table orders, took ${2 + i}m`)),
      ),
    ).toBeGreaterThan(HINT);
  });

  stays(
    'quiet',
    'heads and tails by turns',
    [...'TTHTHHTHTTHH'].map(
      (side): CallStep => ({ tool: 'flip_coin', args: {}, result: { side } }),
    ),
  );

  stays(
    'quiet',
    'a price that is looked at every hour',
    times(
      12,
      (): CallStep => ({
        tool: 'get_price',
        args: { symbol: 'B0CX23' },
        result: { price: '199.99' },
        wait: 3600,
      }),
    ),
  );
  stays(
    'quiet',
    'an inbox and a calendar that are looked at every hour, with the same report',
    times(10, (): Item[] => [
      {
        tool: 'check_inbox',
        args: {},
        result: 'You have no new messages in this inbox.',
        wait: 3600,
      },
      { tool: 'check_calendar', args: {}, result: 'There are no meetings in the next two hours.' },
      {
        event: {
          type: 'text-added',
          channel: 'answer',
          text: 'All is quiet, so I will look again in an hour.',
          done: true,
        },
      },
    ]).flat(),
  );
  stays(
    'quiet',
    'a number before a tab is a size, not a line',
    times(12, (i) => bash('du -sm /backup', `${800 + 1433 * i}\t/backup`)),
  );
  for (const modelMs of [2000, 58_000])
    test(`what the model did not take of a minute is a wait: ${60 - modelMs / 1000} s`, async () => {
      const looks = times(
        12,
        (): CallStep => ({
          ...bash('./report', 'total 42 rows in table orders'),
          wait: 60,
          modelMs,
        }),
      );
      const highestRung = await reach(looks);
      if (modelMs === 2000) expect(highestRung).toBeLessThanOrEqual(RUNGS.indexOf('note'));
      else expect(highestRung).toBeGreaterThan(HINT);
    });

  for (const [what, look] of Object.entries({
    'a program': bash('./health.sh web-1', 'web-1 is healthy, all 4 workers answer'),
    'a look at a remote': bash(
      'git fetch -q && git log --oneline -1 origin/main',
      'a1b2c3d fix: typo',
    ),
    'a check': bash('npm run smoke', 'all 12 smoke tests passed on production'),
  })) {
    test(`${what} after each sleep is a poll`, async () => {
      const slept = times(9, (): Item[] => [
        { tool: 'Bash', args: { command: 'sleep 60' }, result: '' },
        look,
      ]).flat();
      expect(await reach([...quick, ...slept])).toBeLessThanOrEqual(RUNGS.indexOf('note'));
    });
  }
  test('twin: without a sleep it is not a wait', async () => {
    expect(
      await reach(times(12, () => bash('./report', 'total 42 rows in table orders'))),
    ).toBeGreaterThan(HINT);
  });

  test('a value that was only learned to be noise is no reason to refuse', async () => {
    const looks = times(14, (i) =>
      bash('free -m', `total used free\nMem: 32011 ${9000 + ((i * 37) % 400)} 20110`),
    );
    expect(await reach([...quick, ...looks])).toBeLessThanOrEqual(HINT);
  });

  test('a check that passes may be repeated; its twin that fails may not', async () => {
    const passing = times(14, () => bash('go test -race -count=1 ./pool', 'ok  \tacme/pool\t1.2s'));
    const failing = times(14, () =>
      bash('go test -race -count=1 ./pool', '--- FAIL: TestDrain\nFAIL\tacme/pool\t1.2s', 1),
    );
    expect(await reach([...quick, ...passing])).toBeLessThanOrEqual(HINT);
    expect(await reach([...quick, ...failing])).toBe(RUNGS.indexOf('stop'));
  });
});
