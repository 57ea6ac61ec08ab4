import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { explain as command } from '../packages/cli/src/explain.ts';
import { bundledPrograms } from './bundled-programs.ts';
import { root } from './structure/tree.ts';

const example = 'examples/stuck-on-a-test.jsonl';
const folder = mkdtempSync(join(tmpdir(), 'unrut-explain-'));
afterAll(() => rmSync(folder, { recursive: true }));

function explain(args: string[], input?: string) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [bundledPrograms().cli, 'explain', ...args],
    {
      cwd: root,
      encoding: 'utf8',
      input,
    },
  );
  return { status, stdout, stderr: stderr.trim().split('\n').filter(Boolean) };
}

function file(name: string, text: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const call = (session: string, i: number): string =>
  JSON.stringify({
    type: 'call-finished',
    session,
    at: i * 5000,
    call: { id: `c${i}`, tool: 'lookup', args: { id: 1 } },
    result: 'The same answer as it was before.',
  });
const several = file(
  'several.jsonl',
  ['one', 'two'].flatMap((session) => [1, 2, 3].map((i) => call(session, i))).join('\n'),
);

describe('unrut explain', () => {
  test('explains the bundled run', () => {
    const { status, stdout, stderr } = explain([example]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: [] });
    for (const said of [
      'demo: 1 loop in 18 steps',
      'Equal',
      '→ <duration>',
      'Options   repeated-call: threshold 3',
      'Found too often?',
    ])
      expect(stdout).toContain(said);
    expect(stdout).not.toContain('\u001b[');
  });

  test('explains a step', () => {
    const { status, stdout } = explain([example, '--step', '11']);
    expect(status).toBe(0);
    expect(stdout).toContain('Step 11 of demo: npm test');
    expect(stdout).toContain('▲ repeated-call');
  });

  test.each([[[]], [['--step', '3']]])('gives the same as JSON, with %j', (args) => {
    const { status, stdout } = explain([example, '--json', ...args]);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      run: { id: 'demo', file: example, format: 'unrut-events' },
    });
  });

  test('reads standard input', () => {
    const { status, stdout } = explain(['-'], [1, 2, 3].map((i) => call('one', i)).join('\n'));
    expect(status).toBe(0);
    expect(stdout).toContain('one: 1 loop in 3 steps');
  });

  test.each(['two', '2'])('explains one of several runs, by its name or number: %s', (id) => {
    expect(explain([several, '--run', id]).stdout).toContain('two: 1 loop in 3 steps');
  });

  test('shows only what one detector sees', () => {
    expect(explain([several, '--run', 'two', '--detector', 'cycle']).stdout).toContain(
      'two: no loop in 3 steps',
    );
  });

  test('says what of a file could not be used, and explains the rest', () => {
    const { status, stdout } = explain([
      file('broken.jsonl', `${call('one', 1)}\n{"type":"call-fin\n${call('one', 2)}\n`),
    ]);
    expect(status).toBe(0);
    expect(stdout).toContain('1 record could not be used.');
  });

  test('shows how calls look to a detector, as text and as JSON', () => {
    const calls = [
      'Bash {"command":"cd . && npm  test 2>&1"}',
      'Bash {"command":"npm test"}',
    ].flatMap((call) => ['--call', call]);
    const { status, stdout } = explain(calls);
    expect(status).toBe(0);
    for (const said of [
      'npm test (the same call as number 1)',
      'tool         npm test',
      'verb         verify',
      'wide         true',
    ])
      expect(stdout).toContain(said);
    const [one, other] = JSON.parse(explain([...calls, '--json']).stdout).calls;
    expect(one).toEqual({ ...other, identity: 'npm test (in .)' });
    expect(other).toMatchObject({
      tool: 'npm test',
      identity: 'npm test',
      verb: 'verify',
      effect: 'none',
      target: null,
    });
  });

  test('helps', () => {
    const { status, stdout } = explain(['--help']);
    expect(status).toBe(0);
    expect(stdout).toContain('Exit codes');
  });

  test.each<[string[], string]>([
    [[], 'one file, or --run for a run in the ledger; got 0 files'],
    [['a', 'b'], 'got 2 files'],
    [['--nonsense', 'a'], '--nonsense'],
    [[example, '--step', '-1'], '--step'],
    [[example, '--step', 'x'], '--step takes a whole number'],
    [[example, '--step', '99'], '--step takes a step of the run, 0 to 17; got 99.'],
    [[example, '--detector', 'nobody'], '--detector takes amnesia, '],
    [[example, '--format', 'nothing'], 'There is no format nothing.'],
    [
      [several],
      'holds 2 runs. Choose one with --run, by number or id: 1. one (3 steps), 2. two (3 steps).',
    ],
    [[several, '--run', 'three'], 'There is no run three in '],
    [
      ['--call', 'Bash {command}'],
      `--call takes a tool and its arguments as JSON, such as 'Bash {"command":"ls"}'; got Bash {command}.`,
    ],
    [['--call', ''], '--call takes a tool and its arguments as JSON'],
    [['--call', '{"command":"ls"}'], '--call takes a tool and its arguments as JSON'],
    [['--call', 'ls', example], '--call cannot be combined with a file'],
    [['--call', 'ls', '--run'], '--call cannot be combined with a file'],
    [['--call'], '--call takes a value; got none.'],
  ])('%j is wrong usage', async (args, said) => {
    await expect(command(args)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(said),
    });
  });

  test.each([
    ['a missing file', () => join(folder, 'nowhere.jsonl'), 'it does not exist'],
    ['a folder', () => folder, 'It is a folder with'],
    ['an empty file', () => file('empty.jsonl', ''), 'it is not JSON'],
    [
      'a file of no known format',
      () => file('other.jsonl', '{"colour":"blue"}\n'),
      'starts with an object with colour',
    ],
    [
      'a binary file',
      () => file('binary.jsonl', Buffer.from([0, 255, 254, 10, 1, 2, 3])),
      'it is not text',
    ],
  ])('%s cannot be read', async (_, path, said) => {
    await expect(command([path()])).rejects.toMatchObject({
      code: 'unreadable',
      message: expect.stringContaining(said),
    });
  });
});
