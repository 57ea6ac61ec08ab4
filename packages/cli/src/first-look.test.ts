import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lookSentence } from '@unrut/ledger/report/look-text';
import { runInProcess } from '@unrut/test/run-in-process';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

let home = '';
let runs = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'unrut-look-'));
  runs = join(home, '.claude', 'projects', 'shop');
  mkdirSync(runs, { recursive: true });
  vi.stubEnv('HOME', home);
  vi.stubEnv('USERPROFILE', home);
  vi.stubEnv('UNRUT_HOME', join(home, 'unrut'));
  for (const name of ['CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME'])
    vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

const MINUTE = 60_000;
const DAY = 86_400_000;
const cache = (): string => join(home, 'unrut', 'looked.jsonl');

/** A session that runs a command every two minutes, with these results. */
function session(
  name: string,
  results: readonly string[],
  { command = 'npm test', from = Date.now() - DAY } = {},
): string {
  const events: object[] = [
    { type: 'user-spoke', session: name, at: from, text: 'Fix the invoice test in acme-secret.' },
  ];
  for (const [i, result] of results.entries()) {
    const call = { id: `${name}-${i}`, tool: 'Bash', args: { command } };
    const about = { session: name, at: from + (i + 1) * 2 * MINUTE, call };
    events.push({ type: 'call-proposed', ...about });
    const failed = result.startsWith('FAIL') ? { error: 'exit 1' } : {};
    events.push({ type: 'call-finished', ...about, result, ...failed });
  }
  const file = join(runs, `${name}.jsonl`);
  writeFileSync(file, `${events.map((event) => JSON.stringify(event)).join('\n')}\n`);
  return file;
}

const STUCK = Array.from({ length: 8 }, () => 'FAIL invoice: expected 3, got 4');
const HONEST = Array.from({ length: 8 }, (_, i) => `page ${i}: ${'abcdefgh'[i]!.repeat(40)}`);

describe('bare unrut', () => {
  test('says in one sentence what the last seven days cost, and shows the worst loop', async () => {
    session('one', STUCK);
    session('two', HONEST, { command: 'ls' });
    const { status, stdout } = await runInProcess();
    const lines = stdout.trimEnd().split('\n');
    expect(status).toBe(0);
    expect(lines[0]).toMatch(
      /^2 sessions in 7 days: 1 loop, \d\d minutes wasted\. Worst: `npm test` failed 8 times/,
    );
    expect(stdout).toContain('"Fix the invoice test in acme-secret."');
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'Unrut would have said: `npm test` failed 3 times with the same error',
    );
    expect(lines.length).toBeLessThanOrEqual(15);
    expect(lines.filter((line) => /^ {2}\d {2}/.test(line))).toEqual([
      expect.stringContaining('unrut install claude-code'),
      expect.stringContaining('unrut scan --since 7d --html unrut-report.html'),
    ]);
  });

  test('names a file and not its path, and offers the agent with the worst loop first', async () => {
    const file = session('one', STUCK);
    const chats = join(home, '.gemini', 'tmp', 'shop', 'chats');
    mkdirSync(chats, { recursive: true });
    renameSync(file, join(chats, 'session-one.jsonl'));
    session('two', STUCK.slice(3), { command: 'node /home/ann/shop/check.mjs' });
    const { stdout } = await runInProcess();
    expect(stdout).toMatch(/^2 sessions in 7 days: 2 loops, .* Worst: `npm test` failed 8 times/);
    expect(stdout).toMatch(/^ {2}1 {2}(?:npx )?unrut install gemini-cli /m);
    rmSync(chats, { recursive: true });
    expect((await runInProcess()).stdout).toContain('Worst: `node check.mjs` failed 5 times');
  });

  test('offers to switch Unrut on where it is off', async () => {
    session('one', STUCK);
    await runInProcess('off');
    expect((await runInProcess()).stdout).toMatch(/^ {2}1 {2}(?:npx )?unrut on {3}/m);
    await runInProcess('on');
    expect((await runInProcess()).stdout).toMatch(/^ {2}1 {2}(?:npx )?unrut install claude-code/m);
  });

  test('says how much was looked at if nothing loops', async () => {
    session('two', HONEST, { command: 'ls' });
    const { stdout } = await runInProcess();
    expect(stdout).toMatch(
      /^1 session in 7 days: no loops\. Looked at \d+ steps in 1 file \(\d+ KB\)\./,
    );
    expect(stdout).not.toContain('Worst');
  });

  test('leaves out sessions that are older than seven days', async () => {
    const file = session('old', STUCK, { from: Date.now() - 30 * DAY });
    const recently = await runInProcess();
    expect(recently.stdout).toContain('No agent sessions in 7 days: looked at 1 file; 0 files');
    utimesSync(file, new Date(Date.now() - 30 * DAY), new Date(Date.now() - 30 * DAY));
    const { stdout } = await runInProcess();
    expect(stdout).toContain('No agent sessions in 7 days: looked at 0 files; 1 file is older.');
  });

  test('without any session, plays an agent that is stuck to a real guard', async () => {
    const { stdout, status } = await runInProcess();
    expect(status).toBe(0);
    expect(stdout).toContain('No agent sessions on this machine yet.');
    expect(stdout).toMatch(/3 {2}npm test.*\n.*→ Unrut \(loop guard\):/);
    expect(stdout).toMatch(/5 {2}npm test -- invoice {2}blocked by Unrut/);
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
  });

  test('--share names no command, file, folder or prompt', async () => {
    session('one', STUCK);
    const { stdout } = await runInProcess('--share');
    expect(stdout).toMatch(
      /^1 session in 7 days: 1 loop, \d\d minutes wasted\. Worst: one loop of 8 steps\. \(npx unrut\)/,
    );
    for (const name of ['npm', 'invoice', 'acme', 'shop', home]) expect(stdout).not.toContain(name);
  });

  test('--share calls nothing the same thing that was not: a loop of failures of many kinds', () => {
    const worst = { detector: 'stalling', text: '', count: 3, start: 0, end: 91, firedAt: 4 };
    const run = { id: 'one', file: '', steps: 100, loops: 1, wastedSteps: 61 };
    const runs = [{ ...run, worst: { ...worst, wastedSteps: 61 } }];
    const look = { runs, files: 1, bytes: 1, unread: 0, older: 0 };
    expect(lookSentence(look, '7 days', true)).toBe(
      '1 session in 7 days: 1 loop, 61 steps wasted. Worst: one loop of 92 steps.',
    );
  });

  test('an unknown option is a usage error', async () => {
    expect(await runInProcess('--shar')).toEqual({
      status: 64,
      stdout: '',
      stderr: ['[unrut] Unknown option --shar. Did you mean --share? See unrut --help.'],
    });
  });
});

describe('what bare unrut remembers', () => {
  /** Makes the cache tell which session it was asked about. */
  const mark = (): void =>
    writeFileSync(cache(), readFileSync(cache(), 'utf8').replaceAll('`npm test`', '`remembered`'));

  test('a file that did not change is not read again', async () => {
    session('one', STUCK);
    await runInProcess();
    mark();
    expect((await runInProcess()).stdout).toContain('Worst: `remembered` failed 8 times');
    expect((await runInProcess('--fresh')).stdout).toContain('Worst: `npm test` failed 8 times');
  });

  test('a file that grew is read again, and a deleted one is forgotten', async () => {
    const file = session('one', STUCK);
    await runInProcess();
    mark();
    appendFileSync(file, '\n');
    expect((await runInProcess()).stdout).toContain('Worst: `npm test` failed 8 times');
    rmSync(file);
    session('two', HONEST, { command: 'ls' });
    await runInProcess();
    expect(readFileSync(cache(), 'utf8')).not.toContain('npm test');
  });

  test.each([
    ['is empty', ''],
    ['is not text', '\u0000\u0001\u0002'],
    ['is cut off', undefined],
    ['is of another version', '{"looked":1,"version":"0"}\n{}'],
    ['holds other values', 'types'],
  ])('a cache that %s changes nothing', async (_, damage) => {
    session('one', STUCK);
    const { stdout } = await runInProcess();
    const text = readFileSync(cache(), 'utf8');
    if (damage === undefined) writeFileSync(cache(), text.slice(0, text.length / 2));
    else if (damage === 'types') writeFileSync(cache(), text.replace(/"steps":\d+/, '"steps":"x"'));
    else writeFileSync(cache(), damage);
    expect((await runInProcess()).stdout).toBe(stdout);
  });

  test('looks at the same time do not disturb each other', async () => {
    session('one', STUCK);
    const { look } = await import('@unrut/logs/scan/look');
    const order = {
      paths: [runs],
      since: 0,
      worker: new URL('./main.ts', import.meta.url),
      cache: { file: cache(), version: 'test' },
    };
    const looks = await Promise.all(Array.from({ length: 5 }, () => look(order)));
    for (const each of looks) expect(each).toEqual(looks[0]);
    expect(await look(order)).toEqual(looks[0]);
    expect(readFileSync(cache(), 'utf8').split('\n')).toHaveLength(2);
  });
});
