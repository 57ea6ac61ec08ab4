import type { Edit, InstallableAgent, Order } from './agent.ts';
import { AGENTS } from './agents/index.ts';
import { additions, type Change, holds, isNothing, perform, removals } from './change.ts';
import { readText, releaseFolders } from './change-file.ts';
import { rulesEdit } from './rules.ts';

/** What is connected or disconnected besides the hooks. */
export interface Extras {
  /** The rules in the agent's instructions file too. */
  rules: boolean;
  /** Files that must be there first. */
  copies?: readonly Edit[];
  /** Say what would be done, and do nothing. */
  dryRun: boolean;
}

/** Connects an agent. Gives the files that were changed, or would be. */
export function connect(agent: InstallableAgent, order: Order, { rules, copies = [], dryRun }: Extras): Change[] {
  const edits = [...copies, ...agent.edits(order), ...(rules ? rulesOf(agent, order) : [])];
  return carryOut(additions(edits), order, dryRun);
}

/** Disconnects an agent. What another connected agent needs too, such as the launcher of a project, stays. */
export function disconnect(agent: InstallableAgent, order: Order, dryRun: boolean): Change[] {
  const others = AGENTS.filter((other) => other !== agent && isConnected(other, order));
  const shared = new Set(others.flatMap((other) => [...other.edits(order).slice(1), ...rulesOf(other, order)].map(({ path }) => path)));
  const edits = [...agent.edits(order), ...rulesOf(agent, order)].filter(({ path }) => !shared.has(path));
  return carryOut(removals(edits), order, dryRun);
}

/** Whether our hooks are in the agent's settings. A file that cannot be read holds none. */
export function isConnected(agent: InstallableAgent, order: Order): boolean {
  try {
    const [main] = agent.edits(order);
    return main !== undefined && !(agent.userOnly && order.scope === 'project') && holds(main, readText(main.path));
  } catch {
    return false;
  }
}

const rulesOf = (agent: InstallableAgent, { scope, at }: Order): Edit[] => {
  const path = agent.instructions(scope, at);
  return path === undefined ? [] : [rulesEdit(path)];
};

function carryOut(changes: readonly Change[], { at }: Order, dryRun: boolean): Change[] {
  const needed = changes.filter((change) => !isNothing(change));
  if (dryRun) return needed;
  const stop = [at.home, at.project];
  for (const change of needed) perform(change, stop);
  for (const { path, after } of needed) if (after === undefined) releaseFolders(path, stop);
  return needed;
}
