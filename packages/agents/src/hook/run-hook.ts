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
  /** The host whose hook this is said to be. */
  said?: string | undefined;
  /** The payload, where it has been read already. */
  input?: string | undefined;
  /**
   * A server that answers in place of this process. Default: that of `UNRUT_SERVER`, if there is
   * one.
   */
  server?: string | undefined;
  /** For a ledger that is no file. */
  drivers: LedgerDrivers;
  /** Starts the process that answers the hooks to come, where the settings allow one. */
  startCompanion?: () => void;
}

/**
 * Milliseconds that an agent may have to wait in all; a payload that comes late leaves less for
 * other writers, but never less than this.
 */
const IN_ALL = 5000;
const LEAST = 1500;
const MAX_LOG_LENGTH = 1 << 18;

/**
 * One hook process: reads a payload from standard input, prints the answer, and gives the exit
 * code. Never throws, and says nothing of faults. Where the input does not end, it does not return.
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
   * What others keep from being recorded, the next hook records; of anything else only the reason
   * can be kept.
   */
  const miss = (message: string, isBusyNow: boolean): void => {
    if (!(isBusyNow && request && keepForLater(dirname(usual), request))) noteMissed(path, message);
  };
  try {
    // Older versions of Node warn of SQLite, which agents show to people as an error.
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
 * Closing a ledger that nobody else has open writes its log back into it, and waits for the disk.
 * To leave the log behind is no harm, but the next hook reads it again, so that a long one costs
 * more than it saves.
 */
const isLong = (log: string): boolean =>
  (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_LENGTH;
