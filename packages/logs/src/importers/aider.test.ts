import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Trajectory } from '@unrut/ledger/report/scan-report';
import { importRecords, outline } from '@unrut/test/importers/import-file';
import { describe, expect, it } from 'vitest';
import { scanFile } from '../scan/scan-file.ts';
import { aider } from './aider.ts';

const HEADER = ['', '# aider chat started at 2026-05-21 16:25:44', '', '> Aider v0.86.2  '];
const TOKENS = '> Tokens: 1.0k sent, 10 received.  ';
const block = (path: string, search: string, replace: string, open = '```ts', close = '```') => [
  path,
  open,
  '<<<<<<< SEARCH',
  search,
  '=======',
  replace,
  '>>>>>>> REPLACE',
  close,
  '',
];
const chat = (...lines: string[]) => [...HEADER, '', '#### fix it  ', '', ...lines].join('\n');

const read = (text: string) =>
  outline(
    importRecords(
      aider,
      text.split('\n').map((line) => ({ line })),
    ),
  ).slice(1);

async function scanned(text: string): Promise<Trajectory[]> {
  const folder = mkdtempSync(join(tmpdir(), 'unrut-aider-'));
  try {
    writeFileSync(join(folder, 'chat.md'), text);
    return (await scanFile(join(folder, 'chat.md'), {})).trajectories;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('a chat of Aider', () => {
  it.each([
    ['a text alone on its line', '    "a sentence in a string"'],
    ['a list that goes on', '    [a] + b'],
    ['a list', '    [1, 2]'],
    ['a number', '    3'],
    ['a brace', '{'],
    ['an object', '{"a": 1}'],
    ['a word of JSON', 'null'],
  ])('is read whole, though a line of its code is %s', async (_, line) => {
    const text = chat(...block('a.py', 'x = 1', line), TOKENS, '> Applied edit to a.py  ', '');
    expect(await scanned(text)).toMatchObject([{ format: 'aider', steps: 1 }]);
  });

  it('tells its model', async () => {
    const text = chat(...block('a.py', 'x = 1', 'x = 2'), '> Applied edit to a.py  ');
    const old = text.replace('> Aider', '> Models: gpt-4o with diff edit format  \n> Aider');
    expect(await scanned(old)).toMatchObject([{ model: 'gpt-4o' }]);
  });

  it.each([
    ['`<source>` fences', 'a.py', '<source>', '</source>'],
    ['`<code>` fences', 'a.py', '<code>', '</code>'],
    ['four backquotes', 'a.py', '````python', '````'],
    ['a heading above the block', '#### a.py', '```python', '```'],
    ['a name in bold', '**a.py**', '```python', '```'],
    ['a name in backquotes with a colon', '`a.py`:', '```python', '```'],
  ])('has its edits with %s', (_, path, open, close) => {
    expect(
      read(
        chat(
          ...block(path, 'x = 1', 'x = 2', open, close),
          TOKENS,
          '> Applied edit to a.py  ',
          '> Only 3 reflections allowed, stopping.  ',
        ),
      ),
    ).toEqual([
      '1 calls edit {"path":"a.py","search":"x = 1","replace":"x = 2"}',
      '1 edit returns "Applied edit to a.py"',
      '2 session-ended',
    ]);
  });

  it('tells a refusal after a fence that the model did not close', () => {
    const [path, ...rest] = block('a.py', 'x = 1', 'x = 2');
    const lines = read(
      chat(
        '```python',
        path!,
        ...rest,
        '> The LLM did not conform to the edit format.  ',
        '> # 1 SEARCH/REPLACE block failed to match!  ',
        '',
        'I see.',
      ),
    );
    expect(lines).toContain('1 edit returns "SEARCH/REPLACE block failed to match!" error true');
  });

  it('does not take edits for equal whose content it cannot read', () => {
    const answers = ['one\n', 'two\n'].flatMap((text) => [text, '> Applied edit to a.py  ', '']);
    const calls = read(chat(...answers)).filter((line) => line.includes('calls'));
    expect(calls).toHaveLength(2);
    expect(new Set(calls.map((line) => line.replace(/^\d+ /, ''))).size).toBe(2);
  });

  it('has the output of a check that failed', () => {
    expect(
      read(
        chat(
          ...block('a.py', 'x = 1', 'x = 2'),
          TOKENS,
          '> Applied edit to a.py  ',
          '> Commit 1a2b3c4 fix: x  ',
          '> # Fix any errors below, if possible.  ',
          '> a.py:3:1: E999 SyntaxError  ',
          '> Attempt to fix lint errors? yes  ',
          '> Tokens: 1.1k sent, 10 received.  ',
          '',
          ...block('a.py', 'x = 2', 'x = 3'),
          '> Applied edit to a.py  ',
          '> FAILED test_a.py::x  ',
          '> Attempt to fix test errors? yes  ',
        ),
      ).filter((line) => /lint|test/.test(line)),
    ).toEqual([
      '2 calls lint {}',
      '2 lint returns "# Fix any errors below, if possible.\\na.py:3:1: E999 SyntaxError" error true',
      '4 calls test {}',
      '4 test returns "FAILED test_a.py::x" error true',
    ]);
  });

  const refused = (...counts: number[]) =>
    chat(
      ...counts.flatMap((count, answer) => [
        ...Array.from({ length: count }, (_, i) =>
          block(`page${i}.ts`, `const x${answer}${i} = 1;`, 'const x = 2;'),
        ).flat(),
        '> The LLM did not conform to the edit format.  ',
        `> # ${count} SEARCH/REPLACE block${count === 1 ? '' : 's'} failed to match!  `,
        '>   ',
        TOKENS,
        '',
      ]),
    );

  it('fails in the same way, however many blocks fail together', async () => {
    const [run] = await scanned(refused(2, 2, 1, 1));
    expect(run?.loops.map(({ detector }) => detector)).toContain('repeated-error');
  });

  const tested = (...failures: string[]) =>
    chat(
      ...failures.flatMap((failure, i) => [
        ...block('page.ts', `const last = ${i};`, `const last = ${i + 1};`),
        '> Applied edit to page.ts  ',
        `> ${failure}  `,
        '> Attempt to fix test errors? yes  ',
        TOKENS,
        '',
      ]),
    );

  it('goes in circles if the same check fails after each edit, and not if another one does', async () => {
    const same = ['FAILED page.test.ts > last page', 'FAILED page.test.ts > last page'];
    const [looping] = await scanned(tested(...same, ...same, ...same));
    expect(looping?.signals.map(({ detector }) => detector)).not.toEqual([]);
    const others = ['FAILED a > one', 'FAILED b > two', 'FAILED c > three', 'FAILED d > four'];
    const [honest] = await scanned(tested(...others));
    expect(honest?.loops).toEqual([]);
  });
});
