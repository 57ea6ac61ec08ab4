import { option } from '@unrut/engine/option';
import { describe, expect, it } from 'vitest';
import {
  answerComplaints,
  documentationComplaints,
  documentedDetectors,
  statusComplaints,
  traceComplaints,
} from './detector-rules.ts';
import {
  DETECTOR,
  type Folder,
  folderComplaints,
  optionComplaints,
  piecesIn,
  RECOVERY,
  registryComplaints,
} from './folders.ts';
import { ignoredBy } from './tree.ts';

const README = `# going-round

## What it sees

## Why it hurts

## Fires

\`\`\`trace thrice
# not a heading
fetch {"url":"a"} -> "page" x3 ! consecutive
\`\`\`

## Stays quiet

\`\`\`trace twice twin of thrice
# not a heading
fetch {"url":"a"} -> "page" x2
\`\`\`

## When it is wrong

## Options

| option | default | what it is | why this number |
|---|---|---|---|
| \`repeats\` | \`3\` | Rounds that make a loop. | 2 catches honest retries |
| \`words\` | \`0.5\` | Share of a\\|b. | seen in the wild |
`;

const declared = {
  repeats: option.integer(3, { from: 2 }, 'Rounds that make a loop.'),
  words: option.share(0.5, 'Share of a|b.'),
};
const goingRound = { name: 'going-round', declared, step: () => null };
const folder: Folder = {
  name: 'going-round',
  files: ['README.md', 'detector.ts', 'screens.jsonl'],
  exported: { goingRound, ROUNDS: 3, nothing: null },
  readme: README,
};
const broken = (change: Partial<Folder>): Folder => ({ ...folder, ...change });
const rewritten = (from: string | RegExp, to: string): Folder => {
  expect(README.search(from), 'the example must have what is broken here').toBeGreaterThanOrEqual(
    0,
  );
  return broken({ readme: README.replace(from, to) });
};

describe('a good folder', () => {
  it('draws no complaint', () => {
    expect(folderComplaints(folder, DETECTOR)).toEqual([]);
    expect(optionComplaints(folder, declared)).toEqual([]);
    expect(traceComplaints(folder)).toEqual([]);
    expect(piecesIn(folder, DETECTOR)).toEqual([['goingRound', goingRound]]);
  });

  it('of a recovery has other files and headings', () => {
    const readme =
      '# wait\n## What it does\n## When\n## What the model reads\n## What a person reads\n## Options\nNone.\n';
    const recovery = {
      name: 'wait',
      files: ['recovery.ts', 'README.md'],
      exported: { wait: { name: 'wait', plan: () => null } },
      readme,
    };
    expect(folderComplaints(recovery, RECOVERY)).toEqual([]);
    expect(optionComplaints(recovery, undefined)).toEqual([]);
    expect(folderComplaints(recovery, DETECTOR)).not.toEqual([]);
  });
});

describe('a broken folder is seen', () => {
  it.each<[string, Folder, string]>([
    ['a file is missing', broken({ files: ['detector.ts'] }), 'has no README.md'],
    ['the source is missing', broken({ files: ['README.md'] }), 'has no detector.ts'],
    [
      'a file is too many',
      broken({ files: [...folder.files, 'helper.ts'] }),
      'helper.ts does not belong here',
    ],
    ['nothing is exported', broken({ exported: {} }), 'exports 0 values'],
    [
      'two are exported',
      broken({ exported: { goingRound, other: goingRound } }),
      'exports 2 values',
    ],
    [
      'the name differs',
      broken({ exported: { goingRound: { ...goingRound, name: 'round' } } }),
      'its name is round',
    ],
    [
      'the export is called otherwise',
      broken({ exported: { round: goingRound } }),
      'exported as round, expected goingRound',
    ],
    [
      'a heading is missing',
      rewritten('## Why it hurts\n', ''),
      'has the headings # going-round, ## What it sees, ## Fires',
    ],
    ['a heading is too many', rewritten('## Fires', '### More\n\n## Fires'), '### More'],
    [
      'headings change places',
      rewritten('## What it sees\n\n## Why it hurts', '## Why it hurts\n\n## What it sees'),
      'has the headings',
    ],
    ['the title differs', rewritten('# going-round', '# round'), 'has the headings # round'],
    ['there is no README', broken({ readme: '' }), 'has the headings none'],
  ])('when %s', (_, example, complaint) => {
    expect(folderComplaints(example, DETECTOR).join('\n')).toContain(complaint);
  });

  it.each<[string, Folder, string]>([
    [
      'an option is not documented',
      rewritten(/\| `repeats`.*\n/, ''),
      'option repeats is not documented',
    ],
    [
      'an option does not exist',
      rewritten('`repeats`', '`laps`'),
      'option laps is documented but does not exist',
    ],
    [
      'a default differs',
      rewritten('`3`', '`4`'),
      'option repeats defaults to 3, README.md says 4',
    ],
    [
      'a default is no JSON',
      rewritten('`3`', 'three'),
      'option repeats defaults to 3, README.md says three',
    ],
    [
      'a meaning differs',
      rewritten('Rounds that', 'Laps that'),
      'option repeats is "Rounds that make a loop.", README.md says "Laps that make a loop."',
    ],
    [
      'a reason is to be written',
      rewritten('2 catches honest retries', 'TODO'),
      'option repeats has no reason',
    ],
    [
      'a reason is missing',
      rewritten('2 catches honest retries', ''),
      'option repeats has no reason',
    ],
    ['an option has two rows', rewritten('`words`', '`repeats`'), 'option repeats has two rows'],
    [
      'the head differs',
      rewritten('why this number', 'why'),
      'the head of Options is option | default | what it is | why',
    ],
    ['the table is missing', rewritten(/\n\| option[\s\S]*$/, 'None.\n'), 'Options is no table'],
    ['the section is missing', rewritten('## Options', '## Settings'), 'has no section ## Options'],
  ])('when %s', (_, example, complaint) => {
    expect(optionComplaints(example, declared).join('\n')).toContain(complaint);
  });

  it.each<[string, Folder, string]>([
    ['no trace fires', rewritten('```trace thrice', '```text'), 'has no firing trace'],
    ['no trace is quiet', rewritten(/```trace twice[\s\S]*?```/, ''), 'has no quiet trace'],
    [
      'a block is headed otherwise',
      rewritten('trace thrice', 'trace thrice times'),
      'is headed "trace thrice times"',
    ],
    ['a firing trace marks nothing', rewritten(' ! consecutive', ''), 'thrice marks no line'],
    ['a quiet trace marks a line', rewritten(' x2', ' x2 ! consecutive'), 'twice marks a line'],
    ['a quiet trace has no twin', rewritten(' twin of thrice', ''), 'twice is twin of none'],
    [
      'the twin does not exist',
      rewritten('twin of thrice', 'twin of trice'),
      'twice is twin of trice',
    ],
    [
      'the twin begins otherwise',
      rewritten(/# not a heading\n(?=.*x2)/, ''),
      'twice does not begin like thrice',
    ],
    [
      'two traces share a name',
      rewritten('trace twice', 'trace thrice'),
      'two traces are called thrice',
    ],
    [
      'a firing trace is a twin',
      rewritten('trace thrice', 'trace thrice twin of thrice'),
      'thrice is called a twin',
    ],
  ])('when %s', (_, example, complaint) => {
    expect(traceComplaints(example).join('\n')).toContain(complaint);
  });
});

describe('a broken registry is seen', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ name })) as [Named, Named, Named];
  type Named = { name: string };
  const folders = new Map([a, b, c].map((piece) => [piece.name, piece]));

  it('and a good one is not', () => {
    expect(registryComplaints([a, b, c], folders)).toEqual([]);
    expect(registryComplaints([c, a, b], folders, ['c', 'a', 'b'])).toEqual([]);
  });

  it.each<[string, Named[], string]>([
    ['one is missing', [a, b], 'c: is not in the registry'],
    ['one has no folder', [a, b, c, { name: 'd' }], 'd: is in the registry but has no folder'],
    ['one is another object', [a, b, { name: 'c' }], 'c: is not in the registry'],
    ['one is there twice', [a, b, b, c], 'b: is in the registry twice'],
    ['it is out of order', [b, a, c], 'neither in alphabetical nor in documented order: b a c'],
  ])('when %s', (_, registry, complaint) => {
    expect(registryComplaints(registry, folders, ['c', 'b', 'a'])).toContainEqual(
      expect.stringContaining(complaint),
    );
  });
});

describe('what detectors and recoveries say of each other', () => {
  const detector = (status: string, highest: string) => ({
    name: 'cycle',
    status,
    rungs: { first: 'note', highest },
  });

  it('must agree with a status', () => {
    expect(statusComplaints(detector('stable', 'stop'))).toEqual([]);
    expect(statusComplaints(detector('trial', 'note'))).toEqual([]);
    expect(statusComplaints(detector('trial', 'hint'))).toEqual([
      'cycle: is on trial and reaches hint, expected note',
    ]);
  });

  it('must name detectors that exist', () => {
    expect(
      answerComplaints({ name: 'wait', answers: ['cycle', 'cycle/short', '*'] }, ['cycle']),
    ).toEqual([]);
    expect(answerComplaints({ name: 'wait', answers: ['cycles/short'] }, ['cycle'])).toHaveLength(
      1,
    );
    expect(answerComplaints({ name: 'wait', answers: ['cycles'] }, ['cycle'])).toEqual([
      'wait: answers cycles, which is no detector',
    ]);
  });

  it('must be what docs/detectors.md says', () => {
    const page =
      '# Detectors\n\n## What it detects\n\n| detector | sees |\n|---|---|\n| [`a`](x) | `z` |\n| `b` / `c` | |\n\n## Next\n';
    expect(documentedDetectors(page)).toEqual(['a', 'b', 'c']);
    expect(documentationComplaints(['a', 'b'], ['b', 'a'])).toEqual([]);
    expect(documentationComplaints(['a', 'x'], ['a', 'b'])).toEqual([
      'docs/detectors.md: "What it detects" lacks b',
      'docs/detectors.md: "What it detects" has x, which is no detector',
    ]);
  });
});

describe('the list of files', () => {
  it('leaves out what Git ignores', () => {
    const isIgnored = ignoredBy('node_modules/\n# a comment\n*.tgz\nbench/out/\n');
    const paths = [
      'node_modules',
      'a/node_modules',
      'x/y.tgz',
      'bench/out',
      'out',
      'bench',
      'a/bench/out',
      'tgz',
    ];
    expect(paths.filter(isIgnored)).toEqual([
      'node_modules',
      'a/node_modules',
      'x/y.tgz',
      'bench/out',
    ]);
  });
});
