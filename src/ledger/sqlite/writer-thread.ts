import { parentPort } from 'node:worker_threads';
import { UnrutError } from '../../errors.ts';
import { RepeatedEntry } from '../repeated-entry.ts';
import { openLedger, type PreparedChange, type SqliteLedgerOptions } from './create-sqlite-ledger.ts';

/** What a thread is told when it begins. */
export interface WriterData {
  ledger: Omit<SqliteLedgerOptions, 'now'>;
}

/** What it is asked: to write a change, or to end. */
export type WriterQuestion = { ticket: number; change: PreparedChange } | 'end';

/** What it answers, after it has said that it is ready: the new versions, none when the change comes too late, or what went wrong. */
export type WriterAnswer = { ticket: number } & (
  | { versions: number[] | undefined }
  | { repeated: string }
  | { code: string; message: string }
);

/** Writes to a ledger what another thread gives. Throws when the ledger cannot be used. */
export function writeForOthers({ ledger: options }: WriterData): void {
  const ledger = openLedger(options);
  parentPort!.postMessage('ready');
  parentPort!.on('message', (question: WriterQuestion) => {
    if (question !== 'end') return parentPort!.postMessage(answerTo(question));
    void ledger.close();
    parentPort!.close();
  });

  function answerTo({ ticket, change }: Exclude<WriterQuestion, 'end'>): WriterAnswer {
    try {
      return { ticket, versions: ledger.write(change) };
    } catch (error) {
      if (error instanceof RepeatedEntry) return { ticket, repeated: error.id };
      const { message } = error as Error;
      return { ticket, code: error instanceof UnrutError ? error.code : 'ledger-unusable', message: message.replace(/^\[unrut\] /, '') };
    }
  }
}
