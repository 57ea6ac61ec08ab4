import type { Importer } from '@unrut/reading/importer';
import { describe, expect, it } from 'vitest';
import { claudeCodeTranscript } from '../../packages/agents/src/hosts/claude-code/transcript.ts';
import { codexTranscript } from '../../packages/agents/src/hosts/codex/transcript.ts';
import { piTranscript } from '../../packages/agents/src/hosts/pi/transcript.ts';
import { createGuard } from '../../packages/cli/src/index.ts';
import { sweAgent } from '../../packages/logs/src/importers/swe-agent/swe-agent.ts';
import { importRecords } from '../importers/import-file.ts';
import { name, prose, REMOVED_NAMES, random, source } from '../scenarios/content.ts';
import {
  CAN,
  type CallStep,
  expectRun,
  type Item,
  type Moment,
  play,
  scenario,
  times,
  told,
} from '../scenarios/scenario.ts';

/** The guard's findings in a made-up file of this format, by the source's own steps. */
function scanned(importer: Importer, records: readonly unknown[]): Moment[] {
  const guard = createGuard({ can: CAN });
  return importRecords(importer, records).events.map(({ step, event }) => ({
    call: step + 1,
    event,
    verdict: guard.observe(event),
  }));
}

/** An SWE-agent run, from its command lines and their output. */
const trajectory = (
  steps: readonly (readonly [action: string, observation: string])[],
): unknown[] => [
  {
    trajectory: steps.map(([action, observation], i) => ({
      action,
      observation,
      response: '',
      thought: name(i),
      state: '{"open_file":"n/a"}',
    })),
    history: [],
    info: { exit_status: 'submitted' },
  },
];
const swe = (steps: readonly (readonly [string, string])[]): Moment[] =>
  scanned(sweAgent, trajectory(steps));
const bash = (command: string, result: string, more: Partial<CallStep> = {}): CallStep => ({
  tool: 'Bash',
  args: { command },
  result,
  ...more,
});

const detectors = (moments: readonly Moment[]): string[] => [
  ...new Set(moments.flatMap(({ verdict }) => verdict.signals.map(({ detector }) => detector))),
];
const rungs = (moments: readonly Moment[]): string[] => [
  ...new Set(moments.flatMap(({ verdict }) => (verdict.plan ? [verdict.plan.rung] : []))),
];

describe('the folder belongs to a command', () => {
  const down: [string, string][] = [
    ['java', 'com'],
    ['com', 'acme'],
    ['acme', 'shop'],
    ['shop', 'Cart.java  Item.java  Order.java'],
  ];
  const walk = (tree: string): [string, string][] => [
    [`cd ${tree} && ls -a`, 'java resources'],
    ...down.map(([folder, listing]): [string, string] => [`cd ${folder} && ls -a`, listing]),
    ['cd ../../../../../', ''],
  ];
  it('equal listings of different folders are different answers', () => {
    const steps: [string, string][] = [
      ['ls -a', 'README.md src'],
      ['cd src && ls -a', 'integration main site test'],
      ...['main', 'test', 'integration'].flatMap(walk),
    ];
    expectRun(swe(steps), 'never');
    expectRun(
      scanned(
        claudeCodeTranscript,
        claude(steps.map(([command, result]) => ({ name: 'Bash', input: { command }, result }))),
      ),
      'never',
    );
  });
  scenario('the same folder in other words is the same folder', 3, {
    'in a shell that forgets its folder': [
      'cd web && npm run lint',
      'cd ./web && npm run lint',
      '(cd web; npm run lint)',
      'cd web && npm run lint',
    ].map((command) => bash(command, 'warning  Unexpected console statement  no-console')),
    'from where it began': [
      'cd /repo && git log -1',
      'git log -1',
      'cd /repo/ && git log -1',
      'git log -1',
    ].map((command) => bash(command, 'commit by Ada: the parser keeps its comments')),
  });
  scenario(
    'a round through two folders of a shell that forgets is a round',
    { from: 5, to: 6 },
    {
      'two packages': times(8, (i) =>
        bash(
          i % 2 ? 'cd api && git log -1' : 'cd web && git log -1',
          i % 2 ? 'commit by Ada: the parser' : 'commit by Grace: the button',
        ),
      ),
    },
  );
});

const LINES = [
  '    return null;',
  '    }',
  '',
  '    if (value == null) {',
  '  public Object get(int index) {',
  '    @Override',
  '  /** {@inheritDoc} */',
  '    break;',
];
const windowOf = (from: number): string => {
  const next = random(11);
  const code = times(2700, (i) => `${i + 1}:${LINES[Math.floor(next() * LINES.length)]}`);
  return `[File: /repo/src/Base.java (2690 lines total)]\n(${from} more lines above)\n${code.slice(from - 1, from + 99).join('\n')}\n(more lines below)`;
};

describe('lines never shown are new, whatever their words', () => {
  const pages = [
    ...times(11, (i) => 100 + 100 * i),
    1902,
    1968,
    2035,
    2072,
    2124,
    2158,
    2211,
    2241,
  ];
  it('paging by line number', () => {
    expectRun(
      swe([
        ['open src/Base.java', windowOf(1)],
        ...pages.map((line): [string, string] => [`goto ${line}`, windowOf(line)]),
      ]),
      'never',
    );
  });
  it('twin: going to and fro between lines that were shown', () => {
    const lines = [100, 180, 120, 150, 110, 170, 130, 160, 105, 175];
    const moments = swe([
      ['open src/Base.java', windowOf(1)],
      ['goto 100', windowOf(100)],
      ['goto 200', windowOf(200)],
      ...lines.map((line): [string, string] => [`goto ${line}`, windowOf(line)]),
    ]);
    expect(detectors(moments).length, told(moments)).toBeGreaterThan(0);
  });
});

const clicked = (
  i: number,
  shown = `- [Snapshot](.playwright-mcp/page-2026-11-16T07-2${i}-09-77${i}Z.yml)`,
): string =>
  `### Ran Playwright code\n\`\`\`js\nawait page.getByRole('button', { name: 'Next' }).click();\n\`\`\`\n### Page\n- Page URL: http://shop.example/tour\n- Page Title: Tour\n### Snapshot\n${shown}`;

describe('an answer that only links to what it shows is unknown', () => {
  const twin =
    '- button "Next" [ref=e5]\n- heading "Step 1 of the tour through the harbour" [level=1]';
  for (const [tool, args] of [
    ['mcp__playwright__browser_click', { element: 'Next', ref: 'e5' }],
    ['mcp__playwright__browser_press_key', { key: 'ArrowDown' }],
    ['mcp__playwright__browser_navigate', { url: 'http://shop.example/tour' }],
    ['mcp__playwright__browser_snapshot', {}],
  ] as const) {
    it(`${tool}: at most a note`, async () => {
      const moments = await play(times(9, (i) => ({ tool, args, result: clicked(i) })));
      expectRun(moments, 'quiet');
    });
    it(`${tool}: twin: the page itself shows that nothing changes`, async () => {
      expectRun(await play(times(9, (i) => ({ tool, args, result: clicked(i, twin) }))), 3);
    });
  }
  scenario('a bare receipt of an act is unknown', 'quiet', {
    'the code that was run': times(8, () => ({
      tool: 'mcp__playwright__browser_press_key',
      args: { key: 'ArrowDown' },
      result:
        "### Ran Playwright code\n```js\n// Press ArrowDown\nawait page.keyboard.press('ArrowDown');\n```",
    })),
    clicked: times(8, () => ({ tool: 'click', args: { element: 'Next' }, result: 'Clicked' })),
    'an address': times(8, () => ({
      tool: 'click_element',
      args: { index: 4 },
      result: 'http://shop.example/tour',
    })),
    'a file': times(8, (i) => ({
      tool: 'take_picture',
      args: {},
      result: `Saved to /tmp/shots/shot-${i}.png`,
    })),
  });
});

describe('how often a tool tried is its own business', () => {
  const blocked = (tries: number): CallStep => ({
    tool: 'mcp__playwright__browser_click',
    args: { element: 'Pay', ref: 'e7' },
    error: `TimeoutError: locator.click: Timeout 5000ms exceeded.\nCall log:\n  - waiting for element to be visible, enabled and stable\n  ${tries} × retrying click action\n      - <div class="overlay"></div> intercepts pointer events\n    - waiting ${tries}00ms`,
  });
  scenario('equal failures but for the retries', 3, {
    'an overlay': [9, 11, 8, 10, 9].map(blocked),
  });
  scenario('twin: a count of what is left', 'never', {
    tests: [9, 7, 4, 2, 1].map((left) =>
      bash('npm test', `Tests: ${left} failed, ${20 - left} passed`, { exitCode: 1 }),
    ),
  });
});

describe('the line of a shell is noise', () => {
  const gone = (line: number): string =>
    `/bin/bash: line ${line}: cd: fastlib/: No such file or directory`;
  it('one failing command', () => {
    const moments = swe(times(8, (i): [string, string] => ['cd fastlib/', gone(17_886 + 12 * i)]));
    expectRun(moments, 3);
    expect(detectors(moments)).toContain('repeated-call');
  });
  it('twin: the line in a file that a search names is where it is', async () => {
    const found = (i: number): string => `src/a.ts:${40 + i * 7}: ${prose(i)}`;
    expectRun(await play(times(8, (i) => bash('tail -1 log.txt', found(i)))), 'never');
  });
});

describe('what a log has replaced is unknown', () => {
  const hidden = (i: number): CallStep => ({
    tool: 'bash',
    args: { command: '...' },
    result: '...',
    error: true,
    ...(i % 2 ? { exitCode: i } : {}),
  });
  scenario('at most a note', 'quiet', {
    dots: times(10, hidden),
    'a word for it': times(10, () => ({
      tool: 'bash',
      args: { command: '[REDACTED]' },
      result: '[REDACTED]',
    })),
    'kinds of error': times(10, (i) => ({
      tool: 'bash',
      args: { command: '...' },
      result: '...',
      error: `${name(i).replace('-', '')}Error: ...`,
    })),
  });
  scenario('twin: commands and answers that are shown', 3, {
    'the same failure': times(6, () =>
      bash('make site', 'make: *** No rule to make target `site`.  Stop.', { exitCode: 2 }),
    ),
  });
});

describe('what a look-up does not find is an answer', () => {
  const names = REMOVED_NAMES;
  const noError = async (items: Item[]): Promise<void> => {
    const moments = await play(items);
    expect(detectors(moments), told(moments)).not.toContain('repeated-error');
  };
  it.each<[string, (what: string) => CallStep]>([
    ['grep, with its exit code', (what) => bash(`grep -rn "${what}" src`, '', { exitCode: 1 })],
    [
      'grep, flagged and with a word for the exit code',
      (what) => bash(`grep -rn "${what}" src`, 'Exit code 1', { error: true }),
    ],
    ['which', (what) => bash(`which ${what}`, '', { error: true, exitCode: 1 })],
    ['test', (what) => bash(`test -f src/${what}.ts`, '', { error: true, exitCode: 1 })],
    ['command -v', (what) => bash(`command -v ${what}`, '', { error: 'Exit code 1' })],
    [
      'grep behind a cd',
      (what) => bash(`cd /repo && git grep ${what} | head -5`, '', { exitCode: 1, error: true }),
    ],
  ])('%s', async (_, make) => noError(names.map(make)));
  it.each<[string, (what: string) => CallStep]>([
    [
      'grep that cannot read',
      (what) =>
        bash(`grep -n "${what}" srk`, 'grep: srk: No such file or directory', { exitCode: 2 }),
    ],
    [
      'a program that fails without a word',
      (what) => bash(`./deploy ${what}`, 'Exit code 1', { error: true }),
    ],
  ])('twin: %s', async (_, make) => {
    const moments = await play(names.map(make));
    expect(detectors(moments), told(moments)).toContain('repeated-error');
  });
});

describe('going to a folder does something', () => {
  const folders = ['src', 'main', 'java', 'com', 'acme', 'shop', 'cart'];
  scenario('a walk', 'never', {
    'cd and ls in turn': folders.flatMap((folder, i) => [
      bash(`cd ${folder}`, ''),
      bash('ls', `${folders[i + 1] ?? 'Cart.java'}\n${name(i)}`),
    ]),
    'cd alone': folders.map((folder) => bash(`cd ${folder}`, '')),
  });
  scenario(
    'twin: commands that do nothing',
    { from: 4, to: 6 },
    {
      'true and the like': ['true', ':', 'echo ok', 'true', 'sleep 0', ':', 'true'].map((command) =>
        bash(command, command === 'echo ok' ? 'ok' : ''),
      ),
    },
  );
});

describe('a check of another file is another check', () => {
  const files = ['cart', 'item', 'order', 'user', 'session', 'token', 'price'];
  const eslint = (i: number): CallStep =>
    bash(
      `npx eslint src/${files[i]}.ts`,
      `/repo/src/${files[i]}.ts\n  ${i + 3}:7  error  '${files[(i + 2) % 7]}' is not defined  no-undef\n\n✖ 1 problem (1 error, 0 warnings)`,
      { exitCode: 1 },
    );
  scenario('a batch', 'never', {
    eslint: times(7, eslint),
    'tasks that are gone': [20, 22, 21].map((taskId) => ({
      tool: 'TaskUpdate',
      args: { taskId: String(taskId), status: 'completed' },
      error: 'Task not found',
    })),
  });
  scenario('twin: one file, one finding', 3, { eslint: times(5, () => eslint(2)) });
});

const REFUSED = (i: number): string =>
  `Your proposed edit has introduced new syntax error(s). Please read this error message carefully and then retry editing the file.\n\nERRORS:\n- E999 SyntaxError: invalid syntax\n\nThis is how your edit would have looked if applied\n-------------------------------------------------\n[File: /repo/repro.py (6 lines total)]\n1:public class Repro${name(i).replace('-', '')} {\n2:  ${prose(i, 8)}\n-------------------------------------------------\n\nThis is the original code before your edit\n-------------------------------------------------\n[File: /repo/repro.py (1 lines total)]\n1:\n-------------------------------------------------\nYour changes have NOT been applied. Please fix your edit command and try again.\nYou either need to 1) Specify the correct start/end line arguments or 2) Correct your edit code.`;
const APPLIED = (i: number): string =>
  `[File: /repo/repro.py (6 lines total)]\n1:public class Repro {\n2:  ${prose(i, 8)}\nFile updated. Please review the changes and make sure they are correct.`;

describe('a refusal inside an answer is a failure', () => {
  const edits = (answer: (i: number) => string): [string, string][] => [
    ['create repro.py', '[File: /repo/repro.py (1 lines total)]\n1:'],
    ...times(20, (i): [string, string] => [
      `edit 1:1\npublic class ${name(i)} {\n  ${prose(i, 8)}\nend_of_edit`,
      answer(i),
    ]),
  ];
  it('an edit that SWE-agent refuses', () => {
    const moments = swe(edits(REFUSED));
    expectRun(moments, { from: 3, to: 4 });
    expect(
      moments.flatMap(({ verdict }) => verdict.signals.map(({ text }) => text)).join('\n'),
    ).not.toContain('was written');
  });
  it('twin: edits that apply', () => {
    expect(rungs(swe(edits(APPLIED))).filter((rung) => rung !== 'note')).toEqual([]);
  });
  scenario(
    'an editor that answers',
    { from: 3, to: 4 },
    {
      'No replacement was performed': times(6, (i) => ({
        tool: 'str_replace_editor',
        args: { command: 'str_replace', path: '/repo/a.py', old_str: prose(i), new_str: name(i) },
        result: `No replacement was performed, old_str \`${prose(i)}\` did not appear verbatim in /repo/a.py.`,
        error: false,
      })),
      'a patch that does not apply': times(6, (i) => ({
        tool: 'apply_patch',
        args: {
          input: `*** Begin Patch\n*** Update File: a.py\n@@\n-${prose(i)}\n+${name(i)}\n*** End Patch`,
        },
        result: `Failed to find expected lines in a.py:\n${prose(i)}`,
      })),
    },
  );
});

describe('failures in the words of tools', () => {
  const six = (make: (i: number) => [string, string]): Moment[] =>
    swe([['ls', 'src'], ...times(6, make)]);
  const FAILURES: [string, (i: number) => [string, string]][] = [
    [
      'a file that is not there',
      (i) => [`open src/Shop${i}.java`, `File src/Shop${i}.java not found`],
    ],
    [
      'a usage line',
      (i) => [
        `search_file "foo${i}" src/X${i}.java`,
        `Usage: search_file <search_term> [<file>]\nError: File name src/X${i}.java not found. Please provide a valid file name.`,
      ],
    ],
    ['a time limit', (i) => [`python run${i}.py`, 'EXECUTION TIMED OUT']],
    [
      'an open quote',
      (i) => [
        `python -c "print('${name(i)})`,
        `/bin/bash: line ${100 + i}: unexpected EOF while looking for matching \`"'\n/bin/bash: line ${101 + i}: syntax error: unexpected end of file`,
      ],
    ],
  ];
  it.each(FAILURES)('%s', (_, make) => expectRun(six(make), { from: 3, to: 4 }));
  it.each<[string, (i: number) => [string, string]]>([
    [
      'files that are there',
      (i) => [
        `open src/Shop${i}.java`,
        `[File: src/Shop${i}.java (3 lines total)]\n1:// Error: file not found\n2:${prose(i)}`,
      ],
    ],
    [
      'help that was asked for',
      (i) => [`tool${i} --help`, `Usage: tool${i} <${name(i)}>\n\n${prose(i, 30)}`],
    ],
    [
      'a run that tells of a limit',
      (i) => [
        `python run${i}.py`,
        `${prose(i)}\nthe job before it had timed out\n${prose(i + 50)}`,
      ],
    ],
    [
      'a script about quotes',
      (i) => [
        `cat notes${i}.md`,
        `${prose(i)}\nbash: syntax error: unexpected end of file\n${prose(i + 50)}`,
      ],
    ],
  ])('twin: %s', (_, make) => expectRun(six(make), 'never'));
  scenario(
    'an open quote, in Claude Code',
    { from: 3, to: 4 },
    {
      bash: times(6, (i) => bash(FAILURES[3]![1](i)[0], FAILURES[3]![1](i)[1], { exitCode: 2 })),
    },
  );
});

/** A transcript of Claude Code. */
const claude = (
  calls: readonly { name: string; input: unknown; result: string; is_error?: boolean }[],
): unknown[] =>
  calls.flatMap(({ name: tool, input, result, ...flag }, i) => {
    const common = {
      sessionId: 's',
      isSidechain: false,
      cwd: '/repo',
      version: '2.0.0',
      userType: 'external',
    };
    const time = (second: number): string =>
      new Date(1_760_000_000_000 + i * 10_000 + second * 1000).toISOString();
    return [
      {
        ...common,
        type: 'assistant',
        uuid: `a${i}`,
        timestamp: time(0),
        message: {
          id: `m${i}`,
          role: 'assistant',
          content: [{ type: 'tool_use', id: `t${i}`, name: tool, input }],
        },
      },
      {
        ...common,
        type: 'user',
        uuid: `u${i}`,
        timestamp: time(1),
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: `t${i}`, content: result, ...flag }],
        },
      },
    ];
  });
const pi = (
  calls: readonly { name: string; input: unknown; result: string; is_error?: boolean }[],
): unknown[] => [
  { type: 'session', version: 3, id: 's', timestamp: '2025-10-09T08:53:20.000Z', cwd: '/repo' },
  ...calls.flatMap(({ name: tool, input, result, is_error: isError }, i) => {
    const at = (second: number): string =>
      new Date(1_760_000_000_000 + i * 10_000 + second * 1000).toISOString();
    return [
      {
        type: 'message',
        id: `a${i}`,
        timestamp: at(0),
        message: {
          role: 'assistant',
          content: [{ type: 'toolCall', id: `t${i}`, name: tool, arguments: input }],
        },
      },
      {
        type: 'message',
        id: `r${i}`,
        timestamp: at(1),
        message: {
          role: 'toolResult',
          toolCallId: `t${i}`,
          toolName: tool,
          content: [{ type: 'text', text: result }],
          isError,
        },
      },
    ];
  }),
];

describe("the host's own word comes first", () => {
  const WARNING =
    'Warning: Web search provider fallback: MCP error -401: Api key not found, please get your apikey; using DuckDuckGo.';
  const searches = (
    isError: boolean,
    body = (i: number) => times(2, (n) => `${n + 1}. ${prose(i * 6 + n, 8)}`).join('\n'),
  ) =>
    times(6, (i) => ({
      name: 'web_search',
      input: { query: prose(i, 4) },
      result: `${WARNING}\n\n${body(i)}`,
      is_error: isError,
    }));
  it('a warning above new hits is no failure, in Claude Code', () =>
    expectRun(scanned(claudeCodeTranscript, claude(searches(false))), 'never'));
  it('a warning above new hits is no failure, in pi', () =>
    expectRun(scanned(piTranscript, pi(searches(false))), 'never'));
  it('twin: the same words from a host that says so', () => {
    for (const moments of [
      scanned(claudeCodeTranscript, claude(searches(true, () => ''))),
      scanned(piTranscript, pi(searches(true, () => ''))),
    ]) {
      expectRun(moments, 3);
      expect(detectors(moments)).toContain('repeated-error');
    }
  });
  it('the word of a pipe is not that of the program in it', async () => {
    const failing = (i: number, more = ''): CallStep =>
      bash(
        `python ${name(i)}.py 2>&1${more}`,
        `Traceback (most recent call last):\n  File "${name(i)}.py"\nModuleNotFoundError: No module named 'yaml'`,
        { error: false },
      );
    const moments = await play(times(4, (i) => failing(i, ' | tail -5')));
    expect(detectors(moments), told(moments)).toContain('repeated-error');
    expectRun(
      await play(
        times(4, (i) => ({
          ...failing(i),
          args: { command: `head -3 ${name(i)}.log | cat` },
          error: false,
        })),
      ),
      'never',
    );
  });
  it('logs that begin with an error are read, not failed', async () => {
    const moments = await play(
      times(7, (i) =>
        bash(`cat logs/${name(i)}.log`, `Error: ${prose(0)}\n${source(i)}`, { error: false }),
      ),
    );
    expectRun(moments, 'never');
  });
});

/** A rollout of Codex in code mode. */
const codex = (
  scripts: readonly { input: string; output: unknown; seconds: number }[],
): unknown[] => [
  {
    timestamp: '2025-10-09T08:53:20.000Z',
    type: 'session_meta',
    payload: { id: 's', timestamp: '2025-10-09T08:53:20.000Z', cwd: '/repo' },
  },
  ...scripts.flatMap(({ input, output, seconds }, i) => {
    const timestamp = new Date(1_760_000_000_000 + seconds * 1000).toISOString();
    const item = (payload: object): object => ({ timestamp, type: 'response_item', payload });
    return [
      item({
        type: 'custom_tool_call',
        call_id: `c${i}`,
        name: 'exec',
        status: 'completed',
        input,
      }),
      item({ type: 'custom_tool_call_output', call_id: `c${i}`, output }),
    ];
  }),
];

describe("Codex's code mode", () => {
  const patch = (i: number) => ({
    input: `const r = await tools.apply_patch("*** Begin Patch\\n*** Add File: src/${name(i)}.ts\\n+export const ${name(i).replace('-', '')} = 1;\\n*** End Patch");\ntext(JSON.stringify(r));`,
    output: '{}',
    seconds: 20 * i,
  });
  const build = {
    input:
      'const r = await tools.exec_command({cmd:"docker compose build", yield_time_ms:5000});\ntext(r.output);',
    output: '',
    seconds: 200,
  };
  const poll = (i: number) => ({
    input:
      'const r = await tools.write_stdin({session_id:7, chars:"", yield_time_ms:5000});\ntext(r.output);',
    output: '',
    seconds: 210 + 7 * i,
  });
  const run = (cmd: string, i: number, output = 'ENOENT: no such file src/gone.ts') => ({
    input: `const r = await tools.exec_command({"cmd": ${JSON.stringify(cmd)}});\ntext(r.output);`,
    output,
    seconds: 10 * i,
  });
  it('new files and a build that is waited for', () => {
    expectRun(
      scanned(codexTranscript, codex([...times(9, patch), build, ...times(9, poll)])),
      'never',
    );
    expectRun(
      scanned(codexTranscript, codex([...times(9, patch), build, ...times(14, poll)])),
      'quiet',
    );
  });
  it('takes the calls out of the script', () => {
    const { events } = importRecords(codexTranscript, codex([patch(1), build, poll(1)]));
    expect(
      events.flatMap(({ event }) => (event.type === 'call-proposed' ? [event.call.tool] : [])),
    ).toEqual(['apply_patch', 'exec_command', 'write_stdin']);
  });
  it('twin: one command again and again', () => {
    expectRun(scanned(codexTranscript, codex(times(6, (i) => run('node src/gone.ts', i)))), 3);
  });
  it('several commands are one line; what is computed stays a script', () => {
    const both =
      'const [a, b] = await Promise.all([tools.exec_command({cmd:"ls"}), tools.exec_command({"cmd":\'pwd\', workdir: `/repo`})]);';
    const computed =
      'for (const file of files) text((await tools.exec_command({cmd: "cat " + file})).output);';
    const { events } = importRecords(
      codexTranscript,
      codex([both, computed].map((input) => ({ ...patch(1), input }))),
    );
    expect(
      events.flatMap(({ event }) => (event.type === 'call-proposed' ? [event.call] : [])),
    ).toMatchObject([
      { tool: 'exec_command', args: { cmd: "ls\ncd '/repo' && pwd" } },
      { tool: 'exec', args: { input: computed } },
    ]);
  });
});

describe('the kind of an error is what its most specific line says', () => {
  const edit = (i: number, result: string): CallStep => ({
    tool: 'str_replace_editor',
    args: {
      command: 'str_replace',
      path: `/repo/${name(i)}.py`,
      old_str: prose(i),
      new_str: name(i),
    },
    result,
    error: true,
  });
  const mismatch = (i: number): string =>
    `ERROR:\nNo replacement was performed, old_str \`${prose(i)}\` did not appear verbatim in /repo/${name(i)}.py.`;
  scenario('three kinds under one heading', 'never', {
    editor: [
      edit(1, mismatch(1)),
      edit(2, "ERROR:\nParameter 'old_str' is required for command: str_replace."),
      edit(3, 'ERROR:\nThe path /repo/x.py does not exist. Please provide a valid path.'),
    ],
  });
  it('twin: one kind', async () => {
    const moments = await play(times(4, (i) => edit(i, mismatch(i))));
    expectRun(moments, 3);
    expect(told(moments)).toContain('repeated-error');
    expect(moments.flatMap(({ verdict }) => verdict.signals.map(({ text }) => text))[0]).toContain(
      'No replacement was performed',
    );
  });
});

describe('every way to run a check is a look', () => {
  const edit = (i: number): CallStep => ({
    tool: 'Edit',
    args: {
      file_path: '/repo/src/a.ts',
      old_string: `const a = ${prose(i)};`,
      new_string: `const a = ${prose(i + 1)};`,
    },
    result: 'The file /repo/src/a.ts has been updated.',
  });
  const note = async (between: (i: number) => CallStep[]): Promise<string> => {
    const moments = await play(times(5, (i) => [edit(i), ...between(i)]).flat());
    return moments.flatMap(({ verdict }) => verdict.signals.map(({ text }) => text)).join('\n');
  };
  it.each([
    'bash t.sh',
    'node t.mjs',
    'curl -s localhost:3000/health',
    'php artisan test',
    './manage.py test',
  ])('%s', async (command) => {
    expect(
      await note((i) => [
        bash(command, prose(i), { exitCode: command.startsWith('curl') ? 0 : 1 }),
      ]),
    ).not.toContain('without reading it');
  });
  it.each(['curl -s https://docs.example.com/api', 'echo done'])(
    'twin: %s looks at nothing of ours',
    async (command) => {
      expect(await note((i) => [bash(command, prose(i), { exitCode: 0 })])).toContain(
        'without reading it',
      );
    },
  );
});

describe('what a subagent costs is not what it says', () => {
  const answer = (i: number, said = 'I could not find any retry limit in the code base.'): string =>
    `${said}\nagentId: a3f9c${i}2 (for resuming to continue this agent's work if needed)\n<usage>total_tokens: ${18_220 + 977 * i}\ntool_uses: ${4 + i}\nduration_ms: ${40_120 + 3331 * i}</usage>`;
  const ask = (i: number, said?: string): CallStep => ({
    tool: 'Agent',
    args: { description: 'look', prompt: 'find the retry limit' },
    result: answer(i, said),
  });
  scenario('the same answer', 3, {
    'as text': times(6, (i) => ask(i)),
    'as blocks': times(6, (i) => ({
      ...ask(i),
      result: answer(i)
        .split('\nagentId')
        .map((text, n) => ({ type: 'text', text: n ? `agentId${text}` : text })),
    })),
  });
  scenario('twin: other answers', 'never', { 'as text': times(6, (i) => ask(i, prose(i, 30))) });
});

describe('the digest of a screen is never noise', () => {
  const digest = (i: number): string =>
    times(8, (n) =>
      Math.floor(random(i * 8 + n)() * 2 ** 32)
        .toString(16)
        .padStart(8, '0'),
    ).join('');
  const scroll = (i: number, detail: string): Item => ({
    action: { type: 'scroll', direction: 'down' },
    screen: { url: 'https://news.example.com/', detail, viewport: { width: 1280, height: 720 } },
    ...(i < 0 ? {} : {}),
  });
  scenario('another digest is another screen', 'never', {
    '64 digits': times(12, (i) => scroll(i, digest(i))),
    '16 digits': times(12, (i) => scroll(i, digest(i).slice(0, 16))),
    'load more': times(
      12,
      (i) =>
        ({
          ...(scroll(i, digest(i)) as object),
          action: { type: 'click', x: 20, y: 600 },
          target: { role: 'button', name: 'Load more' },
        }) as Item,
    ),
  });
  scenario(
    'twin: the same digest',
    { from: 3, to: 7 },
    { '64 digits': times(12, (i) => scroll(i, digest(1))) },
  );
});
