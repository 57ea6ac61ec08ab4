import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { UnrutError } from '@unrut/engine/errors';

export const HELP = `npm run bench:quality -- [options]

Replays labelled runs through the guard and through other projects' rules, and scores both. See docs/measuring.md.

Options
  --corpus DIR    a folder with labels.jsonl and trajectories/, or with such folders in it
  --diff FILE     list every alarm that appeared, vanished or moved since this report was written,
                  and every rule that decided more or less often
  --only NAME     only systems with this in their name; may be given several times
  --show          list every miss and every false alarm (of ours, or of what --only names)
  --fast          no tuning, no ablation, fewer resamples
  --json PATH     where the report goes (default bench/out/quality.json)
  --html PATH     where the page goes (default bench/out/quality.html)
  --help

Exit codes: 0 measured, 2 something could not be read, 64 wrong usage.`;

const usageError = (message: string): UnrutError => new UnrutError('usage', message);
const inProject = (path: string): string =>
  fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Reads the command line. */
export function readArguments(args: readonly string[]) {
  const values = parse(args);
  const corpus = values.corpus ?? inProject('../shared/corpus');
  if (!values.help && !existsSync(corpus)) {
    throw usageError(
      values.corpus === undefined
        ? 'Which runs? Expected --corpus DIR, a folder with labels.jsonl and trajectories/<id>.jsonl; see docs/measuring.md.'
        : `There is no folder ${corpus}. Expected one with labels.jsonl and trajectories/<id>.jsonl; see docs/measuring.md.`,
    );
  }
  return { ...values, corpus };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        corpus: { type: 'string' },
        diff: { type: 'string' },
        only: { type: 'string', multiple: true, default: [] },
        show: { type: 'boolean', default: false },
        fast: { type: 'boolean', default: false },
        json: { type: 'string', default: inProject('bench/out/quality.json') },
        html: { type: 'string', default: inProject('bench/out/quality.html') },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    throw usageError(
      `${(error as Error).message.split('\n', 1)[0]} See npm run bench:quality -- --help.`,
    );
  }
}
