import type { AgentEvent, Call, TextAdded } from '@unrut/engine/event';
import { hash32 } from '@unrut/engine/hash';
import { push } from '@unrut/engine/recent';
import type { HookCall, HookPayload, HookTold } from './hook-payload.ts';
import type { Returned } from './importer.ts';
import { readTime } from './moment.ts';

/**
 * The memory between the hooks of one run, which may be separate processes. Plain JSON of bounded
 * size.
 */
export interface HookThread {
  /** Calls that were shown before they ran and whose results are still to come, oldest first. */
  open: OpenCall[];
  /** Hashes of reported events, so that a hook that fires twice counts once. */
  told: number[];
  /** Numbers the calls to which the host gives no id. */
  count: number;
  /** Calls shown one right after the other share a batch. */
  batch: string | null;
  isCompacted: boolean;
  /** Hooks that show every tool, and hooks that show whole responses, have been seen. */
  showsCalls: boolean;
  showsBatches: boolean;
  spelling: string | null;
  /** Why the run was stopped, for a person, until one speaks. */
  stopped: string | null;
  /** Dollars of the session that its events have carried so far. */
  paid: number;
  /** News about nested agents that were stopped, which the agent has not read yet. */
  unread: string[];
  /**
   * Start of the model's turn, in epoch milliseconds; null if the time may include waiting for
   * others.
   */
  since: number | null;
  /** Files that the host reported as changed since the last event. */
  changed?: string[];
  /** The last report and the hook that made it, for hosts whose calls have no ids. */
  last: { hash: number; from: string } | null;
  /** The turn was started by something other than a person. */
  isWoken: boolean;
}

interface OpenCall {
  id: string;
  /** Hashes: nothing raw of a call is kept. */
  tool: number;
  args: number;
  batch: string;
  /**
   * How a call ended according to its own hook, while the hook after the whole response is still to
   * come.
   */
  ended?: Omit<Returned, 'result'>;
}

/** One step that a payload reports, with an id for every call. */
export type HookStep =
  | Exclude<HookTold, { call: HookCall }>
  | ({ what: 'calls'; modelMs?: number } & HookStepOfCall)
  | ({ what: 'returned'; returned: Returned; isAnnounced: boolean } & HookStepOfCall);

interface HookStepOfCall {
  call: Call;
  batch: string;
  /**
   * The host's own name for the call: its id, otherwise its time; undefined if it reports neither.
   */
  name: string | undefined;
}

const MAX_OPEN = 64;
const MAX_TOLD = 128;

export const startHookThread = (): HookThread => ({
  open: [],
  told: [],
  count: 0,
  batch: null,
  isCompacted: false,
  showsCalls: false,
  showsBatches: false,
  spelling: null,
  stopped: null,
  paid: 0,
  unread: [],
  since: null,
  last: null,
  isWoken: false,
});

/** How a payload ends the agent's turn; undefined if it does not. Changes the thread. */
export function restIn(
  thread: HookThread,
  { isRest, isWaiting, isWoken, told }: HookPayload,
): TextAdded['rest'] {
  const wasWoken = thread.isWoken;
  if (isWoken) thread.isWoken = true;
  else if (isRest || told.some(({ what }) => what === 'person')) thread.isWoken = false;
  if (!isRest) return undefined;
  return isWaiting || wasWoken ? 'waiting' : 'idle';
}

/**
 * Whether another hook of the same host has just reported the same: the user's and the project's
 * hooks are both called. Changes the thread.
 */
export function isToldTwice(thread: HookThread, payload: HookPayload, from: string): boolean {
  const hash = hash32(JSON.stringify(payload.told));
  const isTwin = thread.last !== null && thread.last.hash === hash && thread.last.from !== from;
  thread.last = isTwin ? null : { hash, from };
  return isTwin;
}

/**
 * Returns the steps in a payload that are new: each call once, although several hooks report it,
 * and with the time that the model took for it. `at`: when the payload arrived. Changes the thread.
 */
export function followHook(thread: HookThread, payload: HookPayload, at?: number): HookStep[] {
  const steps = newIn(thread, payload);
  if (at === undefined) return steps;
  const timed = steps.map((step) =>
    step.what === 'calls' && thread.since !== null
      ? { ...step, modelMs: Math.max(0, at - thread.since) }
      : step,
  );
  thread.since = turnSince(thread.since, payload, at);
  return timed;
}

/** Adds what the host has reported as changed to the first of these events. Changes the thread. */
export function withChanges(
  thread: HookThread,
  { changed = [] }: HookPayload,
  events: AgentEvent[],
): AgentEvent[] {
  const all = [...(thread.changed ?? []), ...changed].slice(-MAX_CHANGED);
  const [first, ...rest] = events;
  delete thread.changed;
  if (all.length === 0) return events;
  if (first) return [{ ...first, changed: all }, ...rest];
  thread.changed = all;
  return events;
}
const MAX_CHANGED = 8;

/**
 * A result and a person hand over to the model. It keeps the turn while it speaks, and has had it
 * when it calls.
 */
function turnSince(since: number | null, { told, isRest }: HookPayload, at: number): number | null {
  const last = told.at(-1)?.what;
  if (isRest) return null;
  if (last === 'returned' || last === 'person') return at;
  return last === 'says' || last === 'thinks' || last === 'calls' ? since : null;
}

function newIn(thread: HookThread, payload: HookPayload): HookStep[] {
  const { told, isDetail, spelling } = payload;
  thread.spelling ??= spelling ?? null;
  if (spelling !== undefined && thread.spelling !== spelling) return [];
  if (told.some(({ what }) => what === 'person')) thread.stopped = null;
  const showsTools = told.some(({ what }) => what === 'calls' || what === 'returned');
  if (showsTools && !isDetail) thread.showsCalls = true;
  if (isDetail && thread.showsCalls) return [];
  if (payload.isBatch) thread.showsBatches = true;
  const isCall = told[0]?.what === 'calls';
  if (!isCall) thread.batch = null;
  const steps = told.flatMap((each) => tell(thread, each, payload));
  if (!isCall) thread.batch = null;
  return steps;
}

/**
 * Removes a call that will not run from the open ones. Returns it with its id and batch, if it was
 * open.
 */
export function refuseOpen(
  thread: HookThread,
  call: HookCall,
): { call: Call; batch: string } | undefined {
  const open =
    call.id === undefined
      ? thread.open.findLast((other) => isSame(other, call))
      : openWith(thread, call.id);
  if (!open) return undefined;
  close(thread, open);
  thread.batch = null;
  return { call: { ...call, id: open.id }, batch: open.batch };
}

function tell(thread: HookThread, told: HookTold, payload: HookPayload): HookStep[] {
  const wasCompacted = thread.isCompacted;
  thread.isCompacted = told.what === 'compacted';
  // Several hooks report the same compaction: before it, after it, and at the restart of the
  // session.
  if (told.what === 'compacted') {
    if (!wasCompacted) return [told];
    return told.tells ? [{ ...told, again: true }] : [];
  }
  if (told.what !== 'calls' && told.what !== 'returned') return [told];
  if (told.call.id === undefined && isRepeated(thread, told, payload.at)) return [];
  const name = told.call.id ?? momentOf(told.call, payload.at);
  return told.what === 'calls'
    ? [...failBefore(thread, told.call, payload), ...propose(thread, told.call, name)]
    : finish(thread, told.call, name, told.returned, payload);
}

function propose(thread: HookThread, call: HookCall, name: string | undefined): HookStep[] {
  if (call.id !== undefined && (openWith(thread, call.id) || thread.told.includes(hash32(call.id))))
    return [];
  const id = call.id ?? nextId(thread);
  // Calls shown one right after the other were made in parallel; but not the same call again: that
  // one was refused before.
  if (thread.batch === null || thread.open.some((other) => isSame(other, call))) thread.batch = id;
  push(
    thread.open,
    { id, tool: hash32(call.tool), args: hashOf(call.args), batch: thread.batch },
    MAX_OPEN,
  );
  return [{ what: 'calls', call: { ...call, id }, batch: thread.batch, name }];
}

/** The failure of the same call, which the host did not report. */
function failBefore(thread: HookThread, call: HookCall, payload: HookPayload): HookStep[] {
  if (!payload.hidesFailures || !thread.open.some((open) => isSame(open, call))) return [];
  return finish(thread, call, undefined, { error: true }, payload);
}

function finish(
  thread: HookThread,
  call: HookCall,
  name: string | undefined,
  returned: Returned,
  { isBatch }: HookPayload,
): HookStep[] {
  if (call.id !== undefined && thread.told.includes(hash32(call.id))) return [];
  const open = call.id === undefined ? pairOf(thread, call) : openWith(thread, call.id);
  // The hook after the whole response shows what the model sees of it; not so when the response was
  // cut short.
  if (thread.showsBatches && !isBatch && returned.refusedBy === undefined) {
    const { result: _, ...ended } = returned;
    if (open) open.ended = ended;
    return [];
  }
  const id = open?.id ?? call.id ?? nextId(thread);
  if (isBatch || !open) thread.batch ??= open?.batch ?? id;
  const batch = isBatch || !open ? thread.batch! : open.batch;
  close(thread, open ?? { id });
  // The same call, announced and still to end, was made at the same time. One that a person refused
  // never ends.
  for (const other of thread.open) if (isSame(other, call)) other.batch = batch;
  const isAnnounced = open !== undefined;
  return [
    {
      what: 'returned',
      call: { ...call, id },
      batch,
      name,
      returned: { ...returned, ...open?.ended },
      isAnnounced,
    },
  ];
}

function close(thread: HookThread, { id }: { id: string }): void {
  thread.open = thread.open.filter((other) => other.id !== id);
  push(thread.told, hash32(id), MAX_TOLD);
}

/** A call without an id is identified by its time, if the host reports it. */
function momentOf(call: HookCall, at: unknown): string | undefined {
  const time = readTime(at);
  return time === undefined ? undefined : `${time} ${call.tool} ${hashOf(call.args)}`;
}

function isRepeated(
  thread: HookThread,
  { what, call }: { what: string; call: HookCall },
  at: unknown,
): boolean {
  const moment = momentOf(call, at);
  if (moment === undefined) return false;
  const hash = hash32(`${what} ${moment}`);
  if (thread.told.includes(hash)) return true;
  push(thread.told, hash, MAX_TOLD);
  return false;
}

/**
 * The open call that a result without an id belongs to: of the same tool, if possible with the same
 * arguments.
 */
function pairOf(thread: HookThread, call: HookCall): OpenCall | undefined {
  const alike = thread.open.filter(({ tool }) => tool === hash32(call.tool));
  return alike.find((other) => isSame(other, call)) ?? alike[0];
}

const nextId = (thread: HookThread): string => `call ${++thread.count}`;
const openWith = ({ open }: HookThread, id: string): OpenCall | undefined =>
  open.find((other) => other.id === id);
const hashOf = (args: unknown): number => hash32(JSON.stringify(args) ?? '');
const isSame = (open: OpenCall, call: HookCall): boolean =>
  open.tool === hash32(call.tool) && open.args === hashOf(call.args);
