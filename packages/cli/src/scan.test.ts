import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import type { ScanReport } from '@unrut/ledger/report/scan-report';
import { runInProcess } from '@unrut/test/run-in-process';
import { busy, lines, message, person, stuck } from '@unrut/test/scan/neutral';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unrut-scan-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}
const scan = async (...args: string[]) => runInProcess('scan', ...args);
const json = async (...args: string[]): Promise<ScanReport> =>
  JSON.parse((await scan('--json', ...args)).stdout);

const [LOOPS, QUIET, STRANGE, HALF] = [
  lines(stuck()),
  lines(busy()),
  '{"name":"x"}',
  `${lines(busy())}{"i":`,
];

test('names a run by its first prompt and its day', async () => {
  const at = new Date(2026, 10, 17, 12).getTime();
  const call = { tool: 'Bash', args: { command: 'npm test' } };
  const events = [
    { type: 'user-spoke', session: 'b1e2', at, text: 'Fix the invoice test.' },
    ...[1, 2, 3, 4, 5].map((i) => ({
      type: 'call-finished',
      session: 'b1e2',
      at: at + i * 1000,
      call: { ...call, id: `call-${i}` },
      error: 'FAIL invoice: expected 3, got 4',
    })),
  ];
  const { stdout } = await scan(write('b1e2.jsonl', lines(events)));
  expect(stdout).toMatch(/^1\. [a-z-]+ in "Fix the invoice test\." \(2026-11-17\), steps/m);
});

test('names the one step of a loop within a message', async () => {
  const chant = message(1, 'I will now check the file again and then I will continue. '.repeat(60));
  const { stdout } = await scan(write('chant.jsonl', lines([person(0, 'Look at it.'), chant])));
  expect(stdout).toContain('1. chanting in "Look at it.", step 0: 0 wasted steps');
});

describe('the exit code', () => {
  it.each<[string, Record<string, string>, string[], number]>([
    ['0 when nothing loops', { 'a.jsonl': QUIET }, [], 0],
    [
      '0 when nothing loops, and a file is not read',
      { 'a.jsonl': QUIET, 'b.json': STRANGE },
      [],
      0,
    ],
    ['2 then, with --strict', { 'a.jsonl': QUIET, 'b.json': STRANGE }, ['--strict'], 2],
    [
      '2 with --strict when a line is broken',
      { 'a.jsonl': QUIET.replace('{"i":3', '{i:3') },
      ['--strict'],
      2,
    ],
    ['0 with --strict when all is read', { 'a.jsonl': QUIET }, ['--strict'], 0],
    [
      '0 with --strict for a text that holds no run, and a run that is being written',
      { 'a.jsonl': HALF, 'README.md': '# Runs' },
      ['--strict'],
      0,
    ],
    ['1 when something loops', { 'a.jsonl': LOOPS }, [], 1],
    [
      '1 when something loops, whatever could not be read',
      { 'a.jsonl': LOOPS.replace('{"i":1', '{i:1'), 'b.json': STRANGE },
      ['--strict'],
      1,
    ],
    ['2 when nothing could be read', { 'a.json': STRANGE, 'b.json': STRANGE }, [], 2],
    ['2 when there is nothing', {}, [], 2],
    ['2 when the only file is empty', { 'a.jsonl': '' }, [], 2],
    [
      '0 when the file that is not read was left out',
      { 'a.jsonl': QUIET, 'b.json': STRANGE },
      ['--strict', '--exclude', 'b.*'],
      0,
    ],
    [
      '0 when the folder that is not read was left out',
      { 'a.jsonl': QUIET, 'x/b.json': STRANGE },
      ['--strict', '--exclude', '**/x'],
      0,
    ],
  ])('is %s', async (_, files, args, status) => {
    for (const [name, content] of Object.entries(files)) write(name, content);
    expect((await scan(...args, folder)).status).toBe(status);
  });
});

it('a folder of which nothing can be read fails, and the JSON names every file of it', async () => {
  for (let i = 0; i < 30; i++) write(`${i}.json`, STRANGE);
  const { status, stdout } = await scan(folder);
  expect(status).toBe(2);
  expect(stdout.replace(/\s+/g, ' ')).toMatch(
    /! 29 more files of unknown format: .*--json names all/,
  );
  const { problems, totals } = await json(folder);
  expect(new Set(problems.map(({ file }) => file)).size).toBe(30);
  expect(totals).toMatchObject({ files: 30, unread: 30 });
});

describe('is read, however it is written', () => {
  const utf16 = Buffer.from(`\ufeff${LOOPS}`, 'utf16le');
  it.each<[string, string, string | Buffer]>([
    ['a text', 'run.txt', LOOPS],
    ['a log with other lines in it', 'run.log', `starting\n${LOOPS}done\n`],
    ['zstd', 'run.jsonl.zst', zstdCompressSync(LOOPS)],
    ['UTF-16 with a mark', 'run.jsonl', utf16],
    ['UTF-16 without one', 'run.jsonl', utf16.subarray(2)],
    ['UTF-16 of the other order', 'run.jsonl', Buffer.from(utf16).swap16()],
    ['UTF-16, packed', 'run.jsonl.gz', gzipSync(utf16)],
    ['a zip archive', 'runs.zip', zipOf({ 'deep/run.jsonl': LOOPS, 'picture.png': 'x' })],
  ])('%s', async (_, name, content) => {
    write(name, content);
    const report = await json(folder);
    expect(report.trajectories).toMatchObject([
      { id: 'run', steps: 7, loops: [{ detector: 'repeated-call' }] },
    ]);
  });

  it('a file in an archive by its path', async () => {
    const archive = write('runs.zip', zipOf({ 'a.jsonl': LOOPS, 'b.jsonl': QUIET }));
    const { trajectories } = await json(`${archive}/b.jsonl`);
    expect(trajectories).toMatchObject([{ id: 'b', file: `${archive}/b.jsonl`, loops: [] }]);
    expect((await json(archive)).trajectories.map(({ id }) => id)).toEqual(['a', 'b']);
  });
});

describe('is named when it cannot be read', () => {
  it.each<[string, string | Buffer, string]>([
    ['a.jsonl', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0, 0]), 'packed with xz'],
    ['a.zip', zipOf({ 'picture.png': 'x' }), 'no file that could hold a run'],
    ['a.zip', 'PK\u0003\u0004 and no more', 'damaged'],
    ['a.json', 'PK\u0003\u0004 and no more', 'damaged'],
  ])('%s %#', async (name, content, said) => {
    write(name, content);
    const { status, stdout } = await scan(folder);
    expect(status).toBe(2);
    expect(stdout.replace(/\s+/g, ' ')).toContain(said);
  });

  it('a file that is not in the archive', async () => {
    const { stdout } = await scan(
      `${write('runs.zip', zipOf({ 'a.jsonl': LOOPS }))}/missing.jsonl`,
    );
    expect(stdout).toContain('the archive holds no such file');
  });
});

describe('a format that is half understood is not read', () => {
  const asked = { role: 'user', content: 'List the files.' };
  it.each<[string, unknown[], string]>([
    [
      'calls in the text of messages',
      [
        asked,
        ...Array(3).fill({
          role: 'assistant',
          content: 'I call it: {"tool_calls": [{"name": "list"}]}',
        }),
      ],
      'its texts show calls (tool_calls)',
    ],
    [
      'blocks that nobody knows',
      [
        asked,
        ...Array(3).fill({
          role: 'assistant',
          content: [
            { type: 'text', text: 'x' },
            { type: 'hologram', of: 1 },
          ],
        }),
      ],
      'Unknown format',
    ],
  ])('%s', async (_, messages, said) => {
    write('a.jsonl', lines(messages));
    const { status, stdout } = await scan(folder);
    expect(status).toBe(2);
    expect(stdout.replace(/\s+/g, ' ')).toContain(said);
    expect((await json(folder)).trajectories).toEqual([]);
  });

  it.each<[string, unknown[]]>([
    [
      'speaks of calls once',
      [
        asked,
        { role: 'assistant', content: 'Write <tool_call>{"name": "x"}</tool_call>, then wait.' },
      ],
    ],
    [
      'gives commands to a person',
      Array(3)
        .fill([
          { role: 'assistant', content: 'Try\n```bash\nls\n```' },
          { role: 'user', content: 'It says: a.txt' },
        ])
        .flat(),
    ],
  ])('but a chat that %s is', async (_, messages) => {
    write('a.jsonl', lines([asked, ...messages]));
    expect((await json(folder)).trajectories).toHaveLength(1);
  });
});

/** A zip archive that is not compressed. */
function zipOf(files: Record<string, string>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const [path, bytes] = [Buffer.from(name), Buffer.from(text)];
    const [head, entry] = [Buffer.alloc(30), Buffer.alloc(46)];
    head.writeUInt32LE(0x04034b50);
    head.writeUInt16LE(path.length, 26);
    entry.writeUInt32LE(0x02014b50);
    entry.writeUInt32LE(bytes.length, 20);
    entry.writeUInt32LE(bytes.length, 24);
    entry.writeUInt16LE(path.length, 28);
    entry.writeUInt32LE(at, 42);
    parts.push(head, path, bytes);
    directory.push(entry, path);
    at += 30 + path.length + bytes.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...directory, end]);
}
