import { expect, it } from 'vitest';
import { type FileOutcome, fileProblems } from './file-problems.ts';
import type { ImportedFile } from './import-file.ts';

const imported: ImportedFile = {
  format: 'codex',
  records: 10,
  broken: new Map(),
  unknown: new Map(),
  failure: undefined,
  looksLike: '',
  understood: 1,
  callsInText: undefined,
  factsOf: () => ({}),
};
const outcome: FileOutcome = {
  runs: 1,
  faults: 0,
  lost: 0,
  calls: 0,
  unread: 0,
  isForced: false,
};

it.each<[string, Partial<ImportedFile>, Partial<FileOutcome>, string[]]>([
  ['nothing', {}, {}, []],
  [
    'calls whose results could not be read',
    {},
    { calls: 300, unread: 214 },
    ['· Results of 214 of 300 calls could not be read: loops that show in results are missed.'],
  ],
  ['half of the results', {}, { calls: 300, unread: 150 }, []],
  ['the results of a short run', {}, { calls: 4, unread: 4 }, []],
  [
    'events that the guard could not take',
    {},
    { faults: 2 },
    ['! 2 events skipped: a field is missing or invalid.'],
  ],
  [
    'runs that had to be forgotten',
    {},
    { lost: 1 },
    [expect.stringMatching(/^! Too many interleaved runs to track/)],
  ],
  [
    'documents and lines that are too long',
    {
      broken: new Map([
        ['longer than 64 MB', 1],
        ['longer than 256 MB', 2],
      ]),
    },
    {},
    ['! 1 record skipped: longer than 64 MB.', '! 2 records skipped: longer than 256 MB.'],
  ],
  [
    'a document that is too long, and nothing else',
    { format: undefined, records: 0, broken: new Map([['longer than 256 MB', 1]]) },
    { runs: 0 },
    ['! 1 record skipped: longer than 256 MB.'],
  ],
  ['no step', {}, { runs: 0 }, ['· No steps found although it looks like codex.']],
  [
    'a format that is half understood',
    { format: 'openai-messages', understood: 0.62, unknown: new Map([['block toolUse', 6]]) },
    {},
    [
      '! Not read: only 62% of it is understood as openai-messages (unknown: block toolUse). Force it with --format openai-messages.',
    ],
  ],
  [
    'nine parts of ten that are understood',
    { understood: 0.9, unknown: new Map([['weather', 1]]) },
    {},
    ['· 1 record of a kind unknown to codex: weather.'],
  ],
  [
    'a half that was asked for',
    { understood: 0.62, unknown: new Map([['weather', 6]]) },
    { isForced: true },
    ['· 6 records of a kind unknown to codex: weather.'],
  ],
  [
    'calls that are only in the text',
    { format: 'openai-messages', callsInText: '<tool_call>' },
    {},
    [
      '! Not read: its texts show calls (<tool_call>), but as openai-messages it holds none. Force it with --format openai-messages.',
    ],
  ],
  [
    'no step, and mostly records of unknown kinds',
    { unknown: new Map([['weather', 6]]) },
    { runs: 0 },
    [
      '! No steps found although it looks like codex.',
      '· 6 records of a kind unknown to codex: weather.',
    ],
  ],
])('tells of %s', (_, file, came, lines) => {
  const problems = fileProblems('run.jsonl', { ...imported, ...file }, { ...outcome, ...came });
  expect(problems.map(({ message, fatal }) => `${fatal ? '!' : '·'} ${message}`)).toEqual(lines);
});
