import { type InstallableHost, installableHosts } from '../hosts/index.ts';
import {
  additions,
  type FileChange,
  holds,
  isNothing,
  performChange,
  removals,
} from '../settings-files/change.ts';
import { readTextFile, refuseReadOnly, releaseFolders } from '../settings-files/change-file.ts';
import { launcherEdits } from '../settings-files/launcher.ts';
import type { Edit, Order } from '../settings-files/order.ts';
import { joinOn } from '../settings-files/places.ts';
import { rulesEdit } from './rules.ts';

/** Options for what to connect besides hooks. */
export interface Extras {
  /** The rules in the agent's instructions file too. */
  rules: boolean;
  /** Files that must be there first. */
  copies?: readonly Edit[];
  /** Only report the changes. */
  dryRun: boolean;
}

/** Connects an agent. Returns the changed files, or those that would change. */
export function connect(
  agent: InstallableHost,
  order: Order,
  { rules, copies = [], dryRun }: Extras,
): FileChange[] {
  const edits = [...copies, ...editsOf(agent, order), ...(rules ? rulesOf(agent, order) : [])];
  return carryOut(additions(edits), order, dryRun);
}

/**
 * Disconnects an agent. Files that another connected agent needs, such as a project's launcher,
 * stay.
 */
export function disconnect(agent: InstallableHost, order: Order, dryRun: boolean): FileChange[] {
  const others = installableHosts.filter((other) => other !== agent && isConnected(other, order));
  const shared = new Set(
    others.flatMap((other) =>
      [...editsOf(other, order).slice(1), ...rulesOf(other, order)].map(({ path }) => path),
    ),
  );
  const edits = [...editsOf(agent, order), ...rulesOf(agent, order)].filter(
    ({ path }) => !shared.has(path),
  );
  return carryOut(removals(edits), order, dryRun);
}

/** Whether our hooks are in the agent's settings. An unreadable file counts as without. */
export function isConnected(agent: InstallableHost, order: Order): boolean {
  try {
    const [main] = agent.install.edits(order);
    return (
      main !== undefined &&
      !(agent.install.userOnly && order.scope === 'project') &&
      holds(main, readTextFile(main.path))
    );
  } catch {
    return false;
  }
}

/** The agent's file of standing instructions; undefined if it has none. */
export function instructionsOf(
  { install }: InstallableHost,
  { scope, at }: Order,
): string | undefined {
  const name = install.instructions[scope];
  return name && joinOn(at)(scope === 'user' ? install.folder(at) : at.project, name);
}

const editsOf = ({ install }: InstallableHost, order: Order): Edit[] => [
  ...install.edits(order),
  ...launcherEdits(order),
];

const rulesOf = (agent: InstallableHost, order: Order): Edit[] => {
  const path = instructionsOf(agent, order);
  return path === undefined ? [] : [rulesEdit(path)];
};

function carryOut(changes: readonly FileChange[], { at }: Order, dryRun: boolean): FileChange[] {
  const needed = changes.filter((change) => !isNothing(change));
  for (const { path } of needed) refuseReadOnly(path);
  if (dryRun) return needed;
  const stop = [at.home, at.project];
  for (const change of needed) performChange(change, stop);
  for (const { path, after } of needed) if (after === undefined) releaseFolders(path, stop);
  return needed;
}
