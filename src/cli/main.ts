#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { UnrutError } from '../errors.ts';
import { printable } from '../report/printable.ts';
import { whyOf } from '../scan/reason.ts';
import { work } from '../scan/worker.ts';
import { EXIT, usageError } from './exit.ts';
import { explain } from './explain.ts';
import { replay } from './replay.ts';
import { scan } from './scan.ts';

/** Put in by the build; in development package.json is read. */
declare const UNRUT_VERSION: string | undefined;

const HELP = `unrut: notices when an AI agent is going round in circles

Usage
  unrut scan [path…]          find the loops in recorded runs of agents, and what they cost
  unrut explain <file>        why something in a run was called a loop, or was not
  unrut replay <file.jsonl>   show, step by step, what the guard sees in a run recorded as events, and what it would do
  unrut --version
  unrut <command> --help

Exit codes: 0 nothing loops, 1 something loops, 2 something could not be read, 64 wrong usage.`;

function version(): string {
  if (typeof UNRUT_VERSION === 'string') return UNRUT_VERSION;
  return (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version;
}

async function main(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  switch (command) {
    case 'scan':
      return scan(rest, { worker: new URL(import.meta.url) });
    case 'explain':
      return explain(rest);
    case 'replay':
      return replay(rest);
    case '--version':
    case '-v':
      console.log(version());
      return EXIT.ok;
    case undefined:
    case '--help':
    case '-h':
    case 'help':
      console.log(HELP);
      return EXIT.ok;
    default:
      throw usageError(`There is no command ${command}. Commands: scan, explain, replay. See unrut --help.`);
  }
}

async function run(): Promise<void> {
  // A reader such as `head` that has seen enough is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.unreadable);
  });
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    // Names of files may hold anything.
    console.error(printable(error instanceof UnrutError ? error.message : `[unrut] It cannot go on: ${whyOf(error)}.`));
    process.exitCode = error instanceof UnrutError && error.code === 'usage' ? EXIT.usage : EXIT.unreadable;
  }
}

// A thread of a scan runs this very file, so that the bundle stays one.
if (isMainThread) await run();
else work();
