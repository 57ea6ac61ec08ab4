import { RUNGS, type Rung } from '@unrut/engine/event';
import { printable } from '@unrut/engine/text/printable';
import { csvOf } from './csv.ts';
import {
  counted,
  gateFigure,
  knownLoops,
  number,
  percent,
  share,
  summary,
  wastedCost,
} from './figures.ts';
import { tellingGroups } from './groups.ts';
import { DEEDS } from './rung-words.ts';
import { explainCommand, middleCut, runTitle } from './scan-names.ts';
import {
  type ComparedLoop,
  type Comparison,
  deedsAt,
  type Group,
  type Groups,
  isCounted,
  type Rate,
  type ScannedLoop,
  type ScanReport,
  type Trajectory,
} from './scan-report.ts';
import { suggestionMarkdown } from './suggestion-text.ts';
import { table } from './table.ts';

interface Found {
  run: Trajectory;
  loop: ScannedLoop;
}

/** The loops of a report, most waste first. */
const loopsIn = ({ trajectories }: ScanReport): Found[] =>
  trajectories
    .flatMap((run) => run.loops.filter(({ advice }) => !advice).map((loop) => ({ run, loop })))
    .sort((one, other) => other.loop.wastedSteps - one.loop.wastedSteps);

const MAX_SHOWN = 10;
const MAX_NAME = 60;

/** Escapes text for a Markdown table or sentence. */
function cell(text: string): string {
  const parts = printable(text).split('`');
  const plain = (part: string): string => part.replace(/[\\`*_[\]<>|]/g, '\\$&');
  return parts.length % 2 === 0
    ? plain(parts.join('`'))
    : parts
        .map((part, i) => (i % 2 === 0 ? plain(part) : `\`${part.replaceAll('|', '\\|')}\``))
        .join('');
}
const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
const markdownTable = (
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string[] => [row(head), row(head.map(() => '---')), ...rows.map(row)];

/** A summary for a pull request: loops, their cost and their causes. */
export function scanMarkdown(report: ScanReport): string {
  const loops = loopsIn(report);
  const { totals, gates = [], groups, problems } = report;
  const lines = ['## Unrut scan', '', cell(summary(totals))];
  for (const line of knownLoops(totals)) lines.push('', line);
  if (gates.length > 0)
    lines.push(
      '',
      ...markdownTable(
        ['limit', 'found', 'allowed', ''],
        gates.map(({ name, value, limit, passed }) => [
          cell(name),
          gateFigure(name, value),
          gateFigure(name, limit),
          passed ? 'passed' : '**failed**',
        ]),
      ),
    );
  if (loops.length > 0) {
    const rows = loops
      .slice(0, MAX_SHOWN)
      .map(({ run, loop }) => [
        cell(middleCut(runTitle(run), MAX_NAME)),
        cell(`${loop.text}`),
        `${loop.start} to ${loop.end}`,
        costOf(loop),
        `\`${loop.id}\``,
      ]);
    lines.push('', ...markdownTable(['run', 'what repeats', 'steps', 'wasted', 'id'], rows));
    if (loops.length > MAX_SHOWN)
      lines.push('', `${counted(loops.length - MAX_SHOWN, 'more loop')} not shown.`);
    const [worst] = loops;
    lines.push(
      '',
      `Why is the first one a loop? \`${explainCommand(worst!.run, worst!.loop).replaceAll('`', "'")}\``,
    );
  }
  lines.push(...suggestionMarkdown(report.suggestions ?? []));
  if (groups) lines.push(...groupTables(groups));
  const unread = problems.filter(({ fatal }) => fatal);
  if (unread.length > 0) {
    lines.push(
      '',
      `<details><summary>${counted(unread.length, 'line')} about what was not read</summary>`,
      '',
    );
    lines.push(
      ...unread
        .slice(0, 100)
        .map(({ file, message }) => `- ${cell(middleCut(file, 100))}: ${cell(message)}`),
      '',
      '</details>',
    );
  }
  return `${lines.join('\n')}\n`;
}

function groupTables(groups: Groups): string[] {
  return tellingGroups(groups).flatMap(([by, wasteful]) => {
    const rows = wasteful.slice(0, MAX_SHOWN);
    const isOfRuns = by === 'model' || by === 'repository';
    const cells = (group: Group): (string | number)[] => [
      cell(middleCut(group.name, MAX_NAME)),
      ...(isOfRuns ? [`${group.looping} of ${group.runs}`] : []),
      group.loops,
      group.wastedSteps,
    ];
    return [
      '',
      ...markdownTable(
        [`by ${by}`, ...(isOfRuns ? ['runs that loop'] : []), 'loops', 'wasted steps'],
        rows.map(cells),
      ),
    ];
  });
}

const costOf = (loop: ScannedLoop): string =>
  [counted(loop.wastedSteps, 'step'), ...wastedCost(loop)].join(', ');

const xml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/g, ' ')
    .replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/**
 * One test case per run. It fails if the run has a loop that counts; other loops are output. Unread
 * files are errors.
 */
export function scanJunit(report: ScanReport, failOn?: Rung): string {
  const failing = report.trajectories.filter((run) =>
    run.loops.some((loop) => isCounted(loop, failOn)),
  ).length;
  const unread = report.problems.filter(({ fatal }) => fatal);
  const cases = report.trajectories.map((run) => {
    const loops = run.loops.filter(({ advice }) => !advice);
    const seconds =
      run.from !== undefined && run.to !== undefined
        ? ` time="${((run.to - run.from) / 1000).toFixed(3)}"`
        : '';
    const failures = loops
      .filter((loop) => isCounted(loop, failOn))
      .map(
        (loop) =>
          `      <failure type="${xml(loop.detector)}" message="${xml(`steps ${loop.start} to ${loop.end}: ${loop.text}`)}">${xml(details({ run, loop }).join('\n'))}</failure>`,
      );
    const others = loops
      .filter((loop) => !isCounted(loop, failOn))
      .map((loop) => details({ run, loop }).join('\n'));
    if (others.length > 0)
      failures.push(`      <system-out>${xml(others.join('\n\n'))}</system-out>`);
    // Two files may hold runs with equal names, which readers would merge into one test case.
    const open = `    <testcase classname="${xml(run.file)}" name="${xml(run.id)}"${seconds}`;
    return failures.length === 0
      ? `${open}/>`
      : [`${open}>`, ...failures, '    </testcase>'].join('\n');
  });
  const errors = unread.map(
    ({ file, message }) =>
      `    <testcase classname="unread" name="${xml(file)}">\n      <error message="${xml(message)}"/>\n    </testcase>`,
  );
  const counts = `tests="${cases.length + errors.length}" failures="${failing}" errors="${errors.length}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="unrut scan" ${counts}>`,
    ...cases,
    ...errors,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

/** A loop in a few lines: place, reason, steps, and Unrut's actual or possible action. */
function details({ run, loop }: Found): string[] {
  return [
    `${run.file}, run ${run.id}, steps ${loop.start} to ${loop.end}: ${costOf(loop)} wasted`,
    loop.text,
    ...loop.repeats.map(
      ({ step, what, brought }) => `  ${step}  ${what}${brought === '' ? '' : `  ${brought}`}`,
    ),
    ...deedsOf(run, loop),
    explainCommand(run, loop),
  ].map(printable);
}

/** The first action that Unrut took or would have taken. */
function deedsOf(run: Trajectory, loop: ScannedLoop): string[] {
  const [did] = deedsAt(run, loop);
  const deed = did ?? loop.plans[0];
  if (!deed) return [];
  return [`Unrut ${did ? 'has' : 'would have'} ${DEEDS[deed.rung].done} at step ${deed.step}.`];
}

/** Relative paths stay relative: the viewer knows the repository's location. */
function uriOf(file: string): string {
  if (file === '-') return 'stdin';
  const path = file.replaceAll('\\', '/');
  const [root = ''] = /^(?:\/|[A-Za-z]:\/)/.exec(path) ?? [];
  const names = path.slice(root.length).split('/').map(encodeURIComponent).join('/');
  return root === '' ? names : `file:///${root.replace(/^\//, '')}${names}`;
}

/** SARIF 2.1.0, for code scanning: one rule per detector, one result per loop. */
export function scanSarif(report: ScanReport, version: string): string {
  const { totals } = report;
  const loops = loopsIn(report);
  const rules = [...new Set(loops.map(({ loop }) => loop.detector))].sort();
  const results = loops.map(({ run, loop }) => ({
    ruleId: loop.detector,
    ruleIndex: rules.indexOf(loop.detector),
    level: RUNGS.indexOf(loop.rung) >= RUNGS.indexOf('block') ? 'error' : 'warning',
    message: {
      text: `${loop.text} (${costOf(loop)} wasted, steps ${loop.start} to ${loop.end} of run ${run.id}). ${explainCommand(run, loop)}`,
    },
    locations: [
      {
        // Steps are not lines, but viewers require a line.
        physicalLocation: { artifactLocation: { uri: uriOf(run.file) }, region: { startLine: 1 } },
        logicalLocations: [
          { name: `step ${loop.start}`, fullyQualifiedName: `${run.id}#${loop.start}` },
        ],
      },
    ],
    partialFingerprints: { 'unrutLoop/v1': loop.id },
    properties: {
      wastedSteps: loop.wastedSteps,
      count: loop.count,
      strength: loop.strength,
      rung: loop.rung,
    },
  }));
  const notifications = report.problems.map(({ file, message, fatal }) => ({
    level: fatal ? 'error' : 'note',
    message: { text: message },
    locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(file) } } }],
  }));
  const driver = {
    name: 'unrut',
    version,
    rules: rules.map((id) => ({
      id,
      shortDescription: { text: `Agent loop: ${id}` },
      fullDescription: {
        text: `The agent repeated itself without new information, as the detector ${id} sees it.`,
      },
      help: {
        text: `Run the command at the end of a result: it says why this is a loop, and which setting would change that. To switch the detector off, put "detectors": { "${id}": false } into unrut.config.json.`,
      },
    })),
  };
  const run = {
    tool: { driver },
    columnKind: 'utf16CodeUnits',
    invocations: [
      {
        executionSuccessful: totals.files === 0 || totals.unread < totals.files,
        toolExecutionNotifications: notifications,
      },
    ],
    results,
  };
  return `${JSON.stringify({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }, null, 2)}\n`;
}

const COLUMNS: Readonly<Record<string, (found: Found) => string | number | undefined>> = {
  id: ({ loop }) => loop.id,
  run: ({ run }) => run.id,
  file: ({ run }) => run.file,
  format: ({ run }) => run.format,
  model: ({ run }) => run.model,
  repository: ({ run }) => run.repository,
  detector: ({ loop }) => loop.detector,
  variant: ({ loop }) => loop.variant,
  rung: ({ loop }) => loop.rung,
  start: ({ loop }) => loop.start,
  end: ({ loop }) => loop.end,
  count: ({ loop }) => loop.count,
  strength: ({ loop }) => loop.strength,
  wasted_steps: ({ loop }) => loop.wastedSteps,
  wasted_tokens: ({ loop }) => loop.wastedTokens,
  wasted_usd: ({ loop }) => loop.wastedUsd,
  text: ({ loop }) => loop.text,
};

/** A line for each loop. */
export const scanCsv = (report: ScanReport): string =>
  csvOf(
    Object.keys(COLUMNS),
    loopsIn(report).map((found) => Object.values(COLUMNS).map((of) => of(found))),
  );

const rateText = ({ value, low, high }: Rate): string =>
  `${percent(value)} (${percent(low)} to ${percent(high)})`;
const points = (value: number): string => `${value > 0 ? '+' : ''}${Math.round(value * 1000) / 10}`;
const differenceText = ({ value, low, high }: Rate): string =>
  `${points(value)} points (${points(low)} to ${points(high)}): ${low > 0 ? 'more' : high < 0 ? 'less' : 'chance alone may explain it'}`;

/** The common and the different loops of two sets of runs, as terminal text or Markdown. */
export function compareText(
  { before, after, looping, wasted, appeared, gone, stayed }: Comparison,
  isMarkdown: boolean,
): string[] {
  const rows: [string, string, string, string][] = [
    ['runs', number(before.trajectories), number(after.trajectories), ''],
    [
      'runs that loop',
      rateText(looping.before),
      rateText(looping.after),
      differenceText(looping.difference),
    ],
    [
      'wasted steps',
      rateText(wasted.before),
      rateText(wasted.after),
      differenceText(wasted.difference),
    ],
  ];
  const list = (title: string, loops: readonly ComparedLoop[]): string[] => {
    const lines = loops
      .toSorted((one, other) => other.wastedSteps - one.wastedSteps)
      .slice(0, MAX_SHOWN)
      .map(
        ({ detector, run, start, end, text, wastedSteps }) =>
          `${detector} in ${printable(middleCut(run, MAX_NAME))}, steps ${start} to ${end}: ${printable(text)} (${counted(wastedSteps, 'step')} wasted)`,
      );
    if (loops.length > MAX_SHOWN) lines.push(`and ${number(loops.length - MAX_SHOWN)} more`);
    return [
      '',
      `${isMarkdown ? '### ' : ''}${title}: ${counted(loops.length, 'loop')}`,
      ...(isMarkdown && lines.length > 0 ? [''] : []),
      ...lines.map((line) => (isMarkdown ? `- ${cell(line)}` : `  ${line}`)),
    ];
  };
  const names = ['', 'before', 'after', 'difference'];
  const shown = isMarkdown
    ? ['## Unrut scan: before and after', '', ...markdownTable(names, rows)]
    : table(names, rows);
  return [
    ...shown,
    '',
    'Intervals of 95%.',
    ...list('New', appeared),
    ...list('Gone', gone),
    '',
    `In both: ${counted(stayed, 'loop')}`,
  ];
}

/** The title and the text of an issue about a loop. */
export function issueText({ run, loop }: Found): string {
  const [first, ...rest] = details({ run, loop });
  return [
    `Agent loop: ${printable(loop.text)}`,
    '',
    first,
    '',
    '```',
    ...rest,
    '```',
    '',
    `Loop ${loop.id}, found by ${loop.detector} (${loop.variant}), ${share(run.wastedSteps, run.steps)} of the run wasted.`,
  ].join('\n');
}
