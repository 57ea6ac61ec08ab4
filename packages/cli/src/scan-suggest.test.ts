import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScanReport, Suggestion } from '@unrut/ledger/report/scan-report';
import { runInProcess } from '@unrut/test/run-in-process';
import {
  claudeCodeSession,
  codexRollout,
  geminiChat,
  type ShellCall,
} from '@unrut/test/scan/host-transcripts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unrut-suggest-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, content: string): void => writeFileSync(join(folder, name), content);
const suggested = async (...more: string[]): Promise<Suggestion[]> =>
  (
    JSON.parse(
      (await runInProcess('scan', '--suggest', '--json', ...more, folder)).stdout,
    ) as ScanReport
  ).suggestions!;

const times = (n: number, call: ShellCall): ShellCall[] => Array.from({ length: n }, () => call);
const failing = (module: string): ShellCall[] =>
  times(6, { command: 'npm test', output: `Error: Cannot find module '${module}'`, exitCode: 1 });
const passing = (name: string): ShellCall => ({
  command: `npm test -- -t ${name}`,
  output: `1 passed: ${name}`,
  exitCode: 0,
});
const denied = times(6, {
  command: 'npm run lint',
  output: "Claude requested permissions to use Bash, but you haven't granted it yet.",
  exitCode: -1,
});

describe('suggestions from the transcripts of a host', () => {
  it('of Claude Code are a permission and a line of CLAUDE.md', async () => {
    write('a.jsonl', claudeCodeSession('a', '/home/dev/shop', [...denied, ...failing('pg')]));
    write('b.jsonl', claudeCodeSession('b', '/home/dev/shop', [...denied, ...failing('pg')]));
    expect((await suggested()).map(({ file, under, add }) => [file, under, add])).toEqual([
      ['.claude/settings.json', ['permissions', 'allow'], '"Bash(npm run lint)"'],
      [
        'CLAUDE.md',
        undefined,
        "- `npm test` fails with `Error: Cannot find module 'pg'`. Do not run it again before that is fixed.",
      ],
    ]);
  });

  it('of Codex are a line of AGENTS.md that names what worked instead', async () => {
    write('a.jsonl', codexRollout('a', '/home/dev/shop', [...failing('pg'), passing('page')]));
    write('b.jsonl', codexRollout('b', '/home/dev/shop', [...failing('pg'), passing('cart')]));
    const [only, ...others] = await suggested();
    expect(others).toEqual([]);
    expect(only).toMatchObject({
      rule: 'failing-command',
      host: 'codex',
      repository: 'shop',
      file: 'AGENTS.md',
      runs: [{ id: 'a' }, { id: 'b' }],
    });
    expect(only!.add).toContain('- Run `npm test -- -t NAME`. `npm test` alone ');
  });

  it('of Gemini CLI are a line of GEMINI.md', async () => {
    write('a.jsonl', geminiChat('a', failing('pg')));
    write('b.jsonl', geminiChat('b', failing('pg')));
    expect((await suggested()).map(({ file }) => file)).toEqual(['GEMINI.md']);
  });

  it('suggests nothing for a loop of one session, or for loops that differ', async () => {
    write('a.jsonl', codexRollout('a', '/home/dev/shop', failing('pg')));
    expect(await suggested()).toEqual([]);
    write('b.jsonl', codexRollout('b', '/home/dev/shop', failing('redis')));
    write('c.jsonl', codexRollout('c', '/home/dev/blog', failing('pg')));
    expect(await suggested()).toEqual([]);
  });

  it('hold no secret', async () => {
    const key = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    const calls = times(6, { command: 'npm test', output: `Error: bad key ${key}`, exitCode: 1 });
    write('a.jsonl', codexRollout('a', '/home/dev/shop', calls));
    write('b.jsonl', codexRollout('b', '/home/dev/shop', calls));
    const { stdout } = await runInProcess('scan', '--suggest', folder);
    expect(stdout).not.toContain(key.slice(0, 12));
  });
});

describe('what is printed', () => {
  beforeEach(() => {
    write('a.jsonl', codexRollout('a', '/home/dev/shop', failing('pg')));
    write('b.jsonl', codexRollout('b', '/home/dev/shop', failing('pg')));
  });

  it('names the file, the line and the runs', async () => {
    const { stdout } = await runInProcess('scan', '--suggest', folder);
    expect(stdout).toContain('1 suggestion. Nothing is changed by itself');
    expect(stdout).toContain('Add in AGENTS.md of shop:');
    expect(stdout).toMatch(/From a \(steps 0 to 5\), b \(steps 0 to 5\)\./);
  });

  it('is in the Markdown and at the end of --jsonl, and only if asked for', async () => {
    expect((await runInProcess('scan', '--suggest', '--md', '-', folder)).stdout).toContain(
      '### Suggestions',
    );
    const last = async (...more: string[]): Promise<object> =>
      JSON.parse(
        (await runInProcess('scan', '--jsonl', ...more, folder)).stdout.trim().split('\n').at(-1)!,
      );
    expect(await last('--suggest')).toHaveProperty('suggestions.length', 1);
    expect(await last()).not.toHaveProperty('suggestions');
  });

  it('leaves out loops that a baseline knows', async () => {
    const { stdout } = await runInProcess('scan', '--json', folder);
    const baseline = join(folder, 'baseline.txt');
    writeFileSync(baseline, stdout);
    expect(await suggested('--exclude', 'baseline.txt', '--baseline', baseline)).toEqual([]);
  });
});
