import { UnrutError } from '@unrut/engine/errors';
import { EXIT } from '../packages/cli/src/exit.ts';

/** Runs a bench with this process's arguments. The user's errors are printed in one line. */
export async function runCommand(main: (args: string[]) => void | Promise<void>): Promise<void> {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof UnrutError)) throw error;
    console.error(error.message);
    process.exitCode = error.code === 'usage' ? EXIT.usage : EXIT.unreadable;
  }
}
