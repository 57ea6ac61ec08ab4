import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Comparison, ScanReport } from '@unrut/ledger/report/scan-report';
import { runInProcess } from '@unrut/test/run-in-process';
import { busy, call, lines, person, stuck } from '@unrut/test/scan/neutral';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unrut-gates-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}
const scan = async (...args: string[]) => runInProcess('scan', ...args);
const reportOf = async (...args: string[]): Promise<ScanReport> =>
  JSON.parse((await scan('--json', ...args)).stdout);

/** The same run as another machine, another day and another session would record it. */
const elsewhere = (times: number) =>
  stuck(times).map((step) =>
    JSON.parse(JSON.stringify(step).replaceAll('/home/dev/project', '/Users/ci/build-77/project')),
  );

describe('a gate', () => {
  it.each<[string, string[], number]>([
    ['without limits fails on any loop', [], 1],
    ['on a rung that is reached fails', ['--fail-on', 'hint'], 1],
    ['allows as many loops as it says', ['--max-loops', '1'], 0],
    ['allows no more', ['--max-loops', '0'], 1],
    ['allows a share', ['--max-wasted', '40%'], 0],
    ['allows no greater share', ['--max-wasted', '0.3'], 1],
    ['fails when one of two limits is exceeded', ['--max-loops', '3', '--max-wasted', '1%'], 1],
    [
      'on a rung fails beside a share that is kept',
      ['--fail-on', 'note', '--max-wasted', '90%'],
      1,
    ],
    [
      'on a rung that is not reached leaves the share to decide',
      ['--fail-on', 'stop', '--max-wasted', '90%'],
      0,
    ],
    ['never fails with --exit-zero', ['--max-loops', '0', '--exit-zero'], 0],
  ])('%s', async (_, args, status) => {
    write('a.jsonl', lines(stuck()));
    write('b.jsonl', lines(busy()));
    expect((await scan(...args, folder)).status).toBe(status);
  });

  it('counts only loops that reach its rung', async () => {
    write('a.jsonl', lines(stuck(3)));
    const { trajectories } = await reportOf(folder);
    expect(trajectories[0]!.loops.map(({ rung }) => rung)).not.toContain('stop');
    expect((await scan(folder)).status).toBe(1);
    expect((await scan('--fail-on', 'stop', folder)).status).toBe(0);
  });

  it('says what was found and what is allowed', async () => {
    write('a.jsonl', lines(stuck()));
    expect((await scan('--max-loops', '0', '--max-wasted', '90%', folder)).stdout).toMatch(
      /Failed: 1 loop, at most 0 allowed\.[\s\S]*Passed: 71\.4% of the steps wasted, at most 90% allowed\./,
    );
  });
});

describe('a baseline', () => {
  it.each([
    ['ses_e1e9aac65ffemzAWmdeW3XDHEQ', 'ses_3b44bc68affeQzAWmdeW9XDHaa', true],
    ['5973b6c0-94b8-487b-a530-2aeb6098ae0e', '6a8d7a22-95fb-487b-a530-82b03560a629', true],
    ['checkout', 'search', false],
  ])('knows the loop of %s in %s: %j', async (one, other, isKnown) => {
    const before = await reportOf(write(`${one}.jsonl`, lines(stuck())));
    const after = await reportOf(write(`${other}.jsonl`, lines(stuck())));
    expect(before.trajectories[0]!.id).toBe(one);
    expect(before.trajectories[0]!.loops[0]!.id === after.trajectories[0]!.loops[0]!.id).toBe(
      isKnown,
    );
  });

  it('leaves out what it knows, on another machine too, and nothing else', async () => {
    const baseline = join(folder, 'baseline.json');
    const known = write('runs/a.jsonl', lines(stuck()));
    writeFileSync(baseline, (await scan('--json', known)).stdout);
    expect((await scan('--baseline', baseline, known)).status).toBe(0);
    writeFileSync(known, lines(elsewhere(9)));
    const { status, stdout } = await scan('--baseline', baseline, known);
    expect(status).toBe(0);
    expect(stdout).toContain('1 loop known from the baseline is left out.');
    write(
      'runs/b.jsonl',
      lines([
        person(0, 'Go.'),
        ...Array.from({ length: 6 }, (_, n) =>
          call(1 + n, 'Bash', { command: 'npm test' }, 'Error: 1 failed'),
        ),
      ]),
    );
    const report = await reportOf('--baseline', baseline, join(folder, 'runs'));
    expect(report.totals).toMatchObject({ known: 1, loops: 1, looping: 1, wastedSteps: 5 });
    expect(report.trajectories.flatMap(({ loops }) => loops.map(({ text }) => text))).toEqual([
      expect.stringContaining('npm test'),
    ]);
  });

  it.each([
    ['{"name":"x"}', 'is no baseline'],
    [undefined, 'Cannot read the baseline'],
  ])('reports a limit that is %s', async (content, said) => {
    const file = join(folder, 'baseline.json');
    if (content !== undefined) writeFileSync(file, content);
    const { status, stderr } = await scan('--baseline', file, write('a.jsonl', lines(busy())));
    expect(status).toBe(2);
    expect(stderr).toEqual([expect.stringContaining(said)]);
  });
});

describe('before and after', () => {
  const many = (name: string, looping: number, of: number) => {
    for (let i = 0; i < of; i++)
      write(`${name}/${i}.jsonl`, lines(i < looping ? stuck(8) : busy()));
  };
  it('tells more loops from chance', async () => {
    many('before', 1, 12);
    many('after', 10, 12);
    const { status, stdout } = await scan(
      '--compare',
      join(folder, 'before'),
      join(folder, 'after'),
    );
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /runs that loop {2}8\.3% \(.*\) +83\.3% \(.*\) +\+75 points \(\+.*\): more/,
    );
    expect(stdout).toMatch(
      /New: 9 loops\n {2}repeated-call in 1, steps 1 to 8: .* \(7 steps wasted\)\n/,
    );
    expect(stdout).toContain('In both: 1 loop');
  });

  it.each([['--junit', 'x.xml'], ['--max-loops', '3'], ['--fail-on', 'stop'], ['--jsonl']])(
    'refuses %s, which would do nothing',
    async (...option) => {
      many('before', 0, 1);
      const { status, stderr } = await scan(
        '--compare',
        ...option,
        join(folder, 'before'),
        join(folder, 'before'),
      );
      expect([status, stderr]).toEqual([
        64,
        [expect.stringContaining(`--compare and ${option[0]} cannot be combined`)],
      ]);
    },
  );

  it('ends with 0 when asked to', async () => {
    many('before', 0, 12);
    many('after', 12, 12);
    expect(
      (await scan('--compare', '--exit-zero', join(folder, 'before'), join(folder, 'after')))
        .status,
    ).toBe(0);
  });

  it('does not call a little more a difference', async () => {
    many('before', 1, 12);
    many('after', 2, 12);
    const { status, stdout } = await scan(
      '--compare',
      '--json',
      join(folder, 'before'),
      join(folder, 'after'),
    );
    expect(status).toBe(0);
    const { looping, wasted } = JSON.parse(stdout) as Comparison;
    expect(looping.difference.low).toBeLessThan(0);
    expect(looping.difference.high).toBeGreaterThan(0);
    expect(wasted.before.low).toBeLessThanOrEqual(wasted.before.value);
  });

  it('is Markdown when asked for', async () => {
    many('before', 1, 2);
    many('after', 0, 2);
    expect(
      (await scan('--compare', '--md', '-', join(folder, 'before'), join(folder, 'after'))).stdout,
    ).toMatch(/^## Unrut scan: before and after\n\n\| {2}\| before \| after \| difference \|/);
  });
});

describe('what is written for others', () => {
  const evil = () => [
    person(0, 'Go.'),
    ...Array.from({ length: 6 }, (_, n) =>
      call(1 + n, 'Read', { file_path: '<b>|`x`]]>&" \u0007' }, '=HYPERLINK("x")'),
    ),
  ];

  it('is well-formed whatever a call holds', async () => {
    const run = write('a <&|.jsonl', lines(evil()));
    write('b.jsonl', '{"name":"x"}');
    const files = ['md', 'junit', 'sarif', 'csv'].map((name) => join(folder, `out.${name}`));
    const { stdout } = await scan(
      '--md',
      files[0]!,
      '--junit',
      files[1]!,
      '--sarif',
      files[2]!,
      '--csv',
      files[3]!,
      run,
      join(folder, 'b.jsonl'),
    );
    expect(stdout).toContain(`SARIF written to ${files[2]}.`);
    const [md, junit, sarif, csv] = files.map((file) => readFileSync(file, 'utf8')) as [
      string,
      string,
      string,
      string,
    ];
    for (const line of md.split('\n').filter((each) => each.startsWith('| ')))
      expect(line.replaceAll('\\|', '').split('|').length).toBeGreaterThan(3);
    expect(md).not.toContain('\u0007');
    expect(junit).toMatch(/<testsuites tests="2" failures="1" errors="1">/);
    expect(
      junit.replace(
        /<\/?(?:testsuites|testsuite|testcase|failure|error)(?: [a-z]+="[^"<]*")*\/?>|<\?xml[^>]*\?>/g,
        '',
      ),
    ).not.toMatch(/[<>]|&(?!#\d+;)/);
    // Strict readers, such as Jenkins' xUnit plugin, refuse other attributes.
    const attributes = [
      ...junit.matchAll(/<(testsuites|testsuite|testcase|failure|error)((?: [a-z]+="[^"<]*")*)/g),
    ].map(
      ([, element, given]) =>
        `${element}: ${[...given!.matchAll(/ ([a-z]+)=/g)].map(([, name]) => name).join(' ')}`,
    );
    expect([...new Set(attributes)].sort()).toEqual([
      'error: message',
      'failure: type message',
      'testcase: classname name',
      'testsuite: name tests failures errors',
      'testsuites: tests failures errors',
    ]);
    expect(csv.trim().split('\r\n')).toHaveLength(2);
    const { runs, version } = JSON.parse(sarif);
    expect(version).toBe('2.1.0');
    expect(runs[0].results[0]).toMatchObject({
      ruleId: 'repeated-call',
      ruleIndex: 0,
      level: 'error',
      partialFingerprints: { 'unrutLoop/v1': expect.any(String) },
    });
    expect(runs[0].tool.driver.rules[0].id).toBe('repeated-call');
    expect(runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri).toMatch(
      /a%20%3C%26%7C\.jsonl$/,
    );
    expect(runs[0].invocations[0].toolExecutionNotifications).toMatchObject([
      { level: 'error', message: { text: expect.stringContaining('Unknown format') } },
    ]);
  });

  it('has no failure of a loop that does not count, and tells of it', async () => {
    const run = write('a.jsonl', lines(stuck(3)));
    const junit = async (...args: string[]) => (await scan('--junit', '-', ...args, run)).stdout;
    expect(await junit()).toMatch(/failures="1"[\s\S]*<failure /);
    expect(await junit('--fail-on', 'stop')).toMatch(
      /failures="0"[\s\S]*<system-out>[^<]*steps 1 to 3: [^<]*<\/system-out>/,
    );
  });

  it('says in SARIF whether anything could be read', async () => {
    const sarif = async (...files: string[]) =>
      JSON.parse((await scan('--sarif', '-', ...files)).stdout).runs[0].invocations[0];
    const [empty, run] = [write('a.jsonl', ''), write('b.jsonl', lines(busy()))];
    expect(await sarif(empty)).toMatchObject({ executionSuccessful: false });
    expect(await sarif(empty, run)).toMatchObject({ executionSuccessful: true });
  });

  it.each([
    [['--md', '-', '--junit', '-'], '--md and --junit cannot both go to standard output.'],
    [['--json', '--csv', '-'], '--json and --csv cannot both go to standard output.'],
    [['--md', 'out', '--csv', './out'], '--md and --csv cannot both go to ./out.'],
    [['--max-wasted', '1'], '--max-wasted takes a share such as 5% or 0.05; got 1.'],
    [['--max-wasted', ' '], '--max-wasted takes a share such as 5% or 0.05; got nothing.'],
    [['--max-wasted', '150%'], 'got 150%.'],
    [['--max-loops', '-1'], '--max-loops takes a value; got the option -1.'],
    [['--max-loops=-1'], '--max-loops takes a whole number, 0 or more; got -1.'],
    [['--fail-on', 'warning'], '--fail-on takes note, hint, block, escalate, stop; got warning.'],
  ])('%j is wrong usage', async (args, said) => {
    const { status, stderr } = await scan(...args, write('a.jsonl', lines(busy())));
    expect([status, stderr]).toEqual([64, [expect.stringContaining(said)]]);
  });

  it.each([
    ['--exclude', '*.jsonl'],
    ['--exclude', 'a.*'],
    ['--since', '2100-01-01'],
  ])('says that %s %s left nothing', async (...option) => {
    write('a.jsonl', lines(busy()));
    expect((await scan(...option, folder)).stdout).toBe(
      `No runs found.\nNothing is left after ${option.join(' ')}.\n`,
    );
    const glob = join(folder, 'a.*');
    expect((await scan('--exclude', glob, folder)).stdout).toContain(
      `Nothing is left after --exclude ${glob}.`,
    );
  });

  it('goes to standard output in place of text', async () => {
    const run = write('a.jsonl', lines(stuck()));
    const { stdout } = await scan('--csv', '-', run);
    expect(stdout).toMatch(/^id,run,file,/);
    expect(stdout).not.toContain('Found');
  });

  it('groups loops by kind and tool, and runs by model and repository', async () => {
    const record = {
      sessionId: 's',
      cwd: '/home/dev/shop',
      type: 'user',
      message: { role: 'user', content: 'x' },
    };
    write('a.jsonl', lines(stuck()));
    write(
      'b.jsonl',
      `${readFileSync('test/fixtures/transcripts/claude-code.jsonl', 'utf8')}${JSON.stringify(record)}\n`,
    );
    const { groups } = await reportOf(folder);
    expect(groups).toMatchObject({
      kind: [{ name: 'repeated-call', loops: 1, wastedSteps: 5 }],
      tool: [{ name: 'Read' }],
    });
    expect(groups!.model.map(({ name }) => name)).toContain('unknown');
    expect(groups!.repository).toHaveLength(2);
  });
});

it.each(['bash', 'zsh', 'fish'])(
  'completion of %s knows commands and their options',
  async (shell) => {
    const { status, stdout } = await runInProcess('completion', shell);
    expect(status).toBe(0);
    for (const word of ['scan', 'explain', 'baseline', 'strict']) expect(stdout).toContain(word);
  },
);
