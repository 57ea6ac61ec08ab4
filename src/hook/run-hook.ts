import { statSync, writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { guardOptions } from '../config/guard-options.ts';
import { loadSettings } from '../config/load-settings.ts';
import { isObject, parsed, textOf } from '../importers/json.ts';
import { createSqliteLedger } from '../ledger/sqlite/create-sqlite-ledger.ts';
import { notify } from '../notify/notify.ts';
import { answerHook } from './answer-hook.ts';
import { readStandardInput } from './read-standard-input.ts';
import { recordFault } from './record-fault.ts';

/** How a hook process was called. */
export interface HookOptions {
  /** Record only. */
  shadow: boolean;
}

/** Milliseconds that an agent may have to wait in all; a payload that comes late leaves less for other writers. */
const IN_ALL = 5000;
const FOR_INPUT = 1500;
const LONGEST_LOG = 1 << 18;

/**
 * One hook process: reads a payload from standard input, prints the answer, and gives the exit code. Never throws, and says nothing of
 * faults. Where the input does not end, it does not return.
 */
export async function runHook({ shadow }: HookOptions): Promise<number> {
  try {
    // Older versions of Node warn of SQLite, which agents show to people as an error.
    process.emitWarning = () => {};
    const start = performance.now();
    const text = await readStandardInput(FOR_INPUT);
    if (text === undefined) return leave();
    const payload = parsed(text);
    const environment = process.env;
    const cwd = (isObject(payload) && textOf(payload.cwd)) || process.cwd();
    const { settings, problems } = loadSettings({ cwd, home: homedir(), environment });
    const guard = { ...guardOptions(settings), ...(shadow ? { shadow } : {}) };
    const ledger = createSqliteLedger({ ...settings.ledger, wait: Math.round(IN_ALL - (performance.now() - start)) });
    const at = Date.now();
    const reply = await answerHook(payload, { environment, ledger, settings: { ...settings, guard }, at });
    print(reply.stdout);
    for (const escalation of reply.escalations) notify(settings.notify, escalation);
    for (const message of problems) await recordFault(ledger, { where: 'config', message }, at);
    if (isLong(`${settings.ledger.path}-wal`)) await ledger.close();
    return reply.exitCode;
  } catch {
    return 0;
  }
}

/**
 * Closing a ledger that nobody else has open writes its log back into it, and waits for the disk. To leave the log behind is no harm, but the
 * next hook reads it again, so that a long one costs more than it saves.
 */
const isLong = (log: string): boolean => (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LONGEST_LOG;

/** Without Node's streams: what they print may be lost when the process ends. */
function print(text: string): void {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; ) {
    try {
      from += writeSync(1, bytes, from);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}

/** Ends a process that still waits for input, which Node by itself cannot before that ends. */
function leave(): never {
  if (process.platform !== 'win32') process.execve?.('/bin/sh', ['sh', '-c', 'exit 0'], {});
  process.kill(process.pid, 'SIGKILL');
  throw new Error('unreachable');
}
