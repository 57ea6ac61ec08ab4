import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { UnrutError } from '../../errors.ts';
import { RepeatedEntry } from '../repeated-entry.ts';
import type { PreparedChange } from './create-sqlite-ledger.ts';
import type { WriterAnswer, WriterData, WriterQuestion } from './writer-thread.ts';

/** A thread that writes changes, in the order in which it is given them. */
export interface LedgerWriter {
  /** Whether it can be given something; it cannot when it has ended. */
  isThere(): boolean;
  /** Gives the new versions, or nothing when the sessions had other versions by then. */
  write(change: PreparedChange): Promise<number[] | undefined>;
  /** Ends it when all is written. */
  close(): Promise<void>;
}

/** `program` is the module that the thread runs: it calls `writeForOthers` with the data that it is given. */
export function startWriter(program: URL, data: WriterData): LedgerWriter {
  const worker = new Worker(program, { workerData: data });
  const waiting = new Map<number, { resolve(versions: number[] | undefined): void; reject(error: Error): void }>();
  let tickets = 0;
  let isThere = true;

  function end(reason: string): void {
    isThere = false;
    const error = new UnrutError('ledger-unusable', `[sqlite] The thread that writes the ledger has ended: ${reason}. Try again.`);
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  const ask = (question: WriterQuestion): void => worker.postMessage(question);
  worker.on('error', ({ message }: Error) => end(message));
  worker.on('exit', (code) => end(`exit code ${code}`));
  worker.on('message', (answer: WriterAnswer) => {
    const asked = waiting.get(answer.ticket)!;
    waiting.delete(answer.ticket);
    if ('repeated' in answer) asked.reject(new RepeatedEntry(answer.repeated));
    else if ('message' in answer) asked.reject(new UnrutError(answer.code, answer.message));
    else asked.resolve(answer.versions);
  });

  return {
    isThere: () => isThere,
    write: (change) =>
      new Promise((resolve, reject) => {
        waiting.set(++tickets, { resolve, reject });
        ask({ ticket: tickets, change });
      }),
    async close() {
      if (!isThere) return;
      isThere = false;
      ask('end');
      await once(worker, 'exit');
    },
  };
}
