import { isMainThread, workerData } from 'node:worker_threads';
import type { WriterData } from '../ledger/sqlite/writer-thread.ts';
import { work } from '../scan/worker.ts';
import { runCommand } from './commands.ts';
import { EXIT } from './exit.ts';

// A thread of a scan, or of a server's ledger, runs this very file, so that the bundle stays one.
if (isMainThread) {
  // A reader such as `head` that has seen enough is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.unreadable);
  });
  process.exitCode = await runCommand(process.argv.slice(2), new URL(import.meta.url));
} else if (workerData) (await import('../ledger/sqlite/writer-thread.ts')).writeForOthers(workerData as WriterData);
else work();
