import { errorReason } from '@unrut/engine/redact/reason';
import { isUntried } from '@unrut/reading/tried-version';
import type { InstallableHost } from '../../hosts/index.ts';
import { holds } from '../../settings-files/change.ts';
import { readTextFile } from '../../settings-files/change-file.ts';
import { serverOf } from '../../settings-files/hook-address.ts';
import { NO_CALL, type Order, type Scope, type Surroundings } from '../../settings-files/order.ts';
import { isFound, versionOf } from '../found-agents.ts';
import { commandWord, hasPackage } from '../hook-files.ts';
import { type OurCall, ourCalls } from './our-calls.ts';
import { tryCall } from './try-call.ts';

/** Where and how an agent is connected. */
export interface Connection {
  scope: Scope | 'plugin';
  path: string;
  /** It only records. */
  shadow: boolean;
  /** A test call of the hook, made as the agent would, succeeded. */
  fires: boolean;
  /** Something else prevents the call, such as untrusted hooks. */
  held: boolean;
}

/** The state of one agent's connection. */
export interface AgentHealth {
  name: string;
  label: string;
  found: boolean;
  connections: Connection[];
  /** The time of its last event, in epoch milliseconds. */
  lastEvent: number | null;
  problems: string[];
  /** Notes that are not problems. */
  notes: string[];
}

/** Checks an agent's settings, and runs their commands. */
export async function examineAgent(
  agent: InstallableHost,
  at: Surroundings,
  lastEvent: number | null,
): Promise<AgentHealth> {
  const { name, label } = agent;
  const health: AgentHealth = {
    name,
    label,
    found: isFound(agent, at),
    connections: [],
    lastEvent,
    problems: [],
    notes: [],
  };
  for (const scope of ['user', 'project'] as const) {
    if (scope === 'project' && (agent.install.userOnly || at.project === at.home)) continue;
    const order: Order = { scope, at, call: NO_CALL };
    await noting(health, () => examineConnection(agent, order, health));
  }
  await noting(health, async () => {
    const plugin = agent.install.pluginIn?.(at, readTextFile);
    if (plugin !== undefined)
      health.connections.push({
        scope: 'plugin',
        path: plugin,
        shadow: false,
        fires: true,
        held: false,
      });
  });
  if (health.connections.length > 0)
    await noting(health, async () => void health.notes.push(...untriedVersion(agent, at)));
  return health;
}

/** A note if the program is newer than the tested transcripts. */
function untriedVersion(agent: InstallableHost, at: Surroundings): string[] {
  const known = agent.transcripts?.find(({ version }) => version && !version.isFormat)?.version;
  const version = known ? versionOf(agent, at) : undefined;
  if (!known || version === undefined || !isUntried(version, known)) return [];
  return [
    `version ${version}; the latest that was tried is ${known.tried}, so scan may miss what is new`,
  ];
}

/** A failing check becomes a problem, and the report continues. */
async function noting(health: AgentHealth, look: () => Promise<void>): Promise<void> {
  try {
    await look();
  } catch (error) {
    // Only the reason: nothing was changed here.
    const what = errorReason(error).replace(/ Nothing was changed; fix it and try again\.?$/, '');
    const problem = `${health.label}: ${what}`;
    if (!health.problems.includes(problem)) health.problems.push(problem);
  }
}

async function examineConnection(
  agent: InstallableHost,
  order: Order,
  health: AgentHealth,
): Promise<void> {
  const [main] = agent.install.edits(order);
  const text = readTextFile(main!.path);
  if (text === undefined || !holds(main!, text)) return;
  const calls = ourCalls(main!.path, text);
  // A status line in addition to a plugin.
  if (calls.length === 0) return;
  const faults: string[] = [];
  for (const call of calls) {
    const fault = await tryCall(call, order.at.project);
    if (!fault) continue;
    const { what, todo = adviceFor(agent, order, call) } = fault;
    faults.push(`${agent.label}: the hook in ${main!.path} does not work: ${what}. ${todo}.`);
  }
  const obstacles = agent.install.obstacles?.(order, readTextFile) ?? [];
  health.connections.push({
    scope: order.scope,
    path: main!.path,
    shadow: /--shadow|shadow=1/.test(text),
    fires: faults.length === 0,
    held: obstacles.length > 0,
  });
  health.problems.push(...faults, ...obstacles.map((line) => `${agent.label}: ${line}`));
}

function adviceFor({ name }: InstallableHost, { scope, at }: Order, { url }: OurCall): string {
  const unrut = commandWord(at);
  const place = scope === 'project' ? ' --project' : '';
  if (url !== undefined)
    return `To fix it, run ${unrut} install ${name} --http ${serverOf(url)}${place}`;
  return scope === 'project' && hasPackage(at.project)
    ? 'Run npm install'
    : `To fix it, run ${unrut} install ${name}${place}`;
}
