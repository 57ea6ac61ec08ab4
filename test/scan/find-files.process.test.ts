import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { findFiles } from '@unrut/logs/scan/find-files';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordsOf } from '../importers/import-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unrut-find-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, content = '{}'): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}
const link = (name: string, target: string): void => symlinkSync(target, join(folder, name));
const found = (...names: string[]): string[] =>
  findFiles(names.map((name) => join(folder, name))).files.map(({ path }) =>
    relative(folder, path),
  );
function told(...names: string[]): string[] {
  const { problems, absent } = findFiles(names.map((name) => join(folder, name)));
  return [...problems, ...absent].map(
    ({ file, message, fatal }) => `${fatal ? '!' : '·'} ${relative(folder, file)}: ${message}`,
  );
}

it('files that describe the runs next to them are not read from a folder', () => {
  write('p/s/subagents/agent-a1.jsonl');
  write('p/s/subagents/agent-a1.meta.json', '{"agentType":"general-purpose"}');
  write('p/sessions/sessions.json');
  write('p/sessions/one.jsonl');
  expect(found('.')).toEqual(['p/s/subagents/agent-a1.jsonl', 'p/sessions/one.jsonl']);
  expect(found('p/sessions/sessions.json')).toEqual(['p/sessions/sessions.json']);
});

describe('a folder with a file for every event', () => {
  const events = recordsOf('openhands-classic.json').map((record) => JSON.stringify(record));

  it('is one run, and what else is in it is found too', () => {
    for (const [i, event] of events.entries()) write(`run/events/${i}.json`, event);
    write('run/events/notes.json');
    write('run/events/nested/run.jsonl');
    expect(found('.')).toEqual([
      'run/events',
      'run/events/nested/run.jsonl',
      'run/events/notes.json',
    ]);
  });

  it.each<[string, string, string]>([
    ['has another name', 'runs', events[0]!],
    ['holds something else', 'events', '{"messages":[]}'],
    ['cannot be understood', 'events', '{"action":'],
  ])('is a folder like others when it %s', (_, name, content) => {
    const names = ['2026-11-01-first.json', '2026-11-02-second.json', '3.json'].map(
      (file) => `${name}/${file}`,
    );
    for (const file of names) write(file, content);
    write(`${name}/more.jsonl`);
    write(`${name}/sub/deep.jsonl`);
    expect(found('.')).toEqual([...names, `${name}/more.jsonl`, `${name}/sub/deep.jsonl`]);
  });
});

describe('links', () => {
  it('to a file are read, and a file counts once under all its names', () => {
    write('a.jsonl');
    link('b.jsonl', 'a.jsonl');
    expect(found('.')).toEqual(['a.jsonl']);
    expect(found('b.jsonl', 'a.jsonl', './sub/../a.jsonl', '.')).toEqual(['b.jsonl']);
  });

  it('to a folder are walked when they are named, and only mentioned when they are not', () => {
    write('real/a.jsonl');
    link('linked', 'real');
    link('real/circle', '..');
    expect(found('linked')).toEqual(['linked/a.jsonl']);
    expect(found('.')).toEqual(['real/a.jsonl']);
    expect(told('.')).toEqual(['· : 2 links, pipes or sockets are not read: linked, real/circle.']);
  });

  it('that lead nowhere do not keep the other matches of a glob from being read', () => {
    link('a.jsonl', 'nowhere');
    write('b.jsonl');
    expect(found('*.jsonl')).toEqual(['b.jsonl']);
    for (const path of ['*.jsonl', '.'])
      expect(told(path)).toEqual(['! a.jsonl: Cannot be read: it links to nothing.']);
  });
});

it('a pipe in a folder is not waited for', () => {
  write('a.jsonl');
  expect(spawnSync('mkfifo', [join(folder, 'pipe.jsonl')]).status).toBe(0);
  for (const path of ['.', '*.jsonl']) {
    expect(found(path)).toEqual(['a.jsonl']);
    expect(told(path)).toEqual([
      expect.stringMatching(/1 link, pipe or socket is not read: \S*pipe\.jsonl\.$/),
    ]);
  }
});

it('a path with nothing behind it is reported', () => {
  write('empty/notes.pdf');
  expect(told('empty', 'missing', '*.traj')).toEqual([
    '· empty: No files that could hold a run.',
    '! missing: Cannot be read: it does not exist.',
    '! *.traj: No file matches it.',
  ]);
});
