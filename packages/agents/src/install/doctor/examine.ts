import { accessSync, constants, existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { textOf } from '@unrut/engine/json';
import { errorReason } from '@unrut/engine/redact/reason';
import { serverIn } from '@unrut/ledger/config/addresses';
import { loadSettings } from '@unrut/ledger/config/load-settings';
import type { LedgerEntry } from '@unrut/ledger/ledger';
import { type LedgerDrivers, ledgerName } from '@unrut/ledger/open-ledger';
import { offFor } from '@unrut/ledger/people/said';
import { offText } from '@unrut/ledger/people/switch';
import { ledgerPath } from '@unrut/ledger/sqlite/ledger-path';
import { openDatabase, transaction } from '@unrut/ledger/sqlite/open-database';
import { isBusy } from '@unrut/ledger/sqlite/sqlite-error';
import { readLedger } from '@unrut/ledger/views/read-ledger';
import { readMissed } from '../../hook/missed.ts';
import { countPending } from '../../hook/pending.ts';
import { installableHosts } from '../../hosts/index.ts';
import type { Surroundings } from '../../settings-files/order.ts';
import { budgetNotes } from '../budget-notes.ts';
import { type AgentHealth, examineAgent } from './examine-agent.ts';
import { tryServer } from './try-call.ts';

/** The state of this machine. */
export interface Health {
  node: string;
  /** Answers hooks in place of this machine (`UNRUT_SERVER`). */
  server?: { url: string; answers: boolean };
  ledger: {
    /** Of a Postgres: its host and name. */
    path: string;
    /** Null for a Postgres. */
    bytes: number | null;
    /** Hooks can write to it, or make it. */
    writable: boolean;
    lastEvent: number | null;
    /** Faults of the last 24 hours, without those of the config. */
    faults: number;
    /** Payloads of the last 24 hours that were not understood. */
    notUnderstood: number;
    /** Hook calls that waited for lack of time; the next hook records them. */
    pending: number;
  };
  /** Where and until when Unrut is off for this folder. */
  off?: string;
  /** Sessions for which alone it is switched off, the newest first. */
  offSessions?: string[];
  agents: AgentHealth[];
  /** Problems with advice, one line each. */
  problems: string[];
  /** Things that work, but differ from the settings, one line each. */
  notes: string[];
}

/** As in package.json: earlier versions need a flag for `node:sqlite`. */
const OLDEST_NODE = [22, 13];

/** Max number of events to search for each agent's last one. */
const MAX_EVENTS = 5000;

/** Inputs of the command line besides the environment. */
export interface ExamineOptions {
  /** Default: the project. */
  cwd?: string;
  /** For a ledger that is no file. */
  drivers?: LedgerDrivers;
  /** Problems that are already known. */
  problems?: readonly string[];
}

/** Checks the agents, their hooks, the ledger and the config. Changes nothing. */
export async function examine(
  at: Surroundings,
  { cwd = at.project, drivers = {}, problems: known = [] }: ExamineOptions = {},
): Promise<Health> {
  const { settings, problems: inConfig } = loadSettings({
    cwd,
    home: at.home,
    environment: at.variables,
    platform: at.platform,
  });
  const problems = [...inConfig, ...known];
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < OLDEST_NODE[0]! || (major === OLDEST_NODE[0]! && minor < OLDEST_NODE[1]!))
    problems.push(
      `Unrut needs Node ${OLDEST_NODE.join('.')} or later; this is ${process.versions.node}.`,
    );

  const { path, url: database } = settings.ledger;
  const unwritable = database === undefined ? whyUnwritable(path) : undefined;
  const ledger: Health['ledger'] = {
    path: ledgerName(database ?? path),
    bytes: database !== undefined ? null : existsSync(path) ? statSync(path).size : 0,
    writable: unwritable === undefined,
    lastEvent: null,
    faults: 0,
    notUnderstood: 0,
    pending: countPending(dirname(ledgerPath(at))),
  };
  if (unwritable !== undefined)
    problems.push(
      `Cannot write to ${path}: ${unwritable}. Make it writable, or set UNRUT_HOME to another folder.`,
    );
  const now = Date.now();
  const heard = new Map<string, number>();
  try {
    const [events, faults] = await readLedger(database ?? path, drivers, async (open) => [
      await open.entries({ kind: 'event', last: MAX_EVENTS }),
      await open.entries({ kind: 'fault', since: now - RECENT, last: MAX_EVENTS }),
    ]);
    for (const { at: time, data } of events) heard.set(textOf(data.host), time);
    ledger.lastEvent = events.at(-1)?.at ?? null;
    const recent = recentFaults(faults, now);
    const missed = readMissed(path).filter(({ at: time }) => time > now - RECENT);
    recent.faults.push(...missed.map(({ message }) => message));
    ledger.faults = recent.faults.length;
    ledger.notUnderstood = recent.notUnderstood;
    const last = recent.faults.at(-1);
    if (last !== undefined)
      problems.push(
        `Unrut had an internal fault; the latest: ${sentence(last)} See unrut show --log --kind fault.`,
      );
  } catch (error) {
    ledger.writable = false;
    if (unwritable === undefined) problems.push(sentence(errorReason(error)));
  }
  const url = serverIn(at.variables);
  const refusal = url
    ? await tryServer(url, true, 'Agents go on without Unrut until one does')
    : undefined;
  if (refusal)
    problems.push(`UNRUT_SERVER: ${refusal.what} at ${url}. ${refusal.todo ?? 'Look at its log'}.`);
  const off = offFor(settings.said, cwd);
  const offSessions = settings.said.off.flatMap(({ session }) => session ?? []).reverse();
  const agents: AgentHealth[] = [];
  for (const agent of installableHosts)
    agents.push(await examineAgent(agent, at, heard.get(agent.name) ?? null));
  return {
    node: process.versions.node,
    ...(url ? { server: { url, answers: refusal === undefined } } : {}),
    ledger,
    ...(off ? { off: offText(off) } : {}),
    ...(offSessions.length > 0 ? { offSessions } : {}),
    agents,
    problems: [...new Set([...problems, ...agents.flatMap((agent) => agent.problems)])],
    notes: budgetNotes(
      settings.guard.budget,
      installableHosts.filter((_, i) => agents[i]!.connections.length > 0),
      at,
    ).map((note) => `budget.${note}`),
  };
}

/** With one full stop at its end. */
const sentence = (text: string): string => text.replace(/[.\s]*$/, '.');

/** The recent faults of a ledger. */
interface RecentFaults {
  /** Internal faults, oldest first. */
  faults: string[];
  /**
   * The number of payloads that were not understood. Their sender is unknown, and nothing else
   * failed.
   */
  notUnderstood: number;
}

/** Milliseconds for which a fault counts; older ones may be fixed. */
const RECENT = 24 * 3_600_000;

/** The messages of `answerHook` for unknown payloads, and of Node for invalid JSON. */
const GARBAGE = /^expected what a known agent hands to its hooks|\bJSON\b/;

/** Sorts faults. Those of the config are skipped, since the config itself is checked. */
function recentFaults(entries: readonly LedgerEntry[], now: number): RecentFaults {
  const recent = entries.filter(({ at, data }) => at > now - RECENT && data.where !== 'config');
  const isGarbage = ({ data }: LedgerEntry): boolean =>
    data.where === 'hook' && GARBAGE.test(textOf(data.message));
  return {
    faults: recent.filter((entry) => !isGarbage(entry)).map(({ data }) => textOf(data.message)),
    notUnderstood: recent.filter(isGarbage).length,
  };
}

/**
 * Why a file cannot be written; undefined if it can. If it does not exist, its folder is checked.
 * Creates neither.
 */
function whyUnwritable(path: string): string | undefined {
  const missing = whyClosed(path, constants.W_OK);
  if (missing !== undefined && missing !== 'ENOENT')
    return errorReason({ code: missing, message: missing });
  // SQLite writes next to the file too.
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const code = whyClosed(`${folder}/`, constants.W_OK | constants.X_OK);
    if (code === undefined) return whyFull(folder) ?? whyLocked(path);
    if (code !== 'ENOENT' || folder === dirname(folder))
      return `its folder ${folder} is not writable (${code})`;
  }
}

/** As much as a few hooks write. */
const PROBE_LENGTH = 1 << 16;

/** Why a folder cannot be written, tested with a temporary file. */
function whyFull(folder: string): string | undefined {
  const draft = join(folder, `.unrut-doctor-${process.pid}`);
  try {
    writeFileSync(draft, Buffer.alloc(PROBE_LENGTH), { mode: 0o600, flush: true });
    return undefined;
  } catch (error) {
    return errorReason(error);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Milliseconds; hooks wait for longer. */
const LOCK_WAIT = 2000;

/** Why the ledger cannot be written although its folder can: another program holds it. */
function whyLocked(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const database = openDatabase(path, { wait: LOCK_WAIT, durable: false });
    try {
      transaction(database, () => {});
    } finally {
      database.close();
    }
    return undefined;
  } catch (error) {
    return isBusy(error)
      ? 'another program has locked it. Find it with lsof, and end it'
      : undefined;
  }
}

/** The error code that prevents access. */
function whyClosed(path: string, mode: number): string | undefined {
  try {
    accessSync(path, mode);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}
