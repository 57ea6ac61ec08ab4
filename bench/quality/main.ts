import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UnrutError } from '@unrut/engine/errors';
import { recommended } from '@unrut/engine/presets';
import { peers } from '../peers/index.ts';
import { runCommand } from '../run-command.ts';
import { HELP, readArguments } from './arguments.ts';
import { readCorpus } from './corpus.ts';
import { diffReports, diffTable, diffText, ruleDiffText } from './diff.ts';
import { listingsOf } from './listing.ts';
import { corpusText, page } from './page.ts';
import { play } from './play.ts';
import { guardSystem, peerSystem, type RuleCounts, type System } from './replay.ts';
import { bestBaseline, buildReport, type Report } from './report.ts';
import type { Run } from './run.ts';
import { lead, portion, tableText } from './table.ts';
import { tablesOf } from './tables.ts';
import { type Tuning, tune } from './tuning.ts';
import { SETTINGS } from './tuning-grid.ts';
import { playSettings } from './tuning-play.ts';
import { mainFigures } from './tuning-table.ts';

const RULES: RuleCounts = {};
const OURS = guardSystem('unrut', recommended, RULES);

function main(args: readonly string[]): void {
  const options = readArguments(args);
  if (options.help) console.log(HELP);
  else bench(options);
}

function bench(options: ReturnType<typeof readArguments>): void {
  const systems = chosen([OURS, ...peers.map(peerSystem)], options.only);
  const base = options.diff === undefined ? undefined : readReport(options.diff);
  const runs = readCorpus(options.corpus);
  const ours = systems.find((system) => system === OURS);
  const resamples = options.fast ? 200 : 1000;
  const tuning = ours && !options.fast ? tuneOurs(runs, resamples) : null;
  const report = buildReport(runs, play(runs, systems, ours, !options.fast), resamples, tuning);
  if (ours) report.rules = RULES;

  console.log(
    `${corpusText(report)}\nIn brackets: 95 % of ${report.resamples} resamples of the runs.\n`,
  );
  for (const table of [...mainFigures(report), ...tablesOf(report)]) console.log(tableText(table));
  for (const line of inShort(report)) console.log(line);
  if (options.show) {
    const shown = new Set(
      options.only.length === 0 ? [OURS.name] : systems.map(({ name }) => name),
    );
    for (const { title, lines } of listingsOf(report, shown))
      console.log([`\n${title} (${lines.length})`, ...lines].join('\n'));
  }
  if (base) {
    console.log(`\n${tableText(diffTable(base, report))}`);
    console.log(diffText(diffReports(base, report)));
    console.log(ruleDiffText(base.rules, report.rules));
  }
  write(options.json, `${JSON.stringify(report)}\n`);
  write(options.html, page(report));
  console.log(`\nWritten: ${options.json}, ${options.html}`);
}

function tuneOurs(runs: readonly Run[], resamples: number): Tuning {
  const tallies = playSettings(runs, SETTINGS);
  return tune(
    runs,
    SETTINGS.map((setting, i) => ({ setting, tallies: tallies[i]! })),
    resamples,
  );
}

function chosen(systems: readonly System[], only: readonly string[]): readonly System[] {
  if (only.length === 0) return systems;
  const some = systems.filter(({ name }) =>
    only.some((part) => name.toLowerCase().includes(part.toLowerCase())),
  );
  if (some.length > 0) return some;
  throw new UnrutError(
    'usage',
    `No system is called ${only.join(' or ')}. There are ${systems.map(({ name }) => name).join(', ')}.`,
  );
}

function inShort(report: Report): string[] {
  return (['spans', 'verdicts'] as const).flatMap((labels) => {
    const best = bestBaseline(report, labels);
    const where = labels === 'spans' ? 'marked loops' : 'whole runs';
    return best
      ? [
          `Best baseline on ${where}: ${best.name}, F1 ${portion(best.f1)}. Ours leads by ${lead(best.ahead)}, pair by pair.`,
        ]
      : [];
  });
}

function readReport(file: string): Report {
  let report: Partial<Report> | null;
  try {
    report = JSON.parse(readFileSync(file, 'utf8')) as Partial<Report> | null;
  } catch (error) {
    throw new UnrutError(
      'unreadable',
      `Cannot read ${file}: ${(error as Error).message}. Expected a report that this bench wrote.`,
    );
  }
  if (report?.version === 1 && report.alarms && report.runs && report.systems)
    return report as Report;
  throw new UnrutError(
    'unreadable',
    `${file} is no report of this bench: expected version 1 with runs, systems and alarms.`,
  );
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

await runCommand(main);
