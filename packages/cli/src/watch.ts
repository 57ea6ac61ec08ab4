import { fstatSync } from 'node:fs';
import { errorReason } from '@unrut/engine/redact/reason';
import { printable } from '@unrut/engine/text/printable';
import { loadSettings } from '@unrut/ledger/config/load-settings';
import { type SessionFigures, stateOf } from '@unrut/ledger/figures/session-figures';
import { lastAlarm } from '@unrut/ledger/people/alarm';
import { forgive, forgivenText } from '@unrut/ledger/people/forgive';
import { readSaid } from '@unrut/ledger/people/said';
import { switchOff, switchOn } from '@unrut/ledger/people/switch';
import { entryText } from '@unrut/ledger/report/entry-text';
import { modeText } from '@unrut/ledger/report/sessions-text';
import { watchScreen } from '@unrut/ledger/report/watch-screen';
import { nameAlone } from '@unrut/ledger/reports/session-name';
import { isStalled, type StallLimits, stallText } from '@unrut/ledger/reports/stall';
import { noColours, paintFor } from '@unrut/ledger/text/paint';
import { followLedger } from '@unrut/ledger/views/follow-ledger';
import { ledgerChanges } from '@unrut/ledger/views/ledger-changes';
import { readLedger } from '@unrut/ledger/views/read-ledger';
import type { Watched } from '@unrut/ledger/views/watched-sessions';
import { createWatch } from '@unrut/ledger/views/watched-sessions';
import { defineCommand, NO_OPERANDS } from './command.ts';
import { effectiveLedger, nothingYet } from './effective-ledger.ts';
import { EXIT } from './exit.ts';
import { DRIVERS } from './ledger-drivers.ts';
import { where } from './switch.ts';
import { openTerminalScreen } from './terminal-screen.ts';
import { untilStopped } from './until-stopped.ts';

const HELP = `unrut watch

Watch agents live: sessions active in the last half hour, their steps, what was detected, what was planned and the outcomes. Redraws in
place on a terminal; otherwise prints a line for each session and then one per new entry, until its input ends.

Keys: ↑ and ↓ select a session; d shows details (what the model read, and which detector saw it); o switches Unrut off or on for the
session; f calls its newest alarm false; q or Ctrl-C quits.

Options
  --help

Exit codes: 0 quit, 2 the ledger could not be read, 64 usage error.`;

/** `unrut watch`. */
export const watchCommand = defineCommand(
  { name: 'watch', help: HELP, operands: NO_OPERANDS },
  async () => {
    const path = effectiveLedger();
    if (process.stdout.isTTY) await drawChanges(path);
    else await printChanges(path);
    return EXIT.ok;
  },
);

/** How often the screen is redrawn so that its times stay current, in milliseconds. */
const TICK = 1000;

async function drawChanges(path: string): Promise<void> {
  const stop = new AbortController();
  const look = createWatch();
  const { stdin, stdout } = process;
  const { stall } = loadSettings().settings;
  const paint = paintFor(stdout);
  let watched: Watched = { sessions: [], latest: [], names: new Map() };
  let [selected, details, notice] = [0, false, ''];
  const draw = (): void => {
    selected = Math.max(0, Math.min(selected, watched.sessions.length - 1));
    const size = { width: stdout.columns || 80, height: stdout.rows || 24 };
    screen.draw(
      watchScreen(watched, {
        paint,
        ...size,
        now: Date.now(),
        stall,
        ...(stdin.isTTY ? { selected } : {}),
        details,
        notice,
      }),
    );
  };
  const press = async (key: string): Promise<void> => {
    notice = '';
    if (key === UP) selected--;
    else if (key === DOWN) selected++;
    else if (key === 'd') details = !details;
    else if (key === 'o' || key === 'f') notice = await done(key, path, watched.sessions[selected]);
    draw();
  };
  const screen = openTerminalScreen(
    stdout,
    stdin,
    () => stop.abort(),
    (key) => void press(key),
  );
  const ticking = setInterval(draw, TICK);
  stdout.on('resize', draw);
  try {
    for await (const _ of ledgerChanges(path, untilStopped(stop))) {
      watched = await readLedger(path, DRIVERS, (ledger, reports) =>
        look(ledger, reports, Date.now()),
      );
      draw();
    }
  } finally {
    clearInterval(ticking);
    stdout.off('resize', draw);
    screen.close();
  }
}

const UP = '\u001b[A';
const DOWN = '\u001b[B';

/**
 * Switches the selected session off or on, or calls its newest alarm false. Returns the message to
 * show.
 */
async function done(
  key: 'o' | 'f',
  path: string,
  summary: SessionFigures | undefined,
): Promise<string> {
  if (!summary) return 'There is no session.';
  const { session } = summary;
  const now = Date.now();
  try {
    if (key === 'o') {
      const said = where().path;
      const isOff = readSaid(said, now).off.some((each) => each.session === session);
      if (isOff)
        return switchOn(said, process.cwd(), session, now)
          ? `On again for ${session}.`
          : 'It is off elsewhere: unrut on in its folder.';
      switchOff(said, { session }, now);
      return `Off for ${session}; o switches it on.`;
    }
    return await readLedger(path, DRIVERS, async (ledger) => {
      const alarm = await lastAlarm(ledger, session);
      if (!alarm) return 'No alarm was raised in this session.';
      return forgivenText(
        await forgive(ledger, where().path, {
          alarm,
          scope: 'call',
          folder: process.cwd(),
          at: now,
        }),
      );
    });
  } catch (error) {
    return `Could not do that: ${errorReason(error)}.`;
  }
}

/**
 * Prints the existing entries, one per line, and then new ones as they arrive; for older ones there
 * is `unrut show --log`.
 */
async function printChanges(path: string): Promise<void> {
  const now = Date.now();
  const { stall } = loadSettings().settings;
  const { sessions, names, isEmpty } = await readLedger(path, DRIVERS, async (ledger, reports) => ({
    ...(await createWatch()(ledger, reports, now)),
    isEmpty: (await reports.sessions({ most: 0 })).total === 0,
  }));
  if (isEmpty) console.log(nothingYet(path));
  const told = new Map<string, number>();
  for (const summary of sessions)
    console.log(
      printable(
        `${names.get(summary.session)}  ${stateOf(summary, now, stall)}${modeText(summary)}  ${summary.host ?? ''}  ${summary.doing ?? ''}`.trimEnd(),
      ),
    );
  const stop = new AbortController();
  const stalls = setInterval(() => void printStalls(path, told, stall), LOOK_FOR_STALLS);
  // If a process that started us through a pipe has gone, nobody reads the output.
  const input = fstatSync(0);
  if (input.isFIFO() || input.isSocket())
    process.stdin
      .on('end', () => stop.abort())
      .on('error', () => stop.abort())
      .resume();
  for await (const entries of followLedger(path, DRIVERS, { since: now }, untilStopped(stop))) {
    for (const entry of entries)
      console.log(
        entryText(entry, {
          paint: noColours,
          width: Number.POSITIVE_INFINITY,
          name: nameAlone(entry.session),
        }),
      );
  }
  clearInterval(stalls);
  // An input that is read keeps a process from ending.
  process.stdin.destroy();
}

/** How often stalled sessions are looked for, in milliseconds: time alone makes them so. */
const LOOK_FOR_STALLS = 30_000;

/** A line for each session that stalls, once. A ledger that cannot be read now is read later. */
async function printStalls(
  path: string,
  told: Map<string, number>,
  limits: StallLimits,
): Promise<void> {
  const now = Date.now();
  const watched = await readLedger(path, DRIVERS, (ledger, reports) =>
    createWatch()(ledger, reports, now),
  ).catch(() => undefined);
  for (const { session, stall } of watched?.sessions ?? []) {
    if (!stall || !isStalled(stall, now, limits) || told.get(session) === stall.since) continue;
    told.set(session, stall.since);
    console.log(printable(`${watched?.names.get(session)}  stalled  ${stallText(stall, now)}`));
  }
}
