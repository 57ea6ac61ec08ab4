import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { createSqliteLedger } from '../ledger/sqlite/create-sqlite-ledger.ts';
import { ledgerPath } from '../ledger/sqlite/ledger-path.ts';
import { notify } from '../notify/notify.ts';
import { toFault } from '../redact/to-fault.ts';
import { hookRecorder } from './answer-hook.ts';
import { installedIn } from './hook-request.ts';
import { leave } from './leave.ts';
import { noteMissed, noteNoPayload } from './missed.ts';
import { print } from './print.ts';
import { FOR_INPUT, readStandardInput } from './read-standard-input.ts';
import { replyTo } from './reply-to.ts';

/** How a hook process was called. */
export interface HookOptions {
  /** Record only. */
  shadow: boolean;
  /** The payload, where it has been read already. */
  input?: string | undefined;
  /** Starts the process that answers the hooks to come, where the settings allow one. */
  startCompanion?: () => void;
}

/** Milliseconds that an agent may have to wait in all; a payload that comes late leaves less for other writers. */
const IN_ALL = 5000;
const MAX_LOG_LENGTH = 1 << 18;

/**
 * One hook process: reads a payload from standard input, prints the answer, and gives the exit code. Never throws, and says nothing of
 * faults. Where the input does not end, it does not return.
 */
export async function runHook({ shadow, input, startCompanion }: HookOptions): Promise<number> {
  let exitCode = 0;
  let path = ledgerPath({ home: homedir(), variables: process.env, platform: process.platform });
  try {
    // Older versions of Node warn of SQLite, which agents show to people as an error.
    process.emitWarning = () => {};
    const start = performance.now();
    const text = input ?? (await readStandardInput(FOR_INPUT));
    if (text === undefined) {
      noteNoPayload(path);
      return leave();
    }
    const { reply, settings, ledger, afterwards } = await replyTo(
      { input: text, environment: process.env, cwd: process.cwd(), home: homedir(), shadow, from: installedIn() },
      {
        open(where) {
          path = where.path;
          const opened = createSqliteLedger({ ...where, wait: Math.round(IN_ALL - (performance.now() - start)) });
          return { ledger: opened, recorder: hookRecorder(opened) };
        },
      },
    );
    print(reply.stdout);
    exitCode = reply.exitCode;
    if (reply.untold !== undefined) noteMissed(path, reply.untold);
    for (const escalation of reply.escalations) notify(settings.notify, escalation);
    await afterwards();
    if (settings.companion) startCompanion?.();
    if (isLong(`${settings.ledger.path}-wal`)) await ledger.close();
    return exitCode;
  } catch (error) {
    noteMissed(path, toFault('hook', error).message);
    return exitCode;
  }
}

/**
 * Closing a ledger that nobody else has open writes its log back into it, and waits for the disk. To leave the log behind is no harm, but the
 * next hook reads it again, so that a long one costs more than it saves.
 */
const isLong = (log: string): boolean => (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_LENGTH;
