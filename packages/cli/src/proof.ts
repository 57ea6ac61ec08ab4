import { hookHosts, type InstallableHost } from '@unrut/agents/hosts';
import { ourCalls } from '@unrut/agents/install/doctor/our-calls';
import { type ProofCall, proveCall } from '@unrut/agents/install/doctor/try-call';
import { readTextFile } from '@unrut/agents/settings-files/change-file';
import type { Surroundings } from '@unrut/agents/settings-files/order';
import type { CallFinished } from '@unrut/engine/event';
import { objectOf } from '@unrut/engine/json';
import type { Machine } from '@unrut/engine/machine';
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
 * Shows what an agent will read: replays the worst of these runs' loops through the hook that is in
 * its settings file, in the names of its own tools. False if that hook says nothing, or is at a
 * server.
 */
export async function showProof(
  agent: InstallableHost,
  path: string,
  at: Surroundings,
  runs: readonly LookedRun[],
): Promise<boolean> {
  const [hook] = ourCalls(path, readTextFile(path) ?? '');
  if (!hook || !agent.hooks) return false;
  for (const { whose, file, calls } of [...ownLoops(runs), MADE_UP]) {
    const recorded = await calls();
    const isOwn = file !== undefined && isOf(agent, at, file);
    const replayed = isOwn ? recorded : inShell(agent.hooks.shell, recorded);
    const proof = await proveCall(hook, at.project, replayed);
    if (!proof) continue;
    const { width } = standardOutput();
    const told = `Proof: ${whose}, replayed through this hook. At call ${proof.call} the agent reads:`;
    printLines(wrap(printable(told), width, 2));
    printLines(shortened(wrap(printable(proof.note), width - 2, 4), 3));
    return true;
  }
  return false;
}

const SHELLS = new Set(hookHosts.map(({ hooks }) => hooks.shell));

/**
 * Commands as an agent runs them whose shell has this name. None if other tools were called, which
 * it may not have.
 */
function inShell(shell: string, calls: readonly ProofCall[]): ProofCall[] {
  if (calls.some(({ tool }) => !SHELLS.has(tool))) return [];
  return calls.map((call) => {
    const { cmd, command = cmd, ...rest } = objectOf(call.args);
    return { ...call, tool: shell, args: { ...rest, command } };
  });
}

/** Whether a run is one of this agent's. */
const isOf = ({ runs }: InstallableHost, at: Machine, file: string): boolean =>
  (runs?.(at) ?? []).some((path) => file.startsWith(path.split('*')[0]!));

interface Provable {
  whose: string;
  /** Where it was recorded. */
  file?: string;
  calls(): Promise<ProofCall[]>;
}

const ownLoops = (runs: readonly LookedRun[]): Provable[] =>
  worstFirst(runs)
    .slice(0, MAX_LOOPS)
    .map(({ run, loop }) => ({
      whose: `your own loop (${briefly(printable(loop.text))})`,
      file: run.file,
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
