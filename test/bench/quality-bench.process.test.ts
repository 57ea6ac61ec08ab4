import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Preset, recommended, without } from '@unrut/engine/presets';
import { afterAll, describe, expect, it } from 'vitest';
import { LEFT_OUT, replayWithout } from '../../bench/quality/ablation.ts';
import { readCorpus, readEvents } from '../../bench/quality/corpus.ts';
import { guardSystem, peerSystem, replay } from '../../bench/quality/replay.ts';
import type { Report } from '../../bench/quality/report.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'unrut-quality-'));
afterAll(() => rmSync(folder, { recursive: true }));

const call = (i: number, tool: string, args: object, result: string) => ({
  i,
  role: 'agent',
  kind: 'tool_call',
  tool,
  args,
  result,
});
const failing = (i: number) =>
  call(i, 'Bash', { command: 'npm test' }, 'Error: cannot find module left-pad');
const reading = (i: number) =>
  call(
    i,
    'Read',
    { file_path: `/home/dev/project/part${i}.ts` },
    `export const value${i} = ${i * 7919};`,
  );

/** Three readings, then the same failing command until the end. */
const STUCK = Array.from({ length: 12 }, (_, i) => (i < 3 ? reading(i) : failing(i)));
const WORK = Array.from({ length: 12 }, (_, i) => reading(i));

function corpus(name: string, labels: object[], trajectories: Record<string, object[]>): string {
  const path = join(folder, name);
  mkdirSync(join(path, 'trajectories'), { recursive: true });
  const lines = (values: object[]): string =>
    values.map((value) => `${JSON.stringify(value)}\n`).join('');
  writeFileSync(join(path, 'labels.jsonl'), lines(labels));
  for (const [id, steps] of Object.entries(trajectories))
    writeFileSync(join(path, 'trajectories', `${id}.jsonl`), lines(steps));
  return path;
}

const LOOP = { start: 3, end: 11, stuck_at: 5, kind: 'exact-call', note: 'the same test' };
const own = corpus(
  'own',
  [
    { id: 'stuck', loops: [LOOP] },
    { id: 'work', source: 'elsewhere', loops: [] },
    { id: 'verdict', looping: true },
    { id: 'daily' },
  ],
  { stuck: STUCK, work: WORK, verdict: STUCK, daily: WORK },
);

describe('a corpus', () => {
  it('is a folder with labels, or a folder of such folders', () => {
    expect(
      readCorpus(own).map(({ id, source, steps, truth }) => [id, source, steps, truth.kind]),
    ).toEqual([
      ['own/stuck', 'own', 12, 'spans'],
      ['own/work', 'elsewhere', 12, 'spans'],
      ['own/verdict', 'own', 12, 'verdict'],
      ['own/daily', 'own', 12, 'unlabelled'],
    ]);
    expect(readCorpus(folder).map(({ id }) => id)).toContain('own/daily');
  });

  it.each<[string, object[], string]>([
    ['id', [{ loops: [] }], '1: expected id as the name of a trajectory file, got undefined'],
    ['path', [{ id: '../own' }], '1: expected id as the name of a trajectory file, got "../own"'],
    ['twice', [{ id: 'run' }, { id: 'run' }], '2: expected one label for each id, got "run"'],
    [
      'both',
      [{ id: 'run', loops: [], looping: true }],
      '1: expected either loops or looping, got "both"',
    ],
    ['list', [{ id: 'run', loops: 3 }], '1: expected loops as a list, got 3'],
    [
      'end',
      [{ id: 'run', borderline: [{ start: 4, end: 2 }], loops: [] }],
      '1: borderline[0]: expected end as a step, not before start, got 2',
    ],
    [
      'stuck',
      [{ id: 'run', loops: [{ ...LOOP, stuck_at: 12 }] }],
      '1: loops[0]: expected stuck_at from start to end, got 12',
    ],
    [
      'beyond',
      [{ id: 'run', loops: [{ ...LOOP, end: 12 }] }],
      '1: expected steps under 12, as many as run has, got 12',
    ],
  ])('with a wrong label (%s) is refused in one line', (name, labels, message) => {
    const path = corpus(`wrong-${name}`, labels, { run: WORK });
    expect(() => readCorpus(path)).toThrow(`${join(path, 'labels.jsonl')}:${message}.`);
    rmSync(path, { recursive: true });
  });

  it.each<[string, object, string]>([
    ['gap', { ...reading(2), i: 3 }, 'expected i 2, got 3'],
    [
      'kind',
      { i: 2, kind: 'dream' },
      'expected a step of kind tool_call, ui_action or message, got "dream"',
    ],
  ])('with a wrong step (%s) is refused in one line', (name, step, message) => {
    const path = corpus(`steps-${name}`, [{ id: 'run' }], { run: [reading(0), reading(1), step] });
    const [run] = readCorpus(path);
    expect(() => readEvents(run!)).toThrow(`run.jsonl:3: ${message}.`);
    rmSync(path, { recursive: true });
  });
});

describe('a replay', () => {
  const [stuck, work] = readCorpus(own);

  it('tells at which step our guard warns and acts', () => {
    const firings = replay(readEvents(stuck!), guardSystem('unrut'));
    const first = (level: string) => firings.find((firing) => firing.level === level)?.step;
    expect(first('warn')).toBe(5);
    expect(first('act')).toBeGreaterThan(5);
    expect(replay(readEvents(work!), guardSystem('unrut'))).toEqual([]);
  });

  it('shows peers the same events', () => {
    const types: string[] = [];
    const peer = peerSystem({
      name: 'counts',
      start: () => (event) => {
        types.push(event.type);
        return types.length === 6 ? { level: 'act', word: 'halt' } : null;
      },
    });
    expect(replay(readEvents(work!).slice(0, 8), peer)).toEqual([
      { step: 2, level: 'act', by: 'halt', text: '', note: false },
    ]);
    expect(types.slice(0, 2)).toEqual(['call-proposed', 'call-finished']);
  });

  it.each(LEFT_OUT)('without %s is the same, whether or not it is really replayed', (detector) => {
    const events = readEvents(stuck!);
    const full = replay(events, guardSystem('unrut'));
    expect(replayWithout(detector, events, full)).toEqual(
      replay(events, guardSystem('whole', without<Preset>(recommended, detector))),
    );
  });
});

describe('the command', () => {
  const bench = (...args: string[]) => {
    const out = ['--json', join(folder, 'report.json'), '--html', join(folder, 'report.html')];
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['bench/quality/main.ts', ...out, ...args],
      {
        cwd: root,
        encoding: 'utf8',
      },
    );
    return { status, stdout, stderr: stderr.trim() };
  };

  it('prints tables, lists what is to be read, and writes a report and a page that loads nothing', () => {
    const { status, stdout } = bench(
      '--corpus',
      own,
      '--only',
      'unrut',
      '--only',
      'Cline',
      '--show',
    );
    expect(status).toBe(0);
    expect(stdout).toContain(
      '2 runs with 1 marked loop in 24 steps. 1 run with a yes or no. 1 unlabelled run of 12 steps.',
    );
    expect(stdout).toMatch(/^ {2}unrut +1\.00 +1\.00 +1\.00/m);
    expect(stdout).toContain('Ablation');
    const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report;
    expect(report.systems.map(({ name }) => name)).toEqual(['unrut', 'Cline']);
    expect(
      report.alarms
        .filter(({ system }) => system === 'unrut')
        .map(({ run, judgement }) => [run, judgement]),
    ).toEqual([
      ['own/stuck', 'right'],
      ['own/verdict', 'right'],
    ]);
    const html = readFileSync(join(folder, 'report.html'), 'utf8');
    expect(html).toContain('<svg');
    expect(html).not.toMatch(/<script|<link|src=|https?:/);
  });

  it('lists what changed since an earlier report', () => {
    const base = join(folder, 'base.json');
    bench('--corpus', own, '--only', 'unrut', '--fast');
    const before = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report;
    before.alarms = before.alarms
      .filter(({ run }) => run !== 'own/verdict')
      .map((alarm) => ({ ...alarm, from: alarm.from + 1 }));
    writeFileSync(base, JSON.stringify(before));
    const { stdout } = bench('--corpus', own, '--only', 'unrut', '--fast', '--diff', base);
    expect(stdout).toContain('Alarms since then: 1 appeared, 0 vanished, 1 moved');
    expect(stdout).toMatch(/^\+ unrut: own\/verdict @5–11, acts at \d+ right \[repeated-call/m);
    expect(stdout).toMatch(/^~ unrut: own\/stuck @5–11.*\(was at 6–11/m);
    expect(stdout).not.toContain('Ablation');
  });

  it.each([
    [
      ['--corpus', 'nowhere'],
      64,
      '[unrut] There is no folder nowhere. Expected one with labels.jsonl',
    ],
    [['--corpus', 'docs'], 64, '[unrut] docs holds no labels.jsonl'],
    [
      ['--corpus', own, '--only', 'nobody'],
      64,
      '[unrut] No system is called nobody. There are unrut, ',
    ],
    [
      ['--corpus', own, '--diff', 'package.json'],
      2,
      '[unrut] package.json is no report of this bench',
    ],
    [['--speed'], 64, "[unrut] Unknown option '--speed'"],
  ])('given %j ends with %i and one line', (args, code, line) => {
    const { status, stderr } = bench(...args);
    expect(status).toBe(code);
    expect(stderr.split('\n')).toEqual([expect.stringContaining(line)]);
  });
});
