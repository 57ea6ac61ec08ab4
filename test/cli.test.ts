import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const example = 'examples/stuck-on-a-test.jsonl';
const folder = mkdtempSync(join(tmpdir(), 'unrut-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

function unrut(args: string[], input?: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['src/cli/main.ts', ...args], { cwd: root, encoding: 'utf8', input });
  return { status, stdout, stderr: stderr.trim().split('\n').filter(Boolean) };
}

function file(name: string, text: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const call = (i: number): string =>
  JSON.stringify({
    type: 'call-finished',
    session: 's',
    at: i * 5000,
    call: { id: `c${i}`, tool: 'lookup', args: { i } },
    result: `answer ${i}`,
  });

describe('unrut', () => {
  test('prints its version', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(unrut(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: [] });
  });

  test.each([[[]], [['--help']], [['replay', '--help']]])('helps with %j', (args) => {
    const { status, stdout } = unrut(args);
    expect(status).toBe(0);
    expect(stdout).toContain('Exit codes');
  });

  test.each([
    [['nonsense'], 'no command nonsense'],
    [['replay'], 'one file, got 0'],
    [['replay', 'a', 'b'], 'one file, got 2'],
    [['replay', '--nonsense', 'a'], '--nonsense'],
    [['replay', '--preset', 'bold', 'a'], 'recommended, strict, observe; got bold'],
  ])('wrong usage %j is one line and 64', (args, said) => {
    const { status, stderr } = unrut(args);
    expect(status).toBe(64);
    expect(stderr).toHaveLength(1);
    expect(stderr[0]).toContain(said);
  });
});

describe('unrut replay', () => {
  test('shows the bundled run step by step, and ends with 1 because it loops', () => {
    const { status, stdout, stderr } = unrut(['replay', example]);
    expect(stderr).toEqual([]);
    expect(status).toBe(1);
    expect(stdout).toContain('▲ repeated-call (consecutive');
    for (const rung of ['→ note', '→ hint', '→ block before it runs', '→ escalate', '→ stop']) expect(stdout).toContain(rung);
    expect(stdout).not.toContain('\u001b[');
  });

  test('ends with 0 where nothing loops, or when told to', () => {
    expect(unrut(['replay', file('quiet.jsonl', [1, 2, 3, 4].map(call).join('\n'))]).status).toBe(0);
    expect(unrut(['replay', '--exit-zero', example]).status).toBe(0);
  });

  test('reads standard input and writes verdicts as JSON', () => {
    const { status, stdout } = unrut(['replay', '--json', '-'], `${call(1)}\n${call(2)}\n`);
    expect(status).toBe(0);
    const verdicts = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(verdicts.map(({ step }) => step)).toEqual([0, 1]);
  });

  test('the observe preset plans the same and does nothing', () => {
    const { stdout } = unrut(['replay', '--preset', 'observe', example]);
    expect(stdout).toContain('5 interventions recorded');
  });

  test.each([
    ['a missing file', () => join(folder, 'nowhere.jsonl'), 'ENOENT'],
    ['a folder', () => folder, 'EISDIR'],
  ])('%s is one line and 2', (_, path, said) => {
    const { status, stderr } = unrut(['replay', path()]);
    expect(status).toBe(2);
    expect(stderr).toHaveLength(1);
    expect(stderr[0]).toContain(said);
  });

  test('an empty file has no steps and ends with 0', () => {
    const { status, stdout } = unrut(['replay', file('empty.jsonl', '')]);
    expect(status).toBe(0);
    expect(stdout).toContain('0 steps');
  });

  test('broken lines are named one by one, the others are played, and it ends with 2', () => {
    const lines = [call(1), '{"type":"call-fin', 'null', '{"type":"nonsense","session":"s","at":1}', call(2)];
    const { status, stdout, stderr } = unrut(['replay', file('broken.jsonl', lines.join('\n'))]);
    expect(status).toBe(2);
    expect(stderr).toHaveLength(3);
    expect(stderr[0]).toMatch(/broken\.jsonl:2: .*left out/);
    expect(stdout).toContain('2 steps');
  });

  test('a binary file is no crash', () => {
    const { status, stderr } = unrut(['replay', file('binary.jsonl', Buffer.from([0, 255, 254, 10, 1, 2, 3]))]);
    expect(status).toBe(2);
    expect(stderr).toHaveLength(2);
  });
});
