import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { UnrutError } from '@unrut/engine/errors';
import { isRead } from '../quality/parts.ts';
import { tableText } from '../quality/table.ts';
import { runCommand } from '../run-command.ts';
import { writeDraw } from './draw.ts';
import { type Labelled, labelsIn, withLabels } from './labels.ts';
import { hasOwnFlag, resultsIn } from './results.ts';
import { type Sample, samplesOf } from './sample.ts';
import { type Score, scoreOf } from './score.ts';

const HELP = `npm run bench:reading -- [options]

Reads recorded results without the flag that their host set, and compares what the reader of
outcomes says with the flag. See docs/measuring.md.

Options
  --corpus DIR   a folder with labels.jsonl and trajectories/, or with such folders in it
  --show read    print the texts of the mistakes, but only of sources that may shape rules
  --show all     print the texts of all mistakes
  --draw FILE    instead: write 400 results of sources without flags to a file, to be labelled
  --labels A B   instead: store the labels of two readers in bench/reading/labels.jsonl
  --json PATH    where the report goes (default bench/out/reading.json)
  --help

Exit codes: 0 within the bars, 1 a bar is broken, 2 something could not be read, 64 wrong usage.`;

const DRAWN = 400;
const SEED = 33;
const MISTAKES = 20;

/** The bars that unread sources must meet: precision, and recall by kind of tool. */
const BARS = {
  stated: { precision: 0.98, recall: () => 0.95 },
  notStated: { precision: 0.95, recall: (kind: string) => (kind === 'shell' ? 0.75 : 0.9) },
};

const inProject = (path: string): string =>
  fileURLToPath(new URL(`../../${path}`, import.meta.url));
const LABELS = inProject('bench/reading/labels.jsonl');

function main(args: readonly string[]): void {
  const { values, positionals } = parse(args);
  const corpus = values.corpus ?? inProject('../shared/corpus');
  if (values.help) console.log(HELP);
  else if (!existsSync(corpus))
    throw new UnrutError('usage', `${corpus} does not exist. Give a folder with --corpus DIR.`);
  else if (values.draw) console.log(`${writeDraw(corpus, values.draw, DRAWN, SEED)} results drawn`);
  else if (values.labels) storeLabels(values.labels, positionals[0] ?? '');
  else bench(corpus, values.show ?? '', values.json);
}

function storeLabels(one: string, other: string): void {
  const labels = labelsIn(readFileSync(one, 'utf8'), readFileSync(other, 'utf8'));
  writeFileSync(LABELS, labels.map((label) => `${JSON.stringify(label)}\n`).join(''));
  console.log(`${labels.length} labels stored`);
}

function bench(corpus: string, show: string, json: string): void {
  const results = resultsIn(corpus);
  const { samples, excluded } = samplesOf(results.filter(({ source }) => hasOwnFlag(source)));
  const labels: Labelled[] = existsSync(LABELS)
    ? readFileSync(LABELS, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Labelled)
    : [];
  const byHand = withLabels(results, labels);
  console.log(
    `${samples.length} samples of results with a flag of their host; ${excluded.muted} results left out because their exit status is muted, ${excluded.answers} because exit code 1 is their answer; ${byHand.samples.length} labelled by hand (${byHand.split} on which the readers differ, ${byHand.open} that both call unknown).\n`,
  );
  const rows: [string, Sample[]][] = [];
  for (const [half, of] of [
    ['may shape rules', true],
    ['unread', false],
  ] as const) {
    const part = samples.filter(({ source }) => isRead(source) === of);
    for (const stated of [true, false]) {
      const some = part.filter((sample) => sample.stated === stated);
      const name = `${half}, ${stated ? 'stated' : 'not stated'}`;
      rows.push([name, some]);
      for (const kind of ['shell', 'edit', 'read', 'other'])
        rows.push([`  ${name}: ${kind}`, some.filter((sample) => sample.kind === kind)]);
      for (const source of [...new Set(some.map((sample) => sample.source))].sort())
        rows.push([`  ${name}: ${source}`, some.filter((sample) => sample.source === source)]);
    }
    rows.push([`${half}, by hand`, byHand.samples.filter(({ source }) => isRead(source) === of)]);
  }
  rows.push(['all with a flag, as recorded', samples.filter(({ isBare }) => !isBare)]);
  for (const source of [...new Set(byHand.samples.map((sample) => sample.source))].sort())
    rows.push([`  by hand: ${source}`, byHand.samples.filter((each) => each.source === source)]);
  const scores = rows.map(([name, some]) => ({ name, ...scoreOf(some) }));
  console.log(
    tableText({
      title: 'Outcomes read without the flag',
      about: 'By shape: each distinct shape counts once.',
      head: ['', 'results', 'failures', 'precision', 'recall', 'by shape', '', 'unknown'],
      rows: scores.map((score) => [score.name, ...cells(score)]),
    }),
  );
  const mistakes = [...samples, ...byHand.samples]
    .filter(({ truth, outcome }) => truth !== (outcome.failed === 'yes'))
    .sort((one, other) => confidence(other) - confidence(one));
  const worst = distinct(mistakes).slice(0, MISTAKES);
  console.log(
    tableText({
      title: `The ${worst.length} most confident mistakes, one for each shape`,
      about: '',
      head: ['result', 'source', 'kind', 'program', 'said', 'rule'],
      rows: worst.map(({ id, source, kind, program, outcome }) => [
        id,
        source,
        kind,
        program,
        outcome.failed,
        outcome.rule,
      ]),
    }),
  );
  for (const mistake of show === '' ? [] : distinct(mistakes))
    if (show === 'all' || isRead(mistake.source)) console.log(textOfMistake(mistake));
  const broken = brokenBars(samples.filter(({ source }) => !isRead(source)));
  for (const bar of broken) console.log(`Bar broken: ${bar}`);
  mkdirSync(dirname(json), { recursive: true });
  writeFileSync(json, `${JSON.stringify({ excluded, scores, broken }, null, 1)}\n`);
  if (broken.length > 0) process.exitCode = 1;
}

const figure = (value: number | null): string =>
  value === null ? '–' : value.toFixed(3).replace(/^0\./, '.');
const cells = (score: Score): string[] => [
  String(score.results),
  String(score.failures),
  figure(score.precision),
  figure(score.recall),
  figure(score.shapePrecision),
  figure(score.shapeRecall),
  `${(score.unknown * 100).toFixed(0)}%`,
];

/** A stated outcome is the most confident one, an open one the least. */
const confidence = ({ outcome: { failed, stated } }: Sample): number =>
  (failed === 'unknown' ? 0 : 2) + (stated ? 1 : 0);

function distinct(samples: readonly Sample[]): Sample[] {
  const seen = new Set<string>();
  return samples.filter(({ shape, source, outcome }) => {
    const key = `${source} ${shape} ${outcome.rule}`;
    return !seen.has(key) && seen.add(key);
  });
}

const textOfMistake = ({
  id,
  source,
  program,
  truth,
  outcome,
  args,
  text,
  stated,
}: Sample): string =>
  `--- ${id} ${source} ${program} | flag ${truth} | said ${outcome.failed} (${outcome.rule}) | ${stated ? 'stated' : 'not stated'} | ${JSON.stringify(args).slice(0, 300)}\n${text.length > 900 ? `${text.slice(0, 450)}\n[…]\n${text.slice(-450)}` : text}\n`;

function brokenBars(samples: readonly Sample[]): string[] {
  const broken: string[] = [];
  for (const stated of [true, false]) {
    const some = samples.filter((sample) => sample.stated === stated);
    const bar = stated ? BARS.stated : BARS.notStated;
    const name = stated ? 'stated' : 'not stated';
    const { precision } = scoreOf(some);
    if (precision !== null && precision < bar.precision)
      broken.push(`${name}: precision ${figure(precision)}, expected ${bar.precision}`);
    for (const group of stated
      ? [some]
      : [some.filter(isShell), some.filter((one) => !isShell(one))]) {
      const { recall } = scoreOf(group);
      const kind = group.every(isShell) ? 'shell' : 'other';
      const wanted = bar.recall(kind);
      if (recall !== null && recall < wanted)
        broken.push(
          `${name}${stated ? '' : `, ${kind}`}: recall ${figure(recall)}, expected ${wanted}`,
        );
    }
  }
  return broken;
}

const isShell = ({ kind }: Sample): boolean => kind === 'shell';

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        corpus: { type: 'string' },
        show: { type: 'string' },
        draw: { type: 'string' },
        labels: { type: 'string' },
        json: { type: 'string', default: inProject('bench/out/reading.json') },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UnrutError('usage', `${(error as Error).message}\n\n${HELP}`);
  }
}

await runCommand(main);
