import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { onTestFinished } from 'vitest';
import type { Place } from './agents/agent.ts';
import { configFolderOf, ledgerOf, programsOf } from './install-unrut.ts';

const hookOf = (place: Place): string => join(programsOf(place), 'hook.cjs');

export type Damages = Readonly<Record<string, (place: Place) => void | Promise<void>>>;

/** What can happen to the hook, and each agent takes in its own way; it must not notice. */
export const HOOK_DAMAGES: Damages = {
  'has been removed': (place) => rmSync(programsOf(place), { recursive: true }),
  // Twice the one, then twice the other: whatever hooks come by turns, each of them meets both.
  'crashes or is killed': (place) =>
    writeFileSync(
      hookOf(place),
      `const { appendFileSync, statSync } = require('node:fs');
appendFileSync(__filename + '.count', '.');
if (statSync(__filename + '.count').size % 4 < 2) throw new Error('It crashed.');
process.kill(process.pid, 'SIGKILL');
`,
    ),
};

/**
 * What else can be wrong with an installed Unrut. No agent sees of it more than a hook that says
 * nothing.
 */
export const ALL_DAMAGES: Damages = {
  ...HOOK_DAMAGES,
  'has a config that cannot be read'(place) {
    mkdirSync(configFolderOf(place), { recursive: true });
    writeFileSync(join(configFolderOf(place), 'unrut.config.json'), '{ "preset": ');
  },
  'has a folder for a ledger': (place) => void mkdirSync(ledgerOf(place), { recursive: true }),
  async 'has a ledger that is read-only'(place) {
    const ledger = ledgerOf(place);
    const folder = dirname(ledger);
    await createSqliteLedger({ path: ledger }).close();
    chmodSync(ledger, 0o444);
    chmodSync(folder, 0o555);
    onTestFinished(() => chmodSync(folder, 0o755));
    // The administrator may write anywhere, so the hook steps down first.
    chmodSync(dirname(place.home), 0o755);
    const hook = readFileSync(hookOf(place), 'utf8');
    writeFileSync(hookOf(place), `if (process.getuid() === 0) process.seteuid(65534);\n${hook}`);
  },
};
