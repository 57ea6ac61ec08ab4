import { explainRun } from '../explain/explain-run.ts';
import { explainStep } from '../explain/explain-step.ts';
import { readRun } from '../explain/read-run.ts';
import { runText } from '../explain/run-text.ts';
import { stepText } from '../explain/step-text.ts';
import { paintFor } from '../report/paint.ts';
import { importerNamed } from '../scan/import-file.ts';
import { detectorOption, readArguments, wholeNumber } from './arguments.ts';
import { EXIT, usageError } from './exit.ts';
import { widthOf } from './width.ts';

const HELP = `unrut explain [options] <file>

Says why something in a recorded run was called a loop, or was not: which steps were equal, what was masked as noise, what counted as
progress, and which option would change the verdict. That is tried by playing the run again, not guessed.

Options
  --step N          explain this step of the run, as a scan numbers them
  --run ID          the run, where a file holds several; its number will do
  --detector NAME   only what this detector sees; may be given several times
  --format NAME     read the file as this format
  --json            print everything as one JSON object instead of text
  --help

Exit codes: 0 explained, 2 the file could not be read, 64 wrong usage.`;

const OPTIONS = {
  step: { type: 'string' },
  run: { type: 'string' },
  detector: { type: 'string', multiple: true },
  format: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** `unrut explain`. Returns the exit code. */
export async function explain(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments('explain', args, OPTIONS);
  if (values.help) {
    console.log(HELP);
    return EXIT.ok;
  }
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw usageError(`explain takes one file, got ${positionals.length}. See unrut explain --help.`);
  const step = values.step === undefined ? undefined : wholeNumber('step', values.step, 0);
  const detectors = values.detector?.map(detectorOption);
  const run = await readRun(file, { id: values.run, format: values.format === undefined ? undefined : importerNamed(values.format).name });
  const text = { paint: paintFor(process.stdout), width: widthOf(process.stdout, process.env) };
  if (step === undefined) {
    const explained = explainRun(run, detectors);
    print(values.json, explained, () => runText(explained, text));
  } else {
    const explained = explainStep(run, step, detectors);
    print(values.json, explained, () => stepText(explained, text));
  }
  return EXIT.ok;
}

function print(isJson: boolean, explained: object, text: () => string[]): void {
  if (isJson) console.log(JSON.stringify(explained));
  else for (const line of text()) console.log(line);
}
