#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { UnrutError } from '../errors.ts';
import { EXIT, usageError } from './exit.ts';
import { replay } from './replay.ts';

/** Put in by the build; in development package.json is read. */
declare const UNRUT_VERSION: string | undefined;

const HELP = `unrut: notices when an AI agent is going round in circles

Usage
  unrut replay <file.jsonl>   show, step by step, what the guard sees in a recorded run and what it would do
  unrut --version
  unrut <command> --help

Exit codes: 0 nothing loops, 1 something loops, 2 something could not be read, 64 wrong usage.`;

function version(): string {
  if (typeof UNRUT_VERSION === 'string') return UNRUT_VERSION;
  return (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version;
}

function main(args: readonly string[]): number {
  const [command, ...rest] = args;
  switch (command) {
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
      throw usageError(`There is no command ${command}. Commands: replay. See unrut --help.`);
  }
}

// A reader such as `head` that has seen enough is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.unreadable);
});

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UnrutError)) throw error;
  console.error(error.message);
  process.exitCode = error.code === 'usage' ? EXIT.usage : EXIT.unreadable;
}
