import { readFileSync } from 'node:fs';
import { processFacts } from '@unrut/ledger/processes/running';
import { HOOK_ALONE } from '../hosts/hook-variables.ts';

/** There may be one or two shells between an agent and its hook. */
const MAX_UP = 4;

/** A running program: its command line and its parent. */
export interface RunningProgram {
  args: readonly string[];
  parent: number;
}

/** Whether the agent's command line shows that it runs unattended. */
export function isStartedAlone(
  pid = process.ppid,
  look: (pid: number) => RunningProgram | undefined = runningProgram,
): boolean {
  for (let up = 0, at = pid; up < MAX_UP && at > 1; up++) {
    const found = look(at);
    if (!found) return false;
    for (const [i, word] of found.args.entries()) {
      const alone = Object.hasOwn(HOOK_ALONE, nameOf(word)) && HOOK_ALONE[nameOf(word)];
      if (alone)
        return found.args.slice(i + 1).some((arg) => alone.includes(arg.split('=', 1)[0]!));
    }
    at = found.parent;
  }
  return false;
}

const nameOf = (path: string): string =>
  path.replace(/^.*[\\/]/, '').replace(/\.(?:exe|[cm]?js)$/, '');

/** As far as the system provides this quickly; never on Windows. */
function runningProgram(pid: number): RunningProgram | undefined {
  try {
    if (process.platform === 'darwin') return listed(pid);
    const { parent } = processFacts(pid)!;
    return { args: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1), parent };
  } catch {
    return undefined;
  }
}

function listed(pid: number): RunningProgram | undefined {
  const { execFileSync } = process.getBuiltinModule('node:child_process');
  const [, parent, args] =
    /^\s*(\d+)\s+(.*)$/s.exec(
      execFileSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8' }),
    ) ?? [];
  return args === undefined
    ? undefined
    : { args: args.trim().split(/\s+/), parent: Number(parent) };
}
