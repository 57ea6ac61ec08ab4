import { statSync } from 'node:fs';
import { UnrutError } from '@unrut/engine/errors';
import { timelineText } from '@unrut/ledger/report/timeline-text';
import { onlyFigures } from '@unrut/ledger/reports/reports';
import { sessionNamed } from '@unrut/ledger/views/find-session';
import { readLedger } from '@unrut/ledger/views/read-ledger';
import { timelineOf } from '@unrut/ledger/views/timeline';
import { readArguments } from './arguments.ts';
import { defineCommand, MAYBE_ONE_SESSION } from './command.ts';
import { asItIsNow, effectiveLedger, nothingYet } from './effective-ledger.ts';
import { EXIT, usageError } from './exit.ts';
import { DRIVERS } from './ledger-drivers.ts';
import { log } from './log.ts';
import { ORIGIN_OPTIONS } from './origin-options.ts';
import { printJson, printLines } from './printed.ts';
import { replay } from './replay.ts';
import { sessions } from './sessions.ts';
import {
  LIST_OPTIONS,
  LOG_OPTIONS,
  MODES,
  REPLAY_OPTIONS,
  SHOW_HELP,
  SHOW_OPTIONS,
} from './show-options.ts';
import { standardOutput } from './width.ts';

const recorded = defineCommand(
  { name: 'show', help: SHOW_HELP, options: SHOW_OPTIONS, operands: MAYBE_ONE_SESSION },
  async ({ values, operands: [given] }) => {
    const path = effectiveLedger();
    const { session, moments } = await readLedger(path, DRIVERS, async (_, reports) => {
      const name =
        given === undefined
          ? (await reports.sessions({ most: 1 })).sessions[0]?.session
          : await sessionNamed(reports, given);
      if (name === undefined) throw new UnrutError('unknown-session', nothingYet(path));
      return {
        session: asItIsNow(onlyFigures((await reports.session(name))!)),
        moments: timelineOf((await reports.history(name))!.entries),
      };
    });
    if (values.json) printJson<'show'>({ session, moments });
    else printLines(timelineText(session, moments, standardOutput()));
    return EXIT.ok;
  },
);

const OPTIONS = {
  ...ORIGIN_OPTIONS,
  ...MODES,
  ...REPLAY_OPTIONS,
  ...LOG_OPTIONS,
  last: LOG_OPTIONS.last,
  since: LIST_OPTIONS.since,
};

/** `unrut show`. */
export const show = Object.assign(showAnything, { options: OPTIONS });

/** Determines what the name refers to, and runs the command for it. */
async function showAnything(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments('show', args, {
    ...OPTIONS,
    help: { type: 'boolean', short: 'h' },
  });
  if (values.list && values.log) throw usageError('--list and --log cannot be combined.');
  const rest = args.filter((arg) => arg !== '--list' && arg !== '--log');
  if (values.list) return sessions(rest);
  if (values.log) return log(rest);
  const isReplay = args.some((arg) => /^--(?:preset|format|exit-zero)\b/.test(arg));
  if (isReplay || positionals.some(isThere)) return replay(rest);
  try {
    return await recorded(rest);
  } catch (error) {
    const isUnknown = error instanceof UnrutError && error.code === 'unknown-session';
    if (isUnknown && positionals.some(looksLikeFile)) return replay(rest);
    throw error;
  }
}

const isThere = (operand: string): boolean =>
  operand === '-' || statSync(operand, { throwIfNoEntry: false }) !== undefined;

/** Names of sessions rarely have folders or an ending. */
const looksLikeFile = (operand: string): boolean => /[\\/]|\.[a-z]+$/i.test(operand);
