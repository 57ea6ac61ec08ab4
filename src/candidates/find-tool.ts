import type { Move } from '../failures/failure.ts';
import { type ToolRole, toolRoleOf } from '../tools/tool-role.ts';
import type { CandidateMemory, RecentCall } from './memory.ts';

/** A tool that can make a move. */
export interface FoundTool {
  tool: string;
  role: ToolRole | 'itself';
  /** Its server declares it destructive. */
  destructive: boolean;
}

/** Where a failed call is of no world in particular, only these help for certain. */
const ANYWHERE: ReadonlySet<string> = new Set(['ask', 'wait', 'itself']);
const LATELY = 6;

/** The tool of this host that makes a move best: of the failed call's own server first, then the most telling one. */
export function findTool(move: Move, failed: RecentCall, memory: CandidateMemory): FoundTool | null {
  for (const role of move.by ?? []) {
    if (!belongs(role, failed)) continue;
    const found = role === 'itself' ? itself(failed, memory) : withRole(role, move, failed, memory);
    if (found) return found;
  }
  return null;
}

const belongs = (role: string, { world }: RecentCall): boolean =>
  ANYWHERE.has(role) || (role === 'shell' ? world === 'file' : role.startsWith(`${world}-`));

function itself({ tool }: RecentCall, memory: CandidateMemory): FoundTool | null {
  // Of a strange tool nobody knows what doing it once more would do.
  if (tool === '' || toolRoleOf(tool) === null) return null;
  return { tool, role: 'itself', destructive: memory.tools.some(([name, declared]) => name === tool && declared) };
}

function withRole(role: ToolRole, move: Move, failed: RecentCall, { tools, calls }: CandidateMemory): FoundTool | null {
  const lately = new Set(calls.slice(-LATELY).map(({ tool }) => tool));
  const home = toolRoleOf(failed.tool)?.prefix;
  let best: FoundTool | null = null;
  let bestRank = '';
  for (const [tool, destructive] of tools) {
    const roled = toolRoleOf(tool);
    if (roled?.role !== role || (move.unused && lately.has(tool))) continue;
    const rank = `${roled.prefix === home ? 0 : 1} ${String(roled.place).padStart(3, '0')} ${tool}`;
    if (best && rank >= bestRank) continue;
    best = { tool, role, destructive };
    bestRank = rank;
  }
  return best;
}
