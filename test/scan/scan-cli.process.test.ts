import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { ScanReport } from '@unrut/ledger/report/scan-report';
import { importers } from '@unrut/logs/importers';
import { afterAll, describe, expect, it } from 'vitest';
import { bundledPrograms } from '../bundled-programs.ts';
import { SECRETS } from '../planted-secrets.ts';
import { busy, lines, stuck } from './neutral.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'unrut-scan-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

function unrut(args: string[], input?: string | Buffer, home = folder) {
  const env = { PATH: process.env.PATH, HOME: home, USERPROFILE: home };
  const done = spawnSync(process.execPath, [bundledPrograms().cli, 'scan', ...args], {
    cwd: root,
    input,
    env,
    maxBuffer: 1 << 28,
  });
  return {
    status: done.status,
    stdout: String(done.stdout),
    stderr: String(done.stderr).trim().split('\n').filter(Boolean),
  };
}

function file(name: string, text: string | Buffer): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/**
 * A transcript in which so many agents are started in the background, so many milliseconds apart.
 */
function agentsStarted(count: number, gap: number): string {
  const timestamp = (ms: number) => new Date(Date.UTC(2026, 10, 1) + ms).toISOString();
  const base = { sessionId: `started-${count}`, isSidechain: false, version: '2.1.325' };
  const starts = Array.from({ length: count }, (_, i) => [
    {
      ...base,
      type: 'assistant',
      uuid: `a${i}`,
      timestamp: timestamp(i * gap),
      message: {
        id: `m${i}`,
        role: 'assistant',
        content: [
          {
            type: 'tool_use',
            id: `t${i}`,
            name: 'Agent',
            input: { description: 'review', prompt: `Review part ${i} of ${i * 17} pages` },
          },
        ],
      },
    },
    {
      ...base,
      type: 'user',
      uuid: `u${i}`,
      timestamp: timestamp(i * gap + 20),
      message: {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: `t${i}`,
            content: `Async agent launched successfully.\nagentId: agent-${i} (internal ID)`,
          },
        ],
      },
    },
  ]);
  return starts
    .flat()
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}
const looping = file('looping.jsonl', lines(stuck()));
const quiet = file('quiet.jsonl', lines(busy()));

describe('unrut scan', () => {
  it('finds a storm of agents in a transcript of Claude Code, and not twelve reviewers', () => {
    const storm = unrut([file('storm.jsonl', agentsStarted(240, 300))]);
    expect(storm.stdout).toContain('200 agents were started within a minute');
    expect(storm.stdout).toMatch(/warned the agent \(step 20\).*blocked the call \(30\)/);
    expect(unrut([file('twelve.jsonl', agentsStarted(12, 300))]).stdout).toBe(
      'No loops in 1 run with 12 steps.\n',
    );
  });

  it('tells in a sentence what it found, then each loop, and ends with 1', () => {
    const { status, stdout, stderr } = unrut([looping, quiet]);
    expect({ status, stderr }).toEqual({ status: 1, stderr: [] });
    const [first, , heading, where, why] = stdout.split('\n');
    expect(first).toBe('Found 1 loop in 1 of 2 runs: 5 of 16 steps wasted (31%).');
    expect(heading).toBe('1. repeated-call in "Fix the build.", steps 1 to 6: 5 wasted steps');
    expect(where!.trim()).toBe(`${looping} (neutral-steps)`);
    expect(why!.trim()).toMatch(/^`Read .*` failed 6 times with the same error\.$/);
    expect(stdout).toMatch(
      /Unrut would have: warned the agent \(step 3\), suggested next\s+steps \(4\)/,
    );
    expect(stdout).not.toContain('\u001b');
  });

  it('ends with 0 when nothing loops, or with --exit-zero', () => {
    expect(unrut([quiet])).toEqual({
      status: 0,
      stdout: 'No loops in 1 run with 9 steps.\n',
      stderr: [],
    });
    expect(unrut(['--exit-zero', looping]).status).toBe(0);
  });

  it('ends with 1 when something loops, and still tells what could not be read', () => {
    const { status, stdout } = unrut([looping, join(folder, 'missing.jsonl')]);
    expect(status).toBe(1);
    expect(stdout).toContain('1 loop');
    expect(stdout).toContain(
      `! ${join(folder, 'missing.jsonl')}: Cannot be read: it does not exist.`,
    );
  });

  it('what nobody thought of is one line and 2', () => {
    const broken =
      'import os from "node:os"; import { syncBuiltinESMExports } from "node:module"; os.homedir = () => missing.home; syncBuiltinESMExports();';
    const args = [
      '--import',
      `data:text/javascript,${encodeURIComponent(broken)}`,
      bundledPrograms().cli,
      'scan',
    ];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: root });
    expect({ status, stderr: String(stderr) }).toEqual({
      status: 2,
      stderr: '[unrut] Unexpected error: missing is not defined.\n',
    });
  });

  it('lists every format', () => {
    const names = unrut(['--formats'])
      .stdout.trim()
      .split('\n')
      .map((line) => line.split(' ')[0]);
    expect(names).toEqual(importers.map(({ name }) => name));
  });

  it('prints one object, or one run a line', () => {
    const report = JSON.parse(unrut(['--json', looping, quiet]).stdout) as ScanReport;
    expect(report).toMatchObject({
      version: 1,
      totals: { trajectories: 2, steps: 16, looping: 1 },
      problems: [],
    });
    const [one, two, totals] = unrut(['--jsonl', looping, quiet])
      .stdout.trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([one, two]).toEqual(report.trajectories);
    expect(totals).toEqual({ version: 1, totals: report.totals, problems: [] });
  });

  it('reads standard input, also when it is packed', () => {
    const given = readFileSync(looping);
    for (const input of [given, gzipSync(given)]) {
      const { trajectories } = JSON.parse(unrut(['--json', '-'], input).stdout) as ScanReport;
      expect(trajectories).toMatchObject([{ id: 'stdin', file: '-', steps: 7 }]);
    }
  });

  it('shows as many loops as are asked for, and says how many there are', () => {
    const { stdout } = unrut(['--top', '1', looping, file('second.jsonl', lines(stuck(9)))]);
    expect(stdout).toContain('1. repeated-call in "Fix the build.", steps 1 to 9: 8 wasted steps');
    expect(stdout).not.toContain('2. ');
    expect(stdout).toContain('1 more loop: --top 2, or --html report.html to see them all.');
  });

  it('writes a page, and says so when it cannot', () => {
    const page = join(folder, 'report.html');
    const { stdout } = unrut(['--html', page, looping]);
    expect(stdout).toContain(`Report written to ${page}.`);
    expect(readFileSync(page, 'utf8')).toMatch(/^<!doctype html>/i);
    const { status, stderr } = unrut(['--html', join(folder, 'nowhere/report.html'), looping]);
    expect(status).toBe(2);
    expect(stderr.join('\n')).toContain('Expected a file in a folder that exists.');
  });

  it.each(['nowhere/report.html', '.'])(
    'says before it reads that it cannot write a page to %s',
    (target) => {
      const { status, stdout, stderr } = unrut(['--html', join(folder, target)]);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toEqual([expect.stringContaining('Expected a file in a folder that exists.')]);
    },
  );

  it('still tells what it found when the page cannot be written in the end', () => {
    const { status, stdout, stderr } = unrut(['--html', '/dev/full', looping]);
    expect(status).toBe(2);
    expect(stdout).toContain('1 loop');
    expect(stderr).toEqual([expect.stringContaining('Cannot write /dev/full')]);
  });

  it('prints no control characters of file names to the terminal', () => {
    const evil = join(folder, 'e\u001b[31mvil\u0007.json');
    for (const args of [[evil], ['--json', evil], ['--html', join(evil, 'x.html'), looping]]) {
      const { stdout, stderr } = unrut(args);
      expect(stdout + stderr.join('\n')).toContain('evil');
      expect(args.includes('--json') ? stderr.join('\n') : stdout + stderr.join('\n')).not.toMatch(
        /[\u001b\u0007]/,
      );
    }
  });

  it('masks a secret in the name of a file', () => {
    const token = SECRETS['a token of GitHub']!;
    const named = file(`${token}/run.jsonl`, lines(stuck()));
    const page = join(folder, 'masked.html');
    for (const args of [
      [named],
      ['--json', named],
      [join(folder, token, 'missing.jsonl')],
      ['--html', page, named],
    ]) {
      const { stdout, stderr } = unrut(args);
      expect(stdout + stderr.join('\n')).toContain('<secret>');
      expect(stdout + stderr.join('\n')).not.toContain(token);
    }
    expect(readFileSync(page, 'utf8')).not.toContain(token);
  });

  it('finds the same with one thread and with two', () => {
    const big = (name: string) =>
      file(
        `many/${name}.jsonl`,
        lines(
          Array.from({ length: 800 }, (_, i) =>
            stuck().map((step) => ({ ...step, i: step.i + 8 * i })),
          ).flat(),
        ).repeat(2),
      );
    for (const name of ['a', 'b', 'c']) big(name);
    const [one, two] = ['1', '2'].map(
      (jobs) =>
        JSON.parse(unrut(['--json', '--jobs', jobs, join(folder, 'many')]).stdout) as ScanReport,
    );
    expect(two).toEqual(one);
    expect(one!.totals.files).toBe(3);
  });
});

describe('unrut scan without a path', () => {
  it('looks where agents keep their sessions, and says where', () => {
    const home = mkdtempSync(join(tmpdir(), 'unrut-home-'));
    const { status, stdout } = unrut([], undefined, home);
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^No sessions found on this machine \(Claude Code, Codex, Gemini CLI, .*\)\. Pass a file or folder/,
    );
    expect(stdout).toContain(`looked for Claude Code in ${join(home, '.claude', 'projects')}`);

    const session = join(home, '.claude/projects/-home-dev-project/session.jsonl');
    mkdirSync(dirname(session), { recursive: true });
    writeFileSync(session, readFileSync(join(root, 'test/fixtures/transcripts/claude-code.jsonl')));
    const found = unrut([], undefined, home);
    expect(found.stdout).toContain(
      `Scanning Claude Code: ${join(home, '.claude', 'projects')} (1 file)`,
    );
    expect(found.stdout).toMatch(/1 run with \d+ steps/);
    rmSync(home, { recursive: true });
  });

  it('writes a page also when there is nothing to tell', () => {
    const home = mkdtempSync(join(tmpdir(), 'unrut-home-'));
    const page = join(home, 'report.html');
    const { status, stdout } = unrut(['--html', page], undefined, home);
    expect(status).toBe(0);
    expect(stdout).toContain(`Report written to ${page}.`);
    expect(readFileSync(page, 'utf8')).toContain('No runs found');
    rmSync(home, { recursive: true });
  });

  it('tells of a place that cannot be read', () => {
    const home = mkdtempSync(join(tmpdir(), 'unrut-home-'));
    mkdirSync(join(home, '.claude'));
    symlinkSync('projects', join(home, '.claude/projects'));
    const { status, stdout } = unrut([], undefined, home);
    expect(status).toBe(2);
    expect(stdout).toContain(
      `! ${join(home, '.claude/projects')}: Cannot be read: its symbolic links form a loop.`,
    );
    rmSync(home, { recursive: true });
  });

  it('reads something else instead, when asked to, as npm start does', () => {
    const home = mkdtempSync(join(tmpdir(), 'unrut-home-'));
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: { start: string };
    };
    const [, command = ''] = scripts.start.split('main.ts scan ');
    const { status, stdout } = unrut(command.split(' '), undefined, home);
    expect(status).toBe(0);
    expect(stdout).toContain('Scanning examples/stuck-on-a-test.jsonl instead.');
    expect(stdout).toMatch(/^Found 1 loop in 1 of 1 runs/m);
    expect(stdout).not.toMatch(/^[·!]/m);
    rmSync(home, { recursive: true });
  });
});
