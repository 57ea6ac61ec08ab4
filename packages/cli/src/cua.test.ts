import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInProcess } from '@unrut/test/run-in-process';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unrut-cua-'));
  vi.stubEnv('UNRUT_HOME', join(folder, 'home'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test.each([
  ['invalid YAML', 'url: [', /is not valid YAML/],
  [
    'no address',
    'task: x\nbrain: { kind: scripted, script: [] }',
    /Expected `url` to be a string, got nothing/,
  ],
  [
    'another address',
    'url: "ftp://x"\ntask: x\nbrain: {}',
    /Expected `url` to be a URL that starts with http/,
  ],
  [
    'no brain',
    'url: "http://127.0.0.1:9"\ntask: x',
    /Expected `brain` to be an object with a kind, got nothing/,
  ],
  [
    'a key in the file',
    'url: "http://x"\ntask: x\nbrain: { kind: openai, model: gpt, apiKey: k }',
    /set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY instead/,
  ],
  [
    'an unknown field',
    'url: "http://x"\ntask: x\ntaks: y',
    /Unknown key `taks`\. Did you mean `task`\?/,
  ],
  [
    'a value from nowhere',
    'url: "http://x"\ntask: x\nbrain: { kind: scripted, script: [] }\nplan: { values: { A: { env: UNSET_FOR_SURE } } }',
    /UNSET_FOR_SURE, which is not set/,
  ],
])('says what is wrong with a task: %s', async (_, text, message) => {
  const task = join(folder, 'task.yaml');
  writeFileSync(task, text);
  const { status, stderr } = await runInProcess('cua', 'run', task, '--out', join(folder, 'out'));
  expect(stderr).toEqual([expect.stringMatching(message)]);
  expect(status).toBe(2);
});

test.each([
  ['a run', []],
  ['paired runs', ['--ablate']],
])('writes nothing into a folder of somebody else: %s', async (_, more) => {
  const theirs = join(folder, 'theirs');
  mkdirSync(theirs);
  writeFileSync(join(theirs, '001.png'), 'A photograph.');
  writeFileSync(join(theirs, 'trajectory.json'), '{"version": "7"}');
  const { status, stderr } = await runInProcess(
    'cua',
    'run',
    'examples/computer-use/task.yaml',
    '--out',
    theirs,
    ...more,
  );
  expect(stderr).toEqual([
    expect.stringMatching(
      /The folder .*theirs contains files that are not from an earlier run\. Choose an empty/,
    ),
  ]);
  expect(status).toBe(64);
  expect(readdirSync(theirs)).toEqual(['001.png', 'trajectory.json']);
  expect(readFileSync(join(theirs, '001.png'), 'utf8')).toBe('A photograph.');
});

test('has help', async () => {
  const { status, stdout } = await runInProcess('cua', '--help');
  expect(stdout).toMatch(/^unrut cua run \[options\] <task\.yaml>/);
  expect(status).toBe(0);
});
