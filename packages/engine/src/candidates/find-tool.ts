import type { Move, MoveRole } from '../failures/failure.ts';
import { recall } from '../recent.ts';
import { nearestName } from '../text/nearest-name.ts';
import { bareNames } from '../tools/index.ts';
import { isKnownTool, type ToolRole, toolRoleOf } from '../tools/tool-role.ts';
import type { CandidateMemory, RecentCall } from './memory.ts';

/** A tool that can make a move. */
export interface FoundTool {
  tool: string;
  role: MoveRole;
  /**
   * Its server declares it destructive, and it is not a tool that we know to be harmless, such as
   * one that presses a key.
   */
  destructive: boolean;
}

/**
 * If the failed call is neither about files nor about pages, only these roles are certain to help.
 */
const ANYWHERE: ReadonlySet<string> = new Set(['ask', 'wait', 'itself', 'nearest']);
const LATELY = 6;

/**
 * The host's tool that fits a move best: the one that the error names, then one of the failed
 * call's own server, then the most typical one.
 */
export function findTool(
  move: Move,
  failed: RecentCall,
  memory: CandidateMemory,
): FoundTool | null {
  const { by = [] } = move;
  if (move.headed) {
    const home = serverOf(failed.tool);
    const [tool] =
      memory.tools.find(([name, note]) => note.headed && serverOf(name) === home) ?? [];
    return tool === undefined ? null : foundTool(tool, 'itself', memory);
  }
  const named = failed.named === undefined ? undefined : toolRoleOf(failed.named)?.role;
  if (named !== undefined && by.includes(named)) return foundTool(failed.named!, named, memory);
  for (const role of by) {
    if (!belongs(role, failed)) continue;
    const tool =
      role === 'itself'
        ? itself(failed)
        : role === 'nearest'
          ? nearestTool(failed.tool, memory)
          : withRole(role, move, failed, memory);
    if (tool) return foundTool(tool, role, memory);
  }
  return null;
}

/** A tool that the error names, whatever its purpose. */
export const foundTool = (tool: string, role: MoveRole, { tools }: CandidateMemory): FoundTool => ({
  tool,
  role,
  destructive: (recall(tools, tool)?.destructive ?? false) && !isKnownTool(tool),
});

/** What stands before a tool's own name; empty if nothing does. */
const serverOf = (tool: string): string =>
  tool.slice(0, tool.length - (bareNames(tool)[0] ?? tool).length);

const belongs = (role: string, { world }: RecentCall): boolean =>
  ANYWHERE.has(role) || (role === 'shell' ? world !== 'other' : role.startsWith(`${world}-`));

// Nobody knows what repeating a call of an unknown tool would do.
const itself = ({ tool }: RecentCall): string | null =>
  tool === '' || toolRoleOf(tool) === null ? null : tool;

/** A wrong guess costs a call, so at most one letter in four may differ. */
const nearestTool = (tool: string, { tools }: CandidateMemory): string | undefined =>
  nearestName(tool, tools.map(([name]) => name).sort(), Math.floor(tool.length / 4));

function withRole(
  role: ToolRole,
  move: Move,
  failed: RecentCall,
  { tools, calls }: CandidateMemory,
): string | null {
  const lately = new Set(calls.slice(-LATELY).map(({ tool }) => tool));
  const home = toolRoleOf(failed.tool)?.prefix;
  let best: string | null = null;
  let bestRank = '';
  for (const [tool] of tools) {
    const roled = toolRoleOf(tool);
    if (roled?.role !== role || (move.unused && lately.has(tool))) continue;
    const rank = `${roled.prefix === home ? 0 : 1} ${String(roled.place).padStart(3, '0')} ${tool}`;
    if (best && rank >= bestRank) continue;
    best = tool;
    bestRank = rank;
  }
  return best;
}
