import { Worker } from 'node:worker_threads';
import { UnrutError } from '../../errors.ts';
import { RepeatedEntry } from '../repeated-entry.ts';
import type { PreparedChange } from './create-sqlite-ledger.ts';
import type { WriterAnswer, WriterData, WriterQuestion } from './writer-thread.ts';

/** A thread that writes changes, in the order in which it is given them. */
export interface LedgerWriter {
  /** Whether it can be given something: it has begun, and has not ended. */
  isThere(): boolean;
  /** Gives the new versions, or nothing when the sessions had other versions by then. */
  write(change: PreparedChange): Promise<number[] | undefined>;
  /** Ends it when all is written. */
  close(): Promise<void>;
}

/** Megabytes for what a thread has just been given: states, which are soon written. With Node's own limit it keeps 40 more for good. */
const YOUNG = 24;

/** `program` is the module that the thread runs: it calls `writeForOthers` with the data that it is given. `onLost` is told when it ends by itself. */
export function startWriter(program: URL, data: WriterData, onLost: (reason: string) => void): LedgerWriter {
  const worker = new Worker(program, { workerData: data, resourceLimits: { maxYoungGenerationSizeMb: YOUNG } });
  const waiting = new Map<number, { resolve(versions: number[] | undefined): void; reject(error: Error): void }>();
  let tickets = 0;
  let isThere = false;
  let isWanted = true;
  let reason = '';
  const ended = new Promise<void>((resolve) => {
    worker.on('error', ({ message }: Error) => {
      reason = message.replace(/^\[unrut\] /, '').replace(/\.$/, '');
    });
    worker.on('exit', (code) => {
      end(reason || `exit code ${code}`);
      resolve();
    });
  });
  // The program may end when there is nothing to be written.
  worker.unref();

  function end(why: string): void {
    isThere = false;
    const error = new UnrutError('ledger-unusable', `[sqlite] The thread that writes the ledger has ended: ${why}. Try again.`);
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    if (isWanted) onLost(why);
  }

  function ask(question: WriterQuestion): void {
    worker.ref();
    worker.postMessage(question);
  }

  worker.on('message', (answer: WriterAnswer | 'ready') => {
    if (answer === 'ready') {
      isThere = isWanted;
      return;
    }
    const asked = waiting.get(answer.ticket);
    waiting.delete(answer.ticket);
    if (waiting.size === 0 && isWanted) worker.unref();
    if ('repeated' in answer) asked?.reject(new RepeatedEntry(answer.repeated));
    else if ('message' in answer) asked?.reject(new UnrutError(answer.code, answer.message));
    else asked?.resolve(answer.versions);
  });

  return {
    isThere: () => isThere,
    write: (change) =>
      new Promise((resolve, reject) => {
        waiting.set(++tickets, { resolve, reject });
        ask({ ticket: tickets, change });
      }),
    close() {
      if (isWanted) ask('end');
      isWanted = false;
      isThere = false;
      return ended;
    },
  };
}
