import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { breaches, namings, RULE } from './structure/boundaries.ts';
import { importsOf, readSourceCode } from './structure/source-code.ts';
import { foldersIn, projectSources } from './structure/tree.ts';

describe('the project', () => {
  const sources = projectSources();

  it('keeps clocks, chance, waiting and the outside world out of its core', () => {
    const found = breaches(sources);
    expect(found, `${RULE}\n${found.join('\n')}`).toEqual([]);
  });

  it('records without anything of Node, so that it can do so at the edge', () => {
    const seen = new Set<string>();
    const nodeImports = (path: string): string[] => {
      if (seen.has(path)) return [];
      seen.add(path);
      const named = importsOf(readSourceCode(sources.get(path)!)).map(
        ({ specifier }) => specifier ?? '',
      );
      return named.flatMap((name) => {
        if (name.startsWith('.')) return nodeImports(posix.join(posix.dirname(path), name));
        return name.startsWith('node:') ? [`${path}: ${name}`] : [];
      });
    };
    expect(['src/ledger/recorder.ts', 'src/ledger/memory.ts'].flatMap(nodeImports)).toEqual([]);
    expect(seen).toContain('src/guard.ts');
  });

  it('names no detector and no recovery in shared code', () => {
    const found = namings(sources, [...foldersIn('src/detectors'), ...foldersIn('src/recoveries')]);
    expect(
      found,
      `Shared code never names a detector or a recovery: each declares its own answer.\n${found.join('\n')}`,
    ).toEqual([]);
  });
});

const look = (files: Record<string, string>): string[] =>
  breaches(new Map(Object.entries(files)), ['src/guard.ts']);

describe('the check of the core', () => {
  it.each([
    ["import { readFileSync } from 'node:fs';", "import of 'node:fs'"],
    ["import type { Stats } from 'node:fs';", "import of 'node:fs'"],
    ["import 'lodash';", "import of 'lodash'"],
    ["export * from 'lodash';", "import of 'lodash'"],
    ["import {\n  a,\n  b,\n} from 'lodash';", "import of 'lodash'"],
    ["type Stats = import('node:fs').Stats;", "import of 'node:fs'"],
    ["const fs = require('node:fs');", "import of 'node:fs'"],
    ['const part = import(name);', 'an import that is worked out at run time'],
    ['const part = import(`node:fs`);', 'an import that is worked out at run time'],
    ["import { report } from './report/text.ts';", "import of './report/text.ts'"],
    ['const now = Date.now();', 'Date.now'],
    ['const now = Date();', 'Date('],
    ['const now = new Date(0);', 'new Date'],
    ['const now = performance.now();', 'performance.'],
    ['const now = globalThis.performance.now();', 'globalThis'],
    ['const dice = Math.random();', 'Math.random'],
    ['console.log(1);', 'console.'],
    ['const home = process.env.HOME;', 'process.'],
    ['const home = process?.env;', 'process?.'],
    ['setTimeout(run, 1);', 'setTimeout'],
    ['const f = async () => 1;', 'async'],
    ['for await (const x of xs) use(x);', 'await'],
    ['const id = crypto.randomUUID();', 'crypto'],
    ['const later = Promise.resolve();', 'Promise'],
    ['const text = `at ${Date.now()} o’clock`;', 'Date.now'],
    ['const text = `a ${{ b: `c ${d}` }} e`; console.log(text);', 'console.'],
    ['const half = width / 2; console.log(half / 2);', 'console.'],
    ['const quote = /[\'"`/*]/; console.log(1);', 'console.'],
    ["if (/[/']/.test(text)) process.exit(1); // it's", 'process.'],
  ])('finds what %j does', (source, what) => {
    expect(look({ 'src/guard.ts': `\n${source}\n` })).toEqual([
      expect.stringMatching(/^src\/guard\.ts:[2-9]: /),
    ]);
    expect(look({ 'src/guard.ts': source })[0]).toContain(`: ${what}`);
  });

  it.each([
    '// Date.now() and console.log are named in a comment',
    '/* import x from "node:fs"; await */ const a = 1;',
    "const text = 'await new Date() in a string, it\\'s said';",
    'const text = `Math.random() in a template`;',
    'const pattern = /process\\.env|console\\.log/;',
    'const found = text.match(/async [/] await/)!;',
    'const rate = total / count; const words = "setTimeout" + 1 / 2;',
    'const own = { async: true, crypto_: 1 }; use(own.async, event.performance.score, row.process);',
    "const all = Array.from('abc'); const from = 'node:fs';",
    'export const postprocess = reprocess.all; const updateDate = isDate(x);',
  ])('lets %j pass', (source) => {
    expect(look({ 'src/guard.ts': source })).toEqual([]);
  });

  it('follows imports, through types and through circles, and says where it found something', () => {
    const found = look({
      'src/guard.ts': "import type { A } from './a/a.ts';",
      'src/a/a.ts': "export { b } from '../b.ts';\nimport '../guard.ts';",
      'src/b.ts': 'export const a = 1;\n\nexport const b = Date.now();',
      'src/unrelated.ts': 'console.log(1);',
    });
    expect(found).toEqual(['src/b.ts:3: Date.now']);
  });

  it('does not follow an import to the outside, but reports it', () => {
    const found = look({
      'src/guard.ts': "import { m } from './ledger/memory.ts';",
      'src/ledger/memory.ts': 'Date.now();',
    });
    expect(found).toEqual(["src/guard.ts:1: import of './ledger/memory.ts'"]);
  });

  it('complains where there is nothing to check', () => {
    expect(look({ 'src/other.ts': '' })).toEqual([
      'src/guard.ts: there is nothing to check here; has it moved?',
    ]);
  });
});

describe('the check of names', () => {
  const names = ['cycle', 'repeated-call', 'blocked_task_spin'];
  const find = (path: string, source: string): string[] =>
    namings(new Map([[path, source]]), names);

  it.each([
    ["if (signal.detector === 'cycle') return;", 'cycle'],
    ["const order = ['x',\n'repeated-call'];", 'repeated-call'],
    ["const key = 'detector:repeated-call';", 'repeated-call'],
    ['const key = `${streak}/blocked_task_spin`;', 'blocked_task_spin'],
    ["import { cycle } from '../detectors/cycle/detector.ts';", 'cycle'],
  ])('finds the name in %j', (source, name) => {
    expect(find('src/policy/decide.ts', source)).toEqual([
      expect.stringContaining(`: names ${name}`),
    ]);
    expect(find('src/guard.ts', source)).toHaveLength(1);
    expect(find('src/presets.ts', source)).toEqual([]);
  });

  it.each([
    "const text = 'a cycle of steps';",
    '// like repeated-call',
    "const other = 'repeated-calls';",
  ])('lets %j pass', (source) => {
    expect(find('src/guard.ts', source)).toEqual([]);
  });
});

describe('reading a source', () => {
  it('keeps every line in its place', () => {
    const source = "a /* x\ny */ + 'b\\\nc' // d\n+ `e\n${f}\ng` + /h/";
    const { code, strings } = readSourceCode(source);
    expect(code.length).toBe(source.length);
    expect(code.split('\n')).toHaveLength(source.split('\n').length);
    expect(strings.map((said) => said.text)).toEqual(['b\\\nc', 'e\n', '\ng']);
    for (const { text, at } of strings) expect(source.slice(at, at + text.length)).toBe(text);
  });

  it('finds every kind of import', () => {
    const source =
      "import a from './a';import * as b from\n'./b';export { c } from './c';import'./d';await import('./e');import.meta.url;";
    expect(importsOf(readSourceCode(source)).map((found) => found.specifier)).toEqual([
      './a',
      './b',
      './c',
      './d',
      './e',
    ]);
  });

  it.each(["'unfinished", '`unfinished ${', '/* unfinished', '/unfinished', '}', "'ends in \\"])(
    'gives an answer for %j',
    (source) => {
      expect(readSourceCode(source).code.length).toBe(source.length);
    },
  );
});
