import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { ScanReport } from '@unrut/ledger/report/scan-report';
import { type Scan, scan } from '@unrut/logs/scan/scan';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordsOf } from '../importers/import-file.ts';
import { busy, call, lines, person, stuck } from './neutral.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unrut-scan-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}
const scanned = (paths: string[], options: Partial<Scan> = {}): Promise<ScanReport> =>
  scan({ paths, ...options });
const messages = ({ problems }: ScanReport): string[] => problems.map(({ message }) => message);

describe('a scan', () => {
  it('tells where a run goes in circles', async () => {
    const { totals, trajectories } = await scanned([write('stuck.jsonl', lines(stuck()))]);
    expect(totals).toMatchObject({
      files: 1,
      trajectories: 1,
      steps: 7,
      looping: 1,
      loops: 1,
      wastedSteps: 5,
    });
    const [run] = trajectories;
    expect(run).toMatchObject({
      id: 'stuck',
      format: 'neutral-steps',
      steps: 7,
      skipped: 0,
      timeline: 'neeeeee',
      spoke: [0],
    });
    const [loop] = run!.loops;
    expect(loop).toMatchObject({
      start: 1,
      firedAt: 3,
      end: 6,
      rung: 'escalate',
      count: 6,
      advice: false,
      wastedSteps: 5,
    });
    expect(loop!.plans.map(({ step, rung }) => `${step} ${rung}`)).toEqual([
      '3 note',
      '4 hint',
      '5 block',
      '6 escalate',
    ]);
    expect(loop!.repeats.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(run!.signals.map(({ step }) => step)).toEqual(
      [...run!.signals.map(({ step }) => step)].sort((a, b) => a - b),
    );
  });

  it('finds nothing in a run that gets on', async () => {
    const { totals, trajectories } = await scanned([write('busy.jsonl', lines(busy()))]);
    expect(totals).toMatchObject({ steps: 9, looping: 0, signals: 0, wastedSteps: 0 });
    expect(trajectories[0]!.loops).toEqual([]);
  });

  it('numbers the steps of a source that counts in its own way', async () => {
    const steps = stuck().map((step) => ({ ...step, i: step.i + 100 }));
    const { trajectories } = await scanned([write('later.jsonl', lines(steps))]);
    expect(trajectories[0]!.loops[0]).toMatchObject({ start: 1, firedAt: 3, end: 6 });
  });

  it('keeps two stretches apart when there is work between them', async () => {
    const again = busy().slice(1, 9);
    const steps = [...stuck(4), ...again, ...stuck(4).slice(2)].map((step, i) => ({ ...step, i }));
    const { trajectories } = await scanned([write('twice.jsonl', lines(steps))]);
    expect(trajectories[0]!.loops.map(({ start, end }) => [start, end])).toEqual([
      [1, 4],
      [13, 16],
    ]);
  });

  it('counts tokens and money where the source tells of them', async () => {
    const cost = { tokens: 100, usd: 0.01 };
    const events = stuck().flatMap(({ i, tool, args, result, kind }) =>
      kind === 'message'
        ? [{ type: 'user-spoke', session: 's', at: i * 9000 }]
        : [
            {
              type: 'call-finished',
              session: 's',
              at: i * 9000,
              call: { id: `c${i}`, tool, args },
              result,
              cost,
            },
          ],
    );
    const { totals, trajectories } = await scanned([write('events.jsonl', lines(events))]);
    expect(totals).toMatchObject({ tokens: 700, wastedTokens: 500, usd: 0.07, wastedUsd: 0.05 });
    expect(trajectories[0]!.loops[0]).toMatchObject({ wastedTokens: 500, wastedUsd: 0.05 });
  });

  it('reads folders, packed files and several files at once, in a stable order', async () => {
    mkdirSync(join(folder, 'deep/node_modules'), { recursive: true });
    write('b.jsonl', lines(busy()));
    write('a.jsonl.gz', gzipSync(lines(stuck())));
    write('deep/c.json', JSON.stringify(stuck(), null, 1));
    write('deep/node_modules/d.json', JSON.stringify(stuck()));
    write('notes.txt', 'not looked at');
    const { trajectories, problems } = await scanned([folder]);
    expect(trajectories.map(({ id, loops }) => `${id} ${loops.length}`)).toEqual([
      'a 1',
      'b 0',
      'c 1',
    ]);
    expect(problems.map(({ message, fatal }) => ({ message, fatal }))).toEqual([
      { message: 'Text without a run.', fatal: false },
    ]);
  });

  it('leaves out what another detector saw, and what is less sure, when asked to', async () => {
    const file = write('stuck.jsonl', lines(stuck()));
    const one = await scanned([file], { detectors: ['repeated-error'] });
    expect(new Set(one.trajectories[0]!.signals.map(({ detector }) => detector))).toEqual(
      new Set(['repeated-error']),
    );
    expect((await scanned([file], { detectors: ['chanting'] })).totals).toMatchObject({
      looping: 0,
      signals: 0,
    });
    const all = await scanned([file]);
    const sure = await scanned([file], { minStrength: 1 });
    expect(sure.totals.signals).toBe(
      all.trajectories[0]!.signals.filter(({ strength }) => strength >= 1).length,
    );
  });

  it('leaves out runs that ended before', async () => {
    const timed = (year: number) =>
      lines(stuck().map((step) => ({ ...step, ts: `${year}-01-01T00:00:0${step.i}Z` })));
    write('old.jsonl', timed(2025));
    write('new.jsonl', timed(2026));
    for (const name of ['new', 'untimed-old', 'untimed']) {
      const path =
        name === 'new' ? join(folder, 'new.jsonl') : write(`${name}.jsonl`, lines(stuck()));
      if (name !== 'untimed') utimesSync(path, new Date('2020-01-01'), new Date('2020-01-01'));
    }
    const { trajectories } = await scanned([folder], { since: Date.parse('2025-06-01') });
    expect(trajectories.map(({ id }) => id)).toEqual(['new', 'untimed']);
  });
});

describe('what cannot be read is reported in one line', () => {
  const steps = lines(stuck());
  const cases: [string, string | Buffer, string[], boolean, number][] = [
    [
      'a last line that is cut off',
      steps.slice(0, -30),
      ['The last record is truncated and was skipped. Is the file still being written?'],
      false,
      6,
    ],
    [
      'broken lines',
      steps.replace('{"i":3', '{i:3').replace('{"i":5', '\u0000'),
      ['2 lines skipped: not JSON.'],
      true,
      5,
    ],
    [
      'records of another kind',
      `${steps}{"i":9,"kind":"weather"}\n`,
      ['1 record of a kind unknown to neutral-steps: weather.'],
      false,
      7,
    ],
    [
      'a document that is cut off',
      JSON.stringify({ messages: stuck() }).slice(0, -9),
      ['Truncated: the JSON has no end.'],
      true,
      0,
    ],
    [
      'a list that is cut off',
      `${JSON.stringify(stuck()).slice(0, -1)},`,
      ['The last record is truncated and was skipped. Is the file still being written?'],
      false,
      7,
    ],
    [
      'text after a document',
      `${JSON.stringify(stuck(), null, 1)}\nTraceback\n`,
      ['1 line skipped: not JSON.'],
      true,
      7,
    ],
    [
      'a list of words',
      '["a","b",3]',
      [
        'Unknown format: it starts with a JSON string. List formats with unrut scan --formats, force one with --format.',
      ],
      true,
      0,
    ],
    [
      'a packed archive',
      gzipSync('PK\u0003\u0004'),
      ['Cannot be read: it is an archive. Give it as a file of its own that is not packed.'],
      true,
      0,
    ],
    [
      'a packed database',
      gzipSync('SQLite format 3\u0000'),
      ['Cannot be read: it is a database. Give it as a file of its own that is not packed.'],
      true,
      0,
    ],
    ['an empty file', '', ['Empty: there is nothing in it.'], true, 0],
    [
      'a binary file',
      Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1]),
      [
        'Cannot be read: it is not text. Expected JSON or JSON lines, or either packed with gzip or zstd.',
      ],
      true,
      0,
    ],
    [
      'prose',
      'Dear reader,\n',
      [
        'Not JSON, and no text format that is known. Expected a recorded run as JSON or JSON lines.',
      ],
      true,
      0,
    ],
    [
      'another JSON',
      '{"name":"x","version":"1"}',
      [
        'Unknown format: it starts with an object with name, version. List formats with unrut scan --formats, force one with --format.',
      ],
      true,
      0,
    ],
    [
      'a packed file that ends too early',
      gzipSync(steps.repeat(50)).subarray(0, 90),
      ['Cannot be read: the compressed data is truncated.'],
      true,
      0,
    ],
  ];
  it.each(cases)('%s', async (_, content, expected, fatal, count) => {
    const report = await scanned([write('file.jsonl', content)]);
    expect(messages(report)).toEqual(expected);
    expect(report.problems.map((problem) => problem.fatal)).toEqual([fatal]);
    expect(report.totals.steps).toBe(count);
  });

  it('a path that is not there, and a glob that matches nothing', async () => {
    const report = await scanned([join(folder, 'missing.jsonl'), join(folder, '*.traj')]);
    expect(messages(report)).toEqual(['Cannot be read: it does not exist.', 'No file matches it.']);
  });

  it('a folder and a file without permission, while the others are read', () => {
    mkdirSync(join(folder, 'closed'));
    write('closed/inside.jsonl', steps);
    chmodSync(write('locked.jsonl', steps), 0);
    write('open.jsonl', steps);
    chmodSync(join(folder, 'closed'), 0);
    chmodSync(folder, 0o755);
    const { stdout } = spawnSync(process.execPath, [
      fileURLToPath(new URL('scan-unprivileged.ts', import.meta.url)),
      folder,
    ]);
    chmodSync(join(folder, 'closed'), 0o700);
    const report = JSON.parse(String(stdout)) as ScanReport;
    expect(report.problems.map(({ file, message }) => `${file}: ${message}`)).toEqual(
      ['closed', 'locked.jsonl'].map(
        (name) => `${join(folder, name)}: Cannot be read: permission denied.`,
      ),
    );
    expect(report.trajectories.map(({ id }) => id)).toEqual(['open']);
  });

  it('every file in a folder that holds no run', async () => {
    for (const name of ['a.json', 'b.json', 'c.json']) write(name, '{"name":"x"}');
    write('README.md', '# Runs\n');
    const report = await scanned([folder]);
    const message =
      'Unknown format: it starts with an object with name. List formats with unrut scan --formats, force one with --format.';
    expect(report.problems).toEqual([
      { file: join(folder, 'README.md'), message: 'Text without a run.', fatal: false },
      ...['a', 'b', 'c'].map((name) => ({
        file: join(folder, `${name}.json`),
        message,
        fatal: true,
      })),
    ]);
    expect(report.totals).toMatchObject({ files: 4, unread: 4 });
  });
});

describe('a format that is asked for', () => {
  it('and is not that of a named file is fatal', async () => {
    const report = await scanned([write('run.jsonl', lines(stuck()))], { format: 'codex' });
    expect(report.problems[0]).toMatchObject({
      message: 'No steps found when read as codex.',
      fatal: true,
    });
  });

  it('is missed in every file that does not have it', async () => {
    write('a.jsonl', lines(stuck()));
    write('b.json', '{"name":"x"}');
    const fatal = async (format: string) =>
      (await scanned([folder], { format })).problems.map((problem) => problem.fatal);
    expect(await fatal('codex')).toEqual([true, false, true, false]);
    expect(await fatal('neutral-steps')).toEqual([true, false]);
  });
});

it('loops are found in however many sessions are mixed in a file', async () => {
  const events = Array.from({ length: 8 }, (_, i) =>
    Array.from({ length: 1100 }, (_, nth) => ({
      type: 'call-finished',
      session: `s${nth}`,
      at: 9000 * (i + 1),
      call: { id: `c${i}`, tool: 'Bash', args: { command: 'npm test' } },
      result: 'FAIL 1 failed',
      error: true,
    })),
  ).flat();
  expect((await scanned([write('mixed.jsonl', lines(events))])).totals).toMatchObject({
    trajectories: 1100,
    looping: 1100,
  });
});

it('a document that is nested too deeply does not keep the others from being read', async () => {
  const deep = JSON.stringify(recordsOf('inspect-ai.json')[0]).replace(
    '"content":"',
    `"content":${'['.repeat(9000)}${']'.repeat(9000)},"was":"`,
  );
  const report = await scanned([write('deep.json', deep), write('run.jsonl', lines(stuck()))]);
  expect(messages(report)).toEqual([expect.stringContaining('it is nested too deeply.')]);
  expect(report.trajectories.some(({ id }) => id === 'run')).toBe(true);
});

it('a run with a loop in each of many sessions is distinguished by session', async () => {
  const events = ['one', 'two'].flatMap((session) =>
    stuck().map(({ i, tool, args, result, kind }) =>
      kind === 'message'
        ? { type: 'user-spoke', session, at: i * 9000 }
        : {
            type: 'call-finished',
            session,
            at: i * 9000,
            call: { id: `c${i}`, tool, args },
            result,
          },
    ),
  );
  const mixed = events.slice(0, 8).flatMap((event, i) => [event, events[8 + i]]);
  const { trajectories } = await scanned([write('mixed.jsonl', lines(mixed))]);
  expect(trajectories.map(({ id, loops }) => `${id} ${loops[0]!.start}-${loops[0]!.end}`)).toEqual([
    'one 1-6',
    'two 1-6',
  ]);
});

it('a call whose result is not known is a step', async () => {
  const { trajectories } = await scanned([
    write('open.jsonl', lines([person(0, 'Go.'), { ...call(1, 'Bash', { command: 'ls' }, null) }])),
  ]);
  expect(trajectories[0]).toMatchObject({ steps: 1, timeline: '?' });
});

it('a folder with a file for every event is one run', async () => {
  mkdirSync(join(folder, 'conversation-7/events'), { recursive: true });
  const records = recordsOf('openhands-classic.json');
  for (const [i, record] of records.entries())
    write(`conversation-7/events/${i}.json`, JSON.stringify(record, null, i % 2));
  const { trajectories, problems, totals } = await scanned([folder]);
  expect(problems).toEqual([]);
  expect(totals.files).toBe(1);
  const [one] = trajectories;
  const [other] = (await scanned([write('conversation-7.json', JSON.stringify(records))]))
    .trajectories;
  expect(one).toMatchObject({
    id: 'conversation-7',
    format: 'openhands',
    steps: other!.steps,
    timeline: other!.timeline,
  });
});
