import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { UnrutError } from '@unrut/engine/errors';
import type { Imported } from '@unrut/logs/importers/source';
import { findFiles } from '@unrut/logs/scan/find-files';
import { importFile } from '@unrut/logs/scan/import-file';
import { readCorpus, readEvents } from '../quality/corpus.ts';
import { tableText } from '../quality/table.ts';
import { runCommand } from '../run-command.ts';
import { type Acts, type RecordedRun, replayActs } from './replay.ts';

const HELP = `npm run bench:acts -- [options]

Replays recorded runs through the guard, nobody there to be asked, and judges what it would have refused, stopped and said
by what really came. See docs/measuring.md.

Options
  --corpus DIR   a folder with labels.jsonl and trajectories/, or with such folders in it
  --runs DIR     any folder with recorded runs, of any format that \`unrut scan\` reads; may be given several times
  --worlds [N]   instead: invented agents in invented worlds that change by themselves and by acts (default 100000)
  --seed N       of the worlds (default 1)
  --show         list every act, not only the wrong ones
  --json PATH    where the report goes (default bench/out/acts.json)
  --help

Exit codes: 0 within the bars, 1 a bar is broken, 2 something could not be read, 64 wrong usage.`;

/** Max share of wrong blocks among all blocks and among all runs. */
const WRONG_REFUSALS = 0.01;
const WRONG_STOPS = 1;

const inProject = (path: string): string =>
  fileURLToPath(new URL(`../../${path}`, import.meta.url));

async function main(args: readonly string[]): Promise<void> {
  const { values, positionals } = parse(args);
  if (values.help) console.log(HELP);
  else if (values.worlds)
    await (await import('./worlds.ts')).benchWorlds(
      numberOf(positionals[0] ?? '100000'),
      numberOf(values.seed),
    );
  else await bench(values);
}

async function bench({
  corpus,
  runs,
  show,
  json,
}: ReturnType<typeof parse>['values']): Promise<void> {
  const sets = new Map<string, { run: RecordedRun; acts: Acts }[]>();
  const add = (set: string, run: RecordedRun): void =>
    void sets.set(set, [...(sets.get(set) ?? []), { run, acts: replayActs(run) }]);
  const folder = corpus ?? (runs.length > 0 ? undefined : inProject('../shared/corpus'));
  if (folder !== undefined) {
    if (!existsSync(folder))
      throw new UnrutError(
        'usage',
        `There is no folder ${folder}. Expected --corpus DIR or --runs DIR; see docs/measuring.md.`,
      );
    for (const run of readCorpus(folder)) {
      if (run.truth.kind === 'verdict') continue;
      const loops = run.truth.kind === 'spans' ? [...run.truth.loops, ...run.truth.borderline] : [];
      add(run.truth.kind === 'spans' ? 'labelled runs' : 'quiet runs', {
        id: run.id,
        loops,
        events: readEvents(run),
      });
    }
  }
  for (const path of runs) for (const run of await runsIn(path)) add(path, run);

  const report = [...sets].map(([set, played]) => ({
    set,
    ...sumOf(played.map(({ acts }) => acts)),
  }));
  const head = [
    '',
    'runs',
    'steps',
    'refused',
    'wrongly',
    'stopped',
    'wrongly',
    'notes and hints',
    'per 1,000 steps outside loops',
    'said over twice',
    'too early',
  ];
  const rows = report.map(
    ({
      set,
      runs: count,
      steps,
      refused,
      refusedWrongly,
      stopped,
      stoppedWrongly,
      told,
      toldPerThousand,
      repeated,
      early,
    }) =>
      [
        set,
        count,
        steps,
        refused,
        refusedWrongly,
        stopped,
        stoppedWrongly,
        told,
        toldPerThousand.toFixed(2),
        repeated.length,
        early.length,
      ].map(String),
  );
  console.log(tableText({ title: 'What the guard would have done', about: '', head, rows }));
  console.log(
    tableText({
      title: 'Questions to a human, and stops, by reason',
      about: '',
      head: ['', 'act', 'by', 'number', 'wrongly', 'too late'],
      rows: report.flatMap(({ set, acts }) =>
        (['asked', 'stopped'] as const).flatMap((what) =>
          [false, true].map((byPrice) => {
            const of = acts.filter((act) => act.what === what && act.byPrice === byPrice);
            return [
              set,
              what,
              byPrice ? 'price' : 'certainty',
              of.length,
              of.filter(({ isWrong }) => isWrong).length,
              of.filter(({ isLate }) => isLate).length,
            ].map(String);
          }),
        ),
      ),
    }),
  );
  console.log(
    tableText({
      title: 'The longest stretch of known steps that brought nothing, outside of loops',
      about: '',
      head: ['', 'advised', 'in any case', 'runs over 11', 'runs over 29'],
      rows: report.map(({ set, stretches }) =>
        [
          set,
          Math.max(0, ...stretches.map(({ advised }) => advised)),
          Math.max(0, ...stretches.map(({ any }) => any)),
          stretches.filter(({ advised }) => advised > 11).length,
          stretches.filter(({ advised }) => advised > 29).length,
        ].map(String),
      ),
    }),
  );
  const all = report.flatMap(({ acts }) => acts);
  for (const { run, step, what, isWrong, evidence } of all.filter((act) => show || act.isWrong))
    console.log(`${isWrong ? 'wrongly ' : ''}${what}  ${run}, step ${step}: ${evidence}`);
  for (const { set, repeated, early } of report)
    for (const text of new Set([...repeated, ...early]))
      console.log(`said again  ${set}: ${text.slice(0, 160)}`);
  const refused = sum(report.map((each) => each.refused));
  const refusedWrongly = sum(report.map((each) => each.refusedWrongly));
  const stoppedWrongly = sum(report.map((each) => each.stoppedWrongly));
  const early = sum(report.map((each) => each.early.length));
  if (refusedWrongly > WRONG_REFUSALS * refused || stoppedWrongly > WRONG_STOPS || early > 0)
    process.exitCode = 1;
  mkdirSync(dirname(json), { recursive: true });
  writeFileSync(json, `${JSON.stringify({ version: 1, report })}\n`);
  console.log(`\nWritten: ${json}`);
}

function sumOf(played: readonly Acts[]) {
  const acts = played.flatMap((each) => each.acts);
  const count = (what: string, wrong: boolean): number =>
    acts.filter((act) => act.what === what && (!wrong || act.isWrong)).length;
  const outside = sum(played.map((each) => each.outside));
  return {
    runs: played.length,
    steps: sum(played.map(({ steps }) => steps)),
    refused: count('refused', false),
    refusedWrongly: count('refused', true),
    stopped: count('stopped', false),
    stoppedWrongly: count('stopped', true),
    told: sum(played.map(({ told }) => told)),
    toldPerThousand:
      outside === 0 ? 0 : (1000 * sum(played.map(({ toldOutside }) => toldOutside))) / outside,
    repeated: played.flatMap(({ repeated }) => repeated),
    early: played.flatMap(({ early }) => early),
    acts,
    stretches: played.map(({ stretch }) => stretch),
  };
}

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, each) => total + each, 0);

/** All runs of the files at a path. */
async function runsIn(path: string): Promise<RecordedRun[]> {
  const { files, absent } = findFiles([path]);
  if (absent.length > 0)
    throw new UnrutError('unreadable', `Cannot read ${path}: there is nothing of that name.`);
  const found: RecordedRun[] = [];
  for (const { path: file } of files) {
    const runs = new Map<string, Imported[]>();
    await importFile(file, {
      onEvent(imported) {
        const { session, agent = '' } = imported.event;
        const key = JSON.stringify([session, agent]);
        runs.set(key, [...(runs.get(key) ?? []), imported]);
      },
    });
    for (const events of runs.values())
      found.push({ id: `${file}: ${events[0]!.event.session}`, loops: [], events });
  }
  return found;
}

function numberOf(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new UnrutError(
    'usage',
    `Expected a whole number above 0, got ${text}. See npm run bench:acts -- --help.`,
  );
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        corpus: { type: 'string' },
        runs: { type: 'string', multiple: true, default: [] as string[] },
        worlds: { type: 'boolean', default: false },
        seed: { type: 'string', default: '1' },
        show: { type: 'boolean', default: false },
        json: { type: 'string', default: inProject('bench/out/acts.json') },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UnrutError(
      'usage',
      `${(error as Error).message.split('\n', 1)[0]} See npm run bench:acts -- --help.`,
    );
  }
}

await runCommand(main);
