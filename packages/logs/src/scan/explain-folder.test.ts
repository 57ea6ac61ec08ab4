import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { recordsOf } from '@unrut/test/importers/import-file';
import { lines, stuck } from '@unrut/test/scan/neutral';
import { afterAll, expect, it } from 'vitest';
import { readRun } from '../explain/read-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'unrut-explain-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

it('the only run of a folder is explained', async () => {
  const path = write('one/deep/run.jsonl', lines(stuck()));
  expect(await readRun(join(folder, 'one'), {})).toMatchObject({ id: 'run', file: path });
  for (const [i, record] of recordsOf('openhands-classic.json').entries())
    write(`seven/events/${i}.json`, JSON.stringify(record));
  expect(await readRun(join(folder, 'seven'), { id: '1' })).toMatchObject({
    id: 'seven',
    format: 'openhands',
  });
});

it.each<[string, string[], string]>([
  ['several', ['a.jsonl', 'b.jsonl'], 'It is a folder with 2 files. Pass one of them, such as '],
  ['none', ['notes.pdf'], 'No files that could hold a run.'],
])('a folder with %s says so', async (name, files, said) => {
  for (const file of files) write(`${name}/${file}`, lines(stuck()));
  await expect(readRun(join(folder, name), {})).rejects.toMatchObject({
    code: 'unreadable',
    message: expect.stringContaining(said),
  });
});

it('a document that is cut off says so', async () => {
  const path = write('cut.json', JSON.stringify({ messages: [] }).slice(0, -1));
  await expect(readRun(path, {})).rejects.toMatchObject({
    message: expect.stringContaining('it is truncated'),
  });
});
