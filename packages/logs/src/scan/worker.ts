import { parentPort } from 'node:worker_threads';
import { type FileScan, type ScanOptions, scanFile } from './scan-file.ts';

/** The request and answer of a worker. */
export interface Job {
  file: string;
  options: ScanOptions;
}
export type WorkerAnswer = { bytes: number } | { done: FileScan };

/** Reads files for the main thread, one at a time. */
export function work(): void {
  parentPort?.on('message', ({ file, options }: Job) => {
    void scanFile(file, options, (bytes) =>
      parentPort?.postMessage({ bytes } satisfies WorkerAnswer),
    ).then((done) => parentPort?.postMessage({ done } satisfies WorkerAnswer));
  });
}
