import {
  type AgentEvent,
  type Call,
  type CallFinished,
  type CallProposed,
  parentOf,
  type Rung,
} from '../event.ts';
import { hash32 } from '../hash.ts';
import { push } from '../recent.ts';
import { launchedBy, namesInTask, startsAgents } from '../tools/spawns.ts';
import { overlap } from './sketch.ts';

/** A task that was handed to an agent. */
export interface Handed {
  /** How deep the agent is: 1 if the session itself started it. */
  depth: number;
  /** How many times in a row the task was handed on nearly unchanged. */
  passed: number;
  /** The smallest hashes of its words. */
  words: number[];
}

/** The agents that a session and those below it have started. Kept once there is one. */
export interface SpawnState {
  total: number;
  /** The minute of the first start, since 1970. Others are counted from it. */
  from: number;
  /** How many were started in each slot of five seconds of the last minute: slot, count, … */
  slots: number[];
  /** Those that have not come back: hash of the call or the agent, minute in which it began, … */
  open: number[];
  /** Started, and not heard of yet. */
  starting: [call: number, task: Handed][];
  /** How many starts were held back since a person spoke. */
  held: number;
}

/** What is seen of the agents at a call that starts one. */
export interface SpawnPrint {
  /** Started within the last minute, with this one. */
  minute: number;
  /** Started and not come back, with this one. */
  running: number;
  total: number;
  held: number;
  task: Handed;
  /** Agents that have not returned: hash of the call or the agent, minute of its start, … */
  names: number[];
  /** The agent continues in the background, so the result is no answer. */
  launched: boolean;
}

/** The parts of a fingerprint that matter here. */
interface Seen {
  call?: { words: number[] };
  announced: boolean;
  result?: { acknowledgement: boolean };
  spawns?: SpawnPrint;
}

const SLOT = 5000;
const SLOTS = 12;
/** An agent of which nobody says that it has ended counts for half an hour. */
const MAX_MINUTES = 30;
const MINUTE = 60_000;
const MAX_OPEN = 48;
const MAX_STARTING = 6;
const WORDS = 5;
/** The share of words from which a task is the one that the agent was given itself. */
const ALIKE = 0.6;

const startSpawns = (at: number): SpawnState => ({
  total: 0,
  from: Math.floor(at / MINUTE),
  slots: [],
  open: [],
  starting: [],
  held: 0,
});

/** The state of the event's agent, and of the session at the top of it. */
interface Places {
  own: { spawns?: SpawnState; task?: Handed };
  top: { spawns?: SpawnState };
}

/** Whether the event is about a call that starts an agent. */
export const isStart = (event: AgentEvent): event is CallProposed | CallFinished =>
  (event.type === 'call-proposed' || event.type === 'call-finished') &&
  startsAgents(event.call.tool, event.call.args);

/** Reads an event for agents that start or end, and adds what is known of a start to `seen`. */
export function readSpawns(
  { own, top }: Places,
  event: AgentEvent,
  seen: Seen,
  seed: number,
): void {
  const { spawns } = top;
  if (spawns) noteOthers(spawns, own, event);
  if (!seen.call || !isStart(event)) return;
  if (event.type === 'call-finished' && event.refusedBy !== undefined) {
    if (spawns) forget(spawns, event.call);
    return;
  }
  top.spawns ??= startSpawns(event.at);
  const isKnown = seen.announced && isCounted(top.spawns, event.call);
  const slot = Math.floor(event.at / SLOT);
  const more = isKnown ? 0 : 1;
  const launched =
    event.type === 'call-finished' && launchedBy(event.result, event.call.args) !== null;
  // The answer is still to come.
  if (launched && seen.result) seen.result.acknowledgement = true;
  seen.spawns = {
    minute: startedBy(top.spawns, slot) + more,
    running: runningAt(top.spawns, event.at) + more,
    total: top.spawns.total + more,
    held: top.spawns.held,
    task: handedOn(own.task, seen.call.words.slice(0, WORDS)),
    names: namesInTask(event.call.args, seed),
    launched,
  };
}

/** Whether a task names something that an earlier one did not: it is about another thing. */
export const isAboutAnother = (names: readonly number[], before: readonly number[]): boolean =>
  names.some((name) => !before.includes(name));

/** Notes the agents that begin and end with an event. */
function noteOthers(spawns: SpawnState, own: Places['own'], event: AgentEvent): void {
  if (parentOf(event) !== undefined) own.task ??= spawns.starting.shift()?.[1] ?? UNKNOWN_TASK;
  noteEnds(spawns, event);
  if (event.type === 'user-spoke') spawns.held = 0;
}

/** A task for another agent: one level deeper, and perhaps the one that the agent was given. */
function handedOn(given: Handed | undefined, words: number[]): Handed {
  const isPassedOn = given !== undefined && overlap(words, given.words, WORDS) >= ALIKE;
  return { depth: (given?.depth ?? 0) + 1, passed: isPassedOn ? given.passed + 1 : 0, words };
}

const UNKNOWN_TASK: Handed = { depth: 1, passed: 0, words: [] };

/** Counts the start that was read, unless it was blocked. `rung`: what was done about it. */
export function countSpawn(
  { top: { spawns } }: Places,
  event: AgentEvent,
  { spawns: print, announced }: Seen,
  rung: Rung | undefined,
): void {
  if (!spawns || !print || (event.type !== 'call-proposed' && event.type !== 'call-finished'))
    return;
  const isHeld = event.type === 'call-proposed' && (rung === 'block' || rung === 'escalate');
  if (isHeld) spawns.held++;
  if (rung === 'block') return;
  const id = hash32(event.call.id);
  const slot = Math.floor(event.at / SLOT);
  if (!(announced && isCounted(spawns, event.call))) {
    spawns.total++;
    addTo(spawns.slots, slot);
    spawns.open.push(id, Math.floor(event.at / MINUTE) - spawns.from);
    if (spawns.open.length > 2 * MAX_OPEN) spawns.open.splice(0, 2);
    push(spawns.starting, [id, print.task], MAX_STARTING);
  }
  if (event.type === 'call-proposed') return;
  const agent = launchedBy(event.result, event.call.args);
  if (agent === null) forget(spawns, event.call);
  else rename(spawns, id, hash32(agent || event.call.id));
}

const isCounted = ({ open }: SpawnState, { id }: Call): boolean =>
  open.some((each, i) => i % 2 === 0 && each === hash32(id));

function startedBy({ slots }: SpawnState, slot: number): number {
  let count = 0;
  for (let i = 0; i < slots.length; i += 2) if (slots[i]! > slot - SLOTS) count += slots[i + 1]!;
  return count;
}

function runningAt({ open, from }: SpawnState, at: number): number {
  const minute = Math.floor(at / MINUTE) - from;
  let count = 0;
  for (let i = 0; i < open.length; i += 2) if (open[i + 1]! > minute - MAX_MINUTES) count++;
  return count;
}

function addTo(slots: number[], slot: number): void {
  if (slots.at(-2) === slot) slots[slots.length - 1]!++;
  else slots.push(slot, 1);
  if (slots.length > 2 * SLOTS) slots.splice(0, 2);
}

function rename({ open }: SpawnState, from: number, to: number): void {
  const place = open.findIndex((each, i) => i % 2 === 0 && each === from);
  if (place >= 0) open[place] = to;
}

function end({ open }: SpawnState, hash: number): void {
  const place = open.findIndex((each, i) => i % 2 === 0 && each === hash);
  if (place >= 0) open.splice(place, 2);
}

/** A call has come back, or was never made. */
function forget(spawns: SpawnState, { id }: Call): void {
  const hash = hash32(id);
  end(spawns, hash);
  spawns.starting = spawns.starting.filter(([call]) => call !== hash);
}

/** Agents in the background end with a turn of theirs, or a report of the file that they wrote. */
function noteEnds(spawns: SpawnState, event: AgentEvent): void {
  const { agent, changed = [] } = event;
  const isOver =
    event.type === 'session-ended' || (event.type === 'text-added' && event.rest !== undefined);
  if (isOver && agent !== undefined) end(spawns, hash32(agent));
  for (const file of changed) end(spawns, hash32(FILE.exec(file)?.[1] ?? ''));
}
const FILE = /([^/\\]+?)(?:\.\w+)?$/;
