import { UnrutError } from '@unrut/engine/errors';
import type { Json } from '@unrut/engine/event';
import { hash64 } from '@unrut/engine/hash';
import type { Ledger } from '@unrut/ledger/ledger';
import { isAlive, type RunnerProcess, thisRunner } from '../runner.ts';

/** Who works in a folder. */
interface Claim {
  run: string;
  runner: RunnerProcess;
}

const keyOf = (folder: string): string => `folder/${hash64(folder)}`;

/**
 * Says that this process works on a run in a folder, until it ends. Throws when another process
 * does: two agents would undo each other's work. Gives the run that was worked on there before.
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
    // A ledger that cannot be written keeps nobody from working; the run itself says that it
    // cannot.
  }
  if (other !== null) throw taken(folder, other);
  return (before as Claim | null)?.run;
}

const taken = (folder: string, { run, runner: { pid } }: Claim): UnrutError =>
  new UnrutError(
    'usage',
    `${run} is already running in ${folder}, as process ${pid}. Wait for it, or stop it: kill ${pid}`,
  );
