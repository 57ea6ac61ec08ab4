import { entryText } from '../report/entry-text.ts';
import { watchScreen } from '../report/watch-screen.ts';
import { noColours, paintFor } from '../text/paint.ts';
import { followLedger } from '../views/follow-ledger.ts';
import { ledgerChanges } from '../views/ledger-changes.ts';
import { readLedger } from '../views/read-ledger.ts';
import type { Watched } from '../views/watched-sessions.ts';
import { createWatch } from '../views/watched-sessions.ts';
import { readArguments } from './arguments.ts';
import { effectiveLedger, nothingYet } from './effective-ledger.ts';
import { EXIT, usageError } from './exit.ts';
import { openTerminalScreen } from './terminal-screen.ts';
import { untilStopped } from './until-stopped.ts';

const HELP = `unrut watch

Watch agents live: sessions active in the last half hour, their steps, what was detected, what was planned and the outcomes. Redraws in
place on a terminal; otherwise prints one line per new entry. Press q or Ctrl-C to quit.

Options
  --help

Exit codes: 0 quit, 2 the ledger could not be read, 64 usage error.`;

const OPTIONS = { help: { type: 'boolean', short: 'h', default: false } } as const;

/** `unrut watch`. Returns the exit code. */
export async function watchCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments('watch', args, OPTIONS);
  if (values.help) {
    console.log(HELP);
    return EXIT.ok;
  }
  if (positionals.length > 0) throw usageError(`watch takes no operand, got ${positionals[0]}. See unrut watch --help.`);
  const path = effectiveLedger();
  if (process.stdout.isTTY) await drawChanges(path);
  else await printChanges(path);
  return EXIT.ok;
}

/** How often the screen is redrawn so that its times stay current, in milliseconds. */
const TICK = 1000;

async function drawChanges(path: string): Promise<void> {
  const stop = new AbortController();
  const look = createWatch();
  const { stdin, stdout } = process;
  const paint = paintFor(stdout);
  let watched: Watched = { sessions: [], latest: [], names: new Map() };
  const screen = openTerminalScreen(stdout, stdin, () => stop.abort());
  const draw = (): void =>
    screen.draw(watchScreen(watched, { paint, width: stdout.columns || 80, height: stdout.rows || 24, now: Date.now() }));
  const ticking = setInterval(draw, TICK);
  stdout.on('resize', draw);
  try {
    for await (const _ of ledgerChanges(path, untilStopped(stop))) {
      watched = await readLedger(path, (ledger) => look(ledger, Date.now()));
      draw();
    }
  } finally {
    clearInterval(ticking);
    stdout.off('resize', draw);
    screen.close();
  }
}

/** Older entries are for `unrut log`. */
async function printChanges(path: string): Promise<void> {
  const isNew = await readLedger(path, async (ledger) => (await ledger.sessions()).length === 0);
  if (isNew) console.log(nothingYet(path));
  const query = { since: Date.now() };
  for await (const entries of followLedger(path, query, untilStopped())) {
    for (const entry of entries)
      console.log(entryText(entry, { paint: noColours, width: Number.POSITIVE_INFINITY, name: entry.session.slice(0, 8) }));
  }
}
