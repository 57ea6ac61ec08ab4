import { existsSync, statSync } from 'node:fs';
import { loadSettings } from '../../config/load-settings.ts';
import { textOf } from '../../json.ts';
import { whyOf } from '../../redact/reason.ts';
import { readLedger } from '../../views/read-ledger.ts';
import type { Surroundings } from '../agent.ts';
import { AGENTS } from '../agents/index.ts';
import { type AgentHealth, examineAgent } from './examine-agent.ts';
import { RECENT, recentFaults } from './recent-faults.ts';
import { whyUnwritable } from './why-unwritable.ts';

/** How it stands on this machine. */
export interface Health {
  node: string;
  ledger: {
    path: string;
    bytes: number;
    /** Hooks can write to it, or make it. */
    writable: boolean;
    lastEvent: number | null;
    /** Of the last 24 hours, without those of the config. */
    faults: number;
    /** Payloads that were not understood, of the same time. */
    notUnderstood: number;
  };
  agents: AgentHealth[];
  /** What is wrong, and what to do about it, one line each. */
  problems: string[];
}

/** As in package.json: before it there is no `node:sqlite` without a flag. */
const OLDEST_NODE = [22, 13];

/** How far back events are looked through for each agent's last one. */
const MOST_EVENTS = 5000;

/** Looks at the agents, the hooks in their settings, the ledger and the config. Changes nothing. */
export async function examine(at: Surroundings): Promise<Health> {
  const { settings, problems: inConfig } = loadSettings({
    cwd: at.project,
    home: at.home,
    environment: at.variables,
    platform: at.platform,
  });
  const problems = [...inConfig];
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < OLDEST_NODE[0]! || (major === OLDEST_NODE[0]! && minor < OLDEST_NODE[1]!))
    problems.push(`This is Node ${process.versions.node}; Unrut needs ${OLDEST_NODE.join('.')} or later.`);

  const { path } = settings.ledger;
  const unwritable = whyUnwritable(path);
  const ledger: Health['ledger'] = {
    path,
    bytes: existsSync(path) ? statSync(path).size : 0,
    writable: unwritable === undefined,
    lastEvent: null,
    faults: 0,
    notUnderstood: 0,
  };
  if (unwritable !== undefined)
    problems.push(`Nothing can be recorded in ${path}: ${unwritable}. Open it for yourself, or name another with UNRUT_HOME.`);
  const now = Date.now();
  const heard = new Map<string, number>();
  try {
    const [events, faults] = await readLedger(path, async (open) => [
      await open.entries({ kind: 'event', last: MOST_EVENTS }),
      await open.entries({ kind: 'fault', since: now - RECENT, last: MOST_EVENTS }),
    ]);
    for (const { at: time, data } of events) heard.set(textOf(data.host), time);
    ledger.lastEvent = events.at(-1)?.at ?? null;
    const recent = recentFaults(faults, now);
    ledger.faults = recent.faults.length;
    ledger.notUnderstood = recent.notUnderstood;
    const last = recent.faults.at(-1);
    if (last !== undefined) problems.push(`Something failed inside; the last time: ${sentence(last)} See unrut log --kind fault.`);
  } catch (error) {
    ledger.writable = false;
    if (unwritable === undefined) problems.push(sentence(whyOf(error)));
  }
  const agents: AgentHealth[] = [];
  for (const agent of AGENTS) agents.push(await examineAgent(agent, at, heard.get(agent.name) ?? null));
  return {
    node: process.versions.node,
    ledger,
    agents,
    problems: [...new Set([...problems, ...agents.flatMap((agent) => agent.problems)])],
  };
}

/** With one full stop at its end. */
const sentence = (text: string): string => text.replace(/[.\s]*$/, '.');
