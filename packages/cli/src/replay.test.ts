import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInProcess } from '@unrut/test/run-in-process';
import { afterAll, describe, expect, test } from 'vitest';

const example = 'examples/stuck-on-a-test.jsonl';
const folder = mkdtempSync(join(tmpdir(), 'unrut-replay-'));
afterAll(() => rmSync(folder, { recursive: true }));

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

test.each([[['--help']], [['show', '--help']]])(
  'unrut with %j prints help that names the exit codes',
  async (args) => {
    const { status, stdout } = await runInProcess(...args);
    expect(status).toBe(0);
    expect(stdout).toContain('Exit codes');
  },
);

describe('unrut show', () => {
  test('shows the bundled run step by step, and exits with 1 because it loops', async () => {
    const { status, stdout, stderr } = await runInProcess('show', example);
    expect(stderr).toEqual([]);
    expect(status).toBe(1);
    expect(stdout).toContain('▲ repeated-call (consecutive');
    for (const rung of ['→ note', '→ hint', '→ block before it runs', '→ escalate'])
      expect(stdout).toContain(rung);
    expect(stdout).not.toContain('\u001b[');
  });

  test('exits with 0 where nothing loops, and with --exit-zero', async () => {
    const quiet = file('quiet.jsonl', [1, 2, 3, 4].map(call).join('\n'));
    expect((await runInProcess('show', quiet)).status).toBe(0);
    expect((await runInProcess('show', '--exit-zero', example)).status).toBe(0);
  });

  test('with the observe preset plans the same and does nothing', async () => {
    expect((await runInProcess('show', '--preset', 'observe', example)).stdout).toContain(
      '5 interventions recorded',
    );
  });

  test.each([
    ['a missing file', () => join(folder, 'nowhere.jsonl'), 'Cannot be read'],
    ['a folder', () => folder, 'it is a folder'],
  ])('exits with 2 after one line when given %s', async (_, path, said) => {
    const { status, stderr } = await runInProcess('show', path());
    expect(status).toBe(2);
    expect(stderr).toEqual([expect.stringContaining(said)]);
  });

  test('says that a file is empty', async () => {
    const { status, stdout, stderr } = await runInProcess('show', file('empty.jsonl', ''));
    expect(status).toBe(2);
    expect(stdout).toContain('0 steps');
    expect(stderr).toEqual([expect.stringContaining('Empty: there is nothing in it.')]);
  });

  test('reports a broken line, plays the rest, and exits with 2', async () => {
    const lines = [...Array.from({ length: 12 }, (_, i) => call(i)), '{"type":"call-fin', call(20)];
    const { status, stdout, stderr } = await runInProcess(
      'show',
      file('broken.jsonl', lines.join('\n')),
    );
    expect(status).toBe(2);
    expect(stderr).toEqual([expect.stringContaining('1 line skipped: not JSON.')]);
    expect(stdout).toContain('13 steps');
  });

  test.each(['claude-code.jsonl', 'atif.json', 'zed.json', 'aider.md', 'otel-spans-console.txt'])(
    'plays whatever scan reads: %s',
    async (name) => {
      const { stdout, stderr } = await runInProcess(
        'show',
        '--exit-zero',
        `test/fixtures/transcripts/${name}`,
      );
      expect(stderr).toEqual([]);
      expect(stdout).toMatch(/[1-9]\d* steps?, \d+ wasted/);
    },
  );

  test('does not crash on a binary file', async () => {
    const { status, stderr } = await runInProcess(
      'show',
      file('binary.jsonl', Buffer.from([0, 255, 254, 10, 1, 2, 3])),
    );
    expect(status).toBe(2);
    expect(stderr).toHaveLength(1);
  });
});
