import { ourCalls } from '@unrut/agents/install/doctor/our-calls';
import { type ProofCall, proveCall } from '@unrut/agents/install/doctor/try-call';
import { readTextFile } from '@unrut/agents/settings-files/change-file';
import type { CallFinished } from '@unrut/engine/event';
import { printable, wrap } from '@unrut/engine/text/printable';
import type { LookedLoop, LookedRun } from '@unrut/ledger/report/look-report';
import { briefly, shortened, worstFirst } from '@unrut/ledger/report/look-text';
import { readRun } from '@unrut/logs/explain/read-run';
import { DEMO_SESSIONS } from './demo-sessions.ts';
import { printLines } from './printed.ts';
import { standardOutput } from './width.ts';

/** Own loops that are tried before the one that is made up, and calls of each. */
const MAX_LOOPS = 3;
const MAX_CALLS = 12;

/**
 * Shows what the agent will read: replays the worst of these runs' loops through the hook that is
 * in a settings file. False if that hook says nothing, or is at a server.
 */
export async function showProof(
  path: string,
  folder: string,
  runs: readonly LookedRun[],
): Promise<boolean> {
  const [hook] = ourCalls(path, readTextFile(path) ?? '');
  if (!hook) return false;
  for (const { whose, calls } of [...ownLoops(runs), MADE_UP]) {
    const proof = await proveCall(hook, folder, await calls());
    if (!proof) continue;
    const { width } = standardOutput();
    const told = `Proof: ${whose}, replayed through this hook. At call ${proof.call} the agent reads:`;
    printLines(wrap(printable(told), width, 2));
    printLines(shortened(wrap(printable(proof.note), width - 2, 4), 3));
    return true;
  }
  return false;
}

interface Provable {
  whose: string;
  calls(): Promise<ProofCall[]>;
}

const ownLoops = (runs: readonly LookedRun[]): Provable[] =>
  worstFirst(runs)
    .slice(0, MAX_LOOPS)
    .map(({ run, loop }) => ({
      whose: `your own loop (${briefly(printable(loop.text))})`,
      calls: () => callsOf(run, loop),
    }));

/** The first calls of a loop, from its transcript; empty if that has changed since. */
async function callsOf(
  { file, id }: Pick<LookedRun, 'file' | 'id'>,
  { start, end }: Pick<LookedLoop, 'start' | 'end'>,
): Promise<ProofCall[]> {
  try {
    const { events } = await readRun(file, { id });
    return events
      .flatMap(({ event, step }) =>
        event.type === 'call-finished' && step >= start && step <= end && !event.refusedBy
          ? [proofCall(event)]
          : [],
      )
      .slice(0, MAX_CALLS);
  } catch {
    return [];
  }
}

function proofCall({ call, result, error, exitCode = 0 }: CallFinished): ProofCall {
  const isFailure = exitCode !== 0 || (error !== undefined && error !== false);
  if (!isFailure) return { ...call, result };
  const text = typeof result === 'string' ? result : JSON.stringify(result ?? '');
  const message = typeof error === 'string' ? error : text;
  return { ...call, error: exitCode === 0 ? message : `Exit code ${exitCode}\n${message}` };
}

const [madeUpTool, madeUpArgs, madeUpOutput] = DEMO_SESSIONS[0]!.stuck[0]!;
const MADE_UP_CALLS = 5;
const MADE_UP: Provable = {
  whose: `a loop of \`${madeUpArgs.command}\` that is made up`,
  calls: async () =>
    Array.from({ length: MADE_UP_CALLS }, () => ({
      tool: madeUpTool,
      args: madeUpArgs,
      error: `Exit code 1\n${madeUpOutput}`,
    })),
};
