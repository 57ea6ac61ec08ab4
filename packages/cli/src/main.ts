import { isMainThread } from 'node:worker_threads';
import { runCommand } from './commands.ts';
import { EXIT } from './exit.ts';

// A thread of a scan runs this very file, so that the command has one entry.
if (isMainThread) {
  // A reader such as `head` that has seen enough is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.unreadable);
  });
  process.exitCode = await runCommand(process.argv.slice(2), new URL(import.meta.url));
} else (await import('@unrut/logs/scan/worker')).work();
