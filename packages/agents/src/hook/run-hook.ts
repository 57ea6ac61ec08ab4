import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { present } from '@unrut/engine/json';
import { toFault } from '@unrut/engine/redact/to-fault';
import { serverIn } from '@unrut/ledger/config/addresses';
import { SECRETS_OF_HOOKS, secretsInFiles } from '@unrut/ledger/config/secret-files';
import { notify } from '@unrut/ledger/notify/notify';
import { addressOf, type LedgerDrivers, openLedger } from '@unrut/ledger/open-ledger';
import { ledgerPath } from '@unrut/ledger/sqlite/ledger-path';
import { isBusy } from '@unrut/ledger/sqlite/sqlite-error';
import { hookRecorder, unusableText } from './answer-hook.ts';
import { askServer } from './ask-server.ts';
import { type HookRequest, requestOf } from './hook-request.ts';
import { noteMissed, noteNoPayload } from './missed.ts';
import { keepForLater, recordPending } from './pending.ts';
import { print, printAnswer } from './print.ts';
import { FOR_INPUT, leave, readStandardInput } from './read-standard-input.ts';
import { type ReplyMeans, recordLate, replyTo } from './reply-to.ts';

/** How a hook process was called. */
export interface HookOptions {
  /** Record only. */
  shadow: boolean;
  /** The host named in the hook's command. */
  said?: string | undefined;
  /** The payload, if it has been read. */
  input?: string | undefined;
  /** A server that answers instead of this process. Default: `UNRUT_SERVER`, if set. */
  server?: string | undefined;
  /** For a ledger that is no file. */
  drivers: LedgerDrivers;
  /** Starts the companion for later hooks, if the settings allow it. */
  startCompanion?: () => void;
}

/**
 * Max milliseconds that an agent may wait. A late payload leaves less time to wait for other
 * writers.
 */
const IN_ALL = 5000;
const LEAST = 1500;
const MAX_LOG_LENGTH = 1 << 18;

/**
 * Runs one hook process: reads the payload from standard input, prints the answer, and returns the
 * exit code. Never throws and prints no faults. Does not return if the input does not end.
 */
export async function runHook({
  shadow,
  said,
  input,
  server = serverIn(process.env),
  drivers,
  startCompanion,
}: HookOptions): Promise<number> {
  let exitCode = 0;
  const usual = ledgerPath({ home: homedir(), variables: process.env, platform: process.platform });
  let path = usual;
  let request: HookRequest | undefined;
  let text = input;
  /**
   * If the ledger is busy, leaves the request for the next hook; otherwise stores only the reason.
   */
  const miss = (message: string, isBusyNow: boolean): void => {
    if (!(isBusyNow && request && keepForLater(dirname(usual), request))) noteMissed(path, message);
  };
  try {
    // Older versions of Node print a warning about SQLite, which agents show to users as an error.
    process.emitWarning = () => {};
    text ??= await readStandardInput(FOR_INPUT);
    if (text === undefined) {
      noteNoPayload(path);
      return leave();
    }
    Object.assign(process.env, secretsInFiles(process.env, SECRETS_OF_HOOKS));
    if (server) {
      const answer = await askServer(text, {
        server,
        token: process.env.UNRUT_TOKEN,
        shadow,
        said,
        folder: dirname(usual),
      });
      printAnswer(answer);
      return answer.exitCode;
    }
    request = requestOf(text, { shadow, ...present({ said }) });
    const means: ReplyMeans = {
      async open(where) {
        path = where.path;
        const wait = Math.round(Math.max(LEAST, IN_ALL - performance.now()));
        const opened = await openLedger(addressOf(where), drivers, { ...where, wait });
        return { ledger: opened, recorder: hookRecorder(opened) };
      },
    };
    const { reply, settings, ledger, recorder, afterwards } = await replyTo(
      { ...request, environment: { ...process.env, ...request.environment } },
      means,
    );
    printAnswer(reply);
    exitCode = reply.exitCode;
    if (reply.untold !== undefined) miss(reply.untold, reply.busy === true);
    for (const escalation of reply.escalations) notify(settings.notify, escalation);
    await afterwards();
    if (settings.companion) startCompanion?.();
    if (!reply.failed)
      await recordPending(
        dirname(usual),
        recordLate({
          open: async (where) => (where.path === path ? { ledger, recorder } : means.open(where)),
        }),
      );
    // Connections to a database would keep the process.
    if (settings.ledger.url !== undefined || isLong(`${settings.ledger.path}-wal`))
      await ledger.close();
    return exitCode;
  } catch (error) {
    const { message } = toFault('hook', error);
    if (text !== undefined) print(unusableText(text, process.env, message, said));
    miss(message, isBusy((error as Error).cause));
    return exitCode;
  }
}

/**
 * Closing a ledger checkpoints its log and waits for the disk. Leaving the log is safe, but the
 * next hook reads it again, so a long log is worth checkpointing.
 */
const isLong = (log: string): boolean =>
  (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_LENGTH;
