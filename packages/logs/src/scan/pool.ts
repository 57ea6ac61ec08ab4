import { Worker } from 'node:worker_threads';
import { type FileScan, type ScanOptions, scanFile, unreadable } from './scan-file.ts';
import type { Job, WorkerAnswer } from './worker.ts';

export interface PoolOptions {
  scan: ScanOptions;
  /** Threads to use. */
  threads: number;
  /** The module that a thread runs. */
  worker: URL;
  onBytes(count: number): void;
  /** Called after each file, in any order. */
  onFile(done: FileScan): void;
}

/**
 * Young generation of a thread in megabytes: three times as much is hardly faster, and two threads
 * need 670 MB instead of 400.
 */
const YOUNG = 24;

/** Reads files, on several threads if that is worth it. */
export async function scanFiles(files: readonly string[], options: PoolOptions): Promise<void> {
  const waiting = [...files];
  if (options.threads <= 1) {
    for (const file of waiting) options.onFile(await scanFile(file, options.scan, options.onBytes));
    return;
  }
  await Promise.all(
    Array.from({ length: Math.min(options.threads, files.length) }, () =>
      runWorker(waiting, options),
    ),
  );
}

/** One thread, with one file at a time. If it dies, only that file is lost. */
async function runWorker(waiting: string[], options: PoolOptions): Promise<void> {
  for (let file = waiting.shift(); file !== undefined; ) {
    const worker = new Worker(options.worker, {
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG },
    });
    const current = file;
    let busy = current;
    file = undefined;
    await new Promise<void>((resolve) => {
      const give = (next: string): void => {
        busy = next;
        worker.postMessage({ file: next, options: options.scan } satisfies Job);
      };
      worker.on('message', (answer: WorkerAnswer) => {
        if ('bytes' in answer) {
          options.onBytes(answer.bytes);
          return;
        }
        options.onFile(answer.done);
        const next = waiting.shift();
        if (next === undefined) void worker.terminate().then(() => resolve());
        else give(next);
      });
      worker.on('error', (error) => {
        options.onFile(unreadable(busy, error));
        file = waiting.shift();
        resolve();
      });
      give(current);
    });
  }
}
