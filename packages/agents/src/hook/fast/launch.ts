import { mkdirSync } from 'node:fs';
import { createRequire, enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { SECRETS_OF_HOOKS, secretsInFiles } from '@unrut/ledger/config/secret-files';
import { ledgerPath } from '@unrut/ledger/sqlite/ledger-path';
import { calledWith, type HookResponse, requestOf } from '../hook-request.ts';
import { noteMissed, noteNoPayload } from '../missed.ts';
import { keepForLater } from '../pending.ts';
import { printAnswer } from '../print.ts';
import type { HookProgram } from '../program.ts';
import { FOR_INPUT, leave, readStandardInput } from '../read-standard-input.ts';
import { askCompanion, isOurs, isPrivate } from './ask-companion.ts';
import { takeTurn } from './turn.ts';

/** Replaced by the build: the version of the program next to this file. */
declare const UNRUT_HOOK: string;

// The program that agents start at each hook: it asks the companion, and loads the main program
// only if there is none.

// Agents treat any other exit code as an error, and some as a block.
process.on('uncaughtException', () => process.exit(0));

const ledger = ledgerPath({ home: homedir(), variables: process.env, platform: process.platform });
const folder = dirname(ledger);
const companion = join(folder, `hook-${UNRUT_HOOK}-${process.version}.socket`);

void main()
  .catch(() => 0)
  // Exits without closing the ledger: closing would take longer than the hook, and is not
  // necessary.
  .then((code) => process.exit(code));

/**
 * Milliseconds from the start of the process after which answering is pointless; agents wait for
 * ten seconds.
 */
const PATIENCE = 5000;
const PAUSE = 20;

async function main(): Promise<number> {
  const launched = { companion, launcher: __filename };
  if (process.argv.includes('--companion')) {
    await program().stay(launched);
    return 0;
  }
  if (process.argv.includes('--statusline')) return program().statusLine();
  if (process.env.UNRUT_SERVER || !readSecrets()) return program().answerHere(launched);
  if (!isOurs(companion) && takeTurn(folder)) return program().answerHere(launched);
  const input = await readStandardInput(FOR_INPUT);
  if (input === undefined) {
    noteNoPayload(ledger);
    return leave();
  }
  const request = requestOf(input, calledWith(process.argv.slice(2)));
  for (let isLeftToUs = false; ; await pause()) {
    if (!isLeftToUs && isOurs(companion)) {
      const answer = await askCompanion(companion, request);
      if (answer) return say(answer);
      isLeftToUs = isOurs(companion);
    }
    if (takeTurn(folder)) return program().answerHere({ ...launched, input });
    if (performance.now() < PATIENCE) continue;
    if (!keepForLater(folder, request)) noteMissed(ledger, 'too many hooks came at once.');
    return 0;
  }
}

/** False if a file cannot be read; the main program then reports it. */
function readSecrets(): boolean {
  try {
    Object.assign(process.env, secretsInFiles(process.env, SECRETS_OF_HOOKS));
    return true;
  } catch {
    return false;
  }
}

function say(answer: HookResponse): number {
  printAnswer(answer);
  if (answer.tell) program().tell(answer);
  return answer.exitCode;
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE));

/** Loads the program with V8's code cache, since most of a short program's time is compilation. */
function program(): HookProgram {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Whoever can write to the cache could make the hook run any code.
    if (!process.getuid || isPrivate(folder)) {
      const cache = join(folder, 'hook-cache');
      mkdirSync(cache, { recursive: true, mode: 0o700 });
      if (!process.getuid || isPrivate(cache)) enableCompileCache(cache);
    }
  } catch {
    // It only takes longer.
  }
  // The cache contains only compiled functions, so all are compiled eagerly.
  setFlagsFromString('--no-lazy');
  try {
    const loaded = createRequire(__filename)(join(__dirname, 'hook-program.cjs'));
    return (loaded as { program: HookProgram }).program;
  } finally {
    setFlagsFromString('--lazy');
  }
}
