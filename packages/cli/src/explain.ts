import { loadSettings } from '@unrut/ledger/config/load-settings';
import type { Settings } from '@unrut/ledger/config/settings';
import { addressOf, ledgerName } from '@unrut/ledger/open-ledger';
import { sessionNamed } from '@unrut/ledger/views/find-session';
import { readLedger } from '@unrut/ledger/views/read-ledger';
import { callText, explainCall } from '@unrut/logs/explain/explain-call';
import { explainRun } from '@unrut/logs/explain/explain-run';
import { explainStep } from '@unrut/logs/explain/explain-step';
import { readLedgerRun } from '@unrut/logs/explain/read-ledger-run';
import { type ExplainedRun, readRun } from '@unrut/logs/explain/read-run';
import { runText } from '@unrut/logs/explain/run-text';
import { explainedStepText } from '@unrut/logs/explain/step-text';
import { importerNamed } from '@unrut/logs/scan/import-file';
import { pathShown } from '@unrut/logs/scan/path-shown';
import { findRun } from '@unrut/tasks/run/find-run';
import { detectorsOf, roadmapGuard, runGuard } from '@unrut/tasks/run/run-guard';
import type { RunState } from '@unrut/tasks/run/run-state';
import { loadRunState } from '@unrut/tasks/run/run-store';
import { detectorOption, flagOption, optionLines, textOption, wholeNumber } from './arguments.ts';
import { defineCommand } from './command.ts';
import { EXIT, usageError } from './exit.ts';
import { DRIVERS } from './ledger-drivers.ts';
import { printJson, printLines } from './printed.ts';
import { readRunArguments, runSettings } from './run-arguments.ts';
import { standardOutput } from './width.ts';

const OPTIONS = {
  step: textOption('N', 'explain this step of the run, numbered as in unrut scan'),
  run: textOption(
    'ID',
    'the run to explain, by id or number, if the file holds several. Without a file: a run in the ledger, by the start\nof its name (default: the latest run of this folder)',
  ),
  detector: {
    type: 'string',
    multiple: true,
    what: 'NAME',
    help: 'only this detector (repeatable)',
  },
  format: textOption('NAME', 'read the file as this format'),
  call: {
    type: 'string',
    multiple: true,
    what: 'CALL',
    help: `show how detectors see a call: tool, verb, target, key (repeatable). Example: --call 'Bash {"command":"cd src && ls"}'`,
  },
  json: flagOption('print everything as one JSON object'),
} as const;

const HELP = `unrut explain [options] <file>
unrut explain [options] --run [ID]
unrut explain --call 'TOOL JSON'

Explain why something in a recorded run was called a loop, or was not: which steps were equal, what was masked as noise, what counted as
progress, and how the result changes with each threshold one higher and one lower, and without the detectors that fired. The run is replayed
to find out. Without a file, explain a run of unrut run from the ledger: the signature of its outputs, how generic that is, and what would
have distinguished them.

${optionLines(OPTIONS)}

Exit codes: 0 explained, 2 the file or the run could not be read, 64 usage error.`;

/** Of a run in the ledger. */
const HOW_TO_SET =
  'Steps are the iterations of the run, or the attempts at its tasks, numbered as in unrut show. `unrut run --loop-threshold N` sets output-signature.threshold, similar-output.matches (one less) and the number of attempts that count as a task loop; other options go under detectors in unrut.config.json.';

const command = defineCommand(
  { name: 'explain', help: HELP, options: OPTIONS },
  async ({ values, operands }) => {
    const [file, ...more] = operands;
    if (values.call) {
      if (file !== undefined || values.run !== undefined || values.step !== undefined)
        throw usageError(
          '--call cannot be combined with a file, --run or --step. See unrut explain --help.',
        );
      const { tools } = settingsHere().guard;
      const calls = values.call.map((call) => explainCall(call, tools));
      if (values.json) printJson<'explain-call'>({ version: 1, calls });
      else printLines(callText(calls, standardOutput()));
      return EXIT.ok;
    }
    if (more.length > 0 || (file === undefined && values.run === undefined))
      throw usageError(
        `explain takes one file, or --run for a run in the ledger; got ${operands.length} files. See unrut explain --help.`,
      );
    const step = values.step === undefined ? undefined : wholeNumber('step', values.step, 0);
    const detectors = values.detector?.map(detectorOption);
    const format = values.format === undefined ? undefined : importerNamed(values.format).name;
    const run =
      file === undefined
        ? await runInLedger(values.run!)
        : await readRun(file, { id: values.run || undefined, format });
    const howToSet = file === undefined ? HOW_TO_SET : undefined;
    const text = { ...standardOutput(), howToSet };
    if (step === undefined) {
      const explained = explainRun(run, detectors);
      if (values.json) printJson<'explain'>(explained);
      else printLines(runText(explained, text));
    } else {
      const explained = explainStep(run, step, detectors);
      if (values.json) printJson<'explain-step'>(explained);
      else printLines(explainedStepText(explained, text));
    }
    return EXIT.ok;
  },
);

/** `unrut explain`. */
export const explain = Object.assign(
  (args: readonly string[]): Promise<number> => command(args.map(asOption)),
  { options: command.options },
);

/** `--run` without a name says so. */
const asOption = (arg: string, i: number, args: readonly string[]): string =>
  arg === '--run' && (args[i + 1] ?? '-').startsWith('-') ? '--run=' : arg;

const settingsHere = (): Settings => loadSettings().settings;

/**
 * A run of the ledger, the latest of this folder unless one is named, with the options that it was
 * run with.
 */
async function runInLedger(given: string): Promise<ExplainedRun> {
  const settings = settingsHere();
  const address = addressOf(settings.ledger);
  return readLedger(address, DRIVERS, async (ledger, reports) => {
    const session =
      given === ''
        ? (await findRun(ledger, { folder: process.cwd() })).run
        : await sessionNamed(reports, given);
    const run = await readLedgerRun(ledger, session);
    return {
      ...run,
      file: pathShown(ledgerName(address)),
      detectors: inForceFor(await loadRunState(ledger, run.id), settings),
    };
  });
}

/**
 * The detectors of a run, with their options; if it did not store them, those of the current
 * settings.
 */
function inForceFor(
  state: RunState | undefined,
  { guard, shadow }: Settings,
): NonNullable<ExplainedRun['detectors']> {
  if (state?.detectors) return state.detectors;
  if (!state) return detectorsOf(guard);
  const given = readRunArguments(state.args);
  const { loopThreshold } = runSettings(given, shadow);
  if (state.kind === 'roadmap') return detectorsOf(roadmapGuard(guard, loopThreshold));
  const isGiven = given.values['loop-threshold'] !== undefined;
  return detectorsOf(runGuard(guard, isGiven ? loopThreshold : undefined));
}
