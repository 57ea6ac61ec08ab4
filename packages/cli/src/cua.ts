import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ablate, ablationTable } from '@unrut/computer-use/ablate';
import { describeAction } from '@unrut/computer-use/action';
import { type RunTaskOptions, runTask } from '@unrut/computer-use/run-task';
import { PERMISSIONS, SWITCHES, type Switch, switchProblems } from '@unrut/computer-use/switches';
import { readTask, type Task } from '@unrut/computer-use/task';
import {
  countsText,
  type ScreenRunResult,
  type TrajectoryStep,
} from '@unrut/computer-use/trajectory';
import { UnrutError } from '@unrut/engine/errors';
import { errorReason } from '@unrut/engine/redact/reason';
import { printable } from '@unrut/engine/text/printable';
import { loadSettings } from '@unrut/ledger/config/load-settings';
import type { Ledger } from '@unrut/ledger/ledger';
import { addressOf, openLedger } from '@unrut/ledger/open-ledger';
import { parse } from 'yaml';
import { flagOption, optionLines, textOption, wholeNumber } from './arguments.ts';
import { defineCommand } from './command.ts';
import { complain, EXIT, usageError } from './exit.ts';
import { DRIVERS } from './ledger-drivers.ts';
import { printJson } from './printed.ts';
import { untilStopped } from './until-stopped.ts';

const OPTIONS = {
  out: textOption(
    'DIR',
    'write the trajectory here: JSON, screenshots and an index.html that holds all (default unrut-run)',
    'unrut-run',
  ),
  off: textOption(
    'NAMES',
    `turn off ${SWITCHES.slice(0, 4).join(', ')}, …; separate names with commas`,
  ),
  allow: textOption(
    'NAMES',
    `allow ${PERMISSIONS.slice(0, 3).join(', ')}, …, beside what the task file allows; separate names with commas`,
  ),
  ablate: flagOption(
    'run with --off (default loop-recovery) allowed and on, then with it turned off, and print a comparison',
  ),
  pairs: textOption('N', 'with --ablate: how many pairs of runs (default 1)', '1'),
  'max-steps': textOption('N', 'override maxSteps of the task file'),
  headed: flagOption('show the browser'),
  json: flagOption('print the result as JSON'),
} as const;

const HELP = `unrut cua run [options] <task.yaml>

Run a computer-use task in a browser: a model looks at the screen and proposes actions, and the runner breaks its loops. The task file
needs url, task and brain (kind: anthropic, openai, gemini or scripted; model); plan (values, steps, required, until), maxSteps, off and allow are
optional. Requires playwright-core and fast-png in the project, and a Chromium.

${optionLines(OPTIONS)}

Exit codes: 0 done, 1 looped or not finished, 2 page or model lost, or task file unreadable, 64 usage error.`;

const WELL = new Set<string>(['done', 'env_done']);
const LOST = new Set<string>(['page_lost', 'never_settled', 'cancelled', 'brain_failed']);

/** `unrut cua`. */
export const cua = defineCommand(
  { name: 'cua', help: HELP, options: OPTIONS },
  async ({ values, operands }) => {
    const [verb, file, ...more] = operands;
    if (verb !== 'run' || file === undefined || more.length > 0)
      throw usageError('Expected: unrut cua run <task.yaml>. See unrut cua --help.');
    const pairs = wholeNumber('pairs', values.pairs, 1);
    const off = named('off', SWITCHES, values.off);
    const task = readFile(file);
    task.allow = [...new Set([...task.allow, ...named('allow', PERMISSIONS, values.allow)])];
    if (values['max-steps'] !== undefined)
      task.maxSteps = wholeNumber('max-steps', values['max-steps'], 1);
    const ledger = await ownLedger();
    const options = {
      folder: values.out,
      headed: values.headed,
      signal: untilStopped(),
      ...(ledger ? { ledger, onUnrecorded } : {}),
    };
    try {
      return await ran(task, off, pairs, values, options);
    } finally {
      await ledger?.close();
    }
  },
);

async function ran(
  task: Task,
  off: readonly Switch[],
  pairs: number,
  values: { ablate: boolean; json: boolean; out: string },
  options: RunTaskOptions,
): Promise<number> {
  if (values.ablate) {
    const without: readonly Switch[] = off.length > 0 ? off : ['loop-recovery'];
    const found = await ablate(task, without, pairs, options);
    if (values.json) printJson<'cua-ablate'>(found);
    else console.log(ablationTable(found, without));
    return EXIT.ok;
  }
  const onStep = values.json
    ? undefined
    : (step: TrajectoryStep): void => console.log(printable(stepLine(step)));
  const result = await runTask(task, { ...options, off, ...(onStep ? { onStep } : {}) });
  if (values.json) printJson<'cua'>(result);
  else
    console.log(
      `\n${printable(summary(result))}\n${printable(`View it: ${join(values.out, 'index.html')}`)}`,
    );
  return WELL.has(result.termination_reason)
    ? EXIT.ok
    : LOST.has(result.termination_reason)
      ? EXIT.unreadable
      : EXIT.loops;
}

const onUnrecorded = (why: string): void => complain(`${why} This run is not recorded.`);

/** The run continues unrecorded if there is no ledger. */
async function ownLedger(): Promise<Ledger | undefined> {
  const { settings, problems } = loadSettings();
  [...problems, ...switchProblems(process.env)].forEach(complain);
  const { ledger } = settings;
  try {
    return await openLedger(addressOf(ledger), DRIVERS, ledger);
  } catch (error) {
    onUnrecorded(errorReason(error));
    return undefined;
  }
}

/** The names that an option lists. */
function named<Name extends string>(
  option: string,
  known: readonly Name[],
  given: string | undefined,
): Name[] {
  const names = (given ?? '').split(',').filter((name) => name !== '');
  const wrong = names.find((name) => !known.includes(name as Name));
  if (wrong !== undefined) throw usageError(`--${option} takes ${known.join(', ')}; got ${wrong}.`);
  return names as Name[];
}

function readFile(file: string): Task {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UnrutError(
      'unreadable',
      `Cannot read ${file}: ${(error as NodeJS.ErrnoException).code}. Expected a task in YAML or JSON.`,
    );
  }
  try {
    const given: unknown = parse(text);
    return readTask(
      isPage(given)
        ? { ...given, url: pathToFileURL(resolve(dirname(file), given.url)).href }
        : given,
      process.env,
      (what) => complain(`${file}: ${what}`),
    );
  } catch (error) {
    if (error instanceof UnrutError)
      throw new UnrutError(error.code, `${file}: ${error.message.replace(/^\[unrut\] /, '')}`);
    throw new UnrutError(
      'unreadable',
      `${file} is not valid YAML: ${(error as Error).message.split('\n', 1)[0]}`,
    );
  }
}

/** An address without a scheme is the path of a page, relative to the file. */
const isPage = (given: unknown): given is { url: string } => {
  const url = (given as { url?: unknown } | null)?.url;
  return typeof url === 'string' && !/^[a-z]+:/i.test(url);
};

function stepLine({
  step,
  action,
  proposed_action,
  gate,
  loop_recovery_reason,
  done_rejected_reason,
  loop,
  target,
}: TrajectoryStep): string {
  const on = target?.name ? ` on "${target.name}"` : '';
  const instead = proposed_action
    ? `  (instead of ${describeAction(proposed_action)}; ${loop_recovery_reason || done_rejected_reason || gate})`
    : '';
  return `${String(step).padStart(3)}  ${describeAction(action)}${on}${instead}${loop === 'none' ? '' : `  ▲ ${loop} loop`}`;
}

function summary({
  termination_reason,
  ending,
  steps,
  seconds,
  loop_recoveries_by_reason,
}: ScreenRunResult): string {
  const forced = countsText(loop_recoveries_by_reason);
  return `${termination_reason} after ${steps} steps in ${seconds.toFixed(1)} s. ${ending}${forced === '' ? '' : ` Recovered: ${forced}.`}`;
}
