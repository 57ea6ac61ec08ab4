import { UnrutError } from '@unrut/engine/errors';
import type { Json } from '@unrut/engine/event';
import { hash64 } from '@unrut/engine/hash';
import type { Ledger } from '@unrut/ledger/ledger';
import { isAlive, type RunnerProcess, thisRunner } from '../runner.ts';

/** The process that works in a folder. */
interface Claim {
  run: string;
  runner: RunnerProcess;
}

const keyOf = (folder: string): string => `folder/${hash64(folder)}`;

/**
 * Claims a folder for this process until it ends. Throws if another process has claimed it, because
 * two agents would undo each other's work. Returns the run that last used the folder.
 */
export async function takeFolder(
  ledger: Ledger,
  folder: string,
  run: string,
): Promise<string | undefined> {
  let before: Claim | null = null;
  let other: Claim | null = null;
  try {
    await ledger.update([keyOf(folder)], ([saved]) => {
      before = saved!.read() as unknown as Claim | null;
      other = before && isAlive(before.runner) ? before : null;
      return other
        ? {}
        : { states: [{ run, runner: thisRunner() } satisfies Claim as unknown as Json] };
    });
  } catch {
    // An unwritable ledger does not stop the run, which reports the problem itself.
  }
  if (other !== null) throw taken(folder, other);
  return (before as Claim | null)?.run;
}

const taken = (folder: string, { run, runner: { pid } }: Claim): UnrutError =>
  new UnrutError(
    'usage',
    `${run} is already running in ${folder}, as process ${pid}. Wait for it, or stop it: kill ${pid}`,
  );
