import type { Moment, Returned, Run } from '../importer.ts';
import { createSeen } from '../seen.ts';
import type { HookCall, HookPayload, HookTold } from './hook-dialect.ts';

/** Calls that may wait for their results, and ids by which a payload that comes twice is known. */
const MOST_OPEN = 64;
const MOST_IDS = 4096;

/** Writes to a run what its hooks tell: each call once, although several hooks tell of it. */
export function createHookThread(run: Run): (payload: HookPayload) => void {
  const isCalled = createSeen(MOST_IDS);
  const isDone = createSeen(MOST_IDS);
  let open: (HookCall & { id: string })[] = [];
  let batch: string | undefined;
  let count = 0;
  let isWhole = false;
  let isCompacted = false;

  function propose(call: HookCall, moment: Moment): string {
    const id = call.id ?? `call ${++count}`;
    // Calls shown one right after the other were made in parallel; but not the same call again: that one was refused before.
    if (batch === undefined || open.some((other) => isSame(other, call))) batch = id;
    run.calls({ ...call, id, batch }, moment);
    open.push({ ...call, id });
    if (open.length > MOST_OPEN) open.shift();
    return id;
  }

  /** The open call that a result without an id belongs to: of the same tool, if possible with the same arguments. */
  function pairOf(call: HookCall): string | undefined {
    const alike = open.filter(({ tool }) => tool === call.tool);
    return (alike.find((other) => isSame(other, call)) ?? alike[0])?.id;
  }

  function finish(call: HookCall, returned: Returned, moment: Moment): void {
    if (call.id !== undefined && isDone(call.id)) return;
    const known = call.id === undefined ? pairOf(call) : isCalled(call.id) ? call.id : undefined;
    const id = known ?? propose(call, moment);
    run.returns(id, returned, moment);
    open = open.filter((other) => other.id !== id);
  }

  function tell(told: HookTold, moment: Moment): void {
    const wasCompacted = isCompacted;
    isCompacted = told.what === 'compacted';
    if (told.what === 'calls') {
      if (told.call.id === undefined || !isCalled(told.call.id)) propose(told.call, moment);
    } else if (told.what === 'returned') finish(told.call, told.returned, moment);
    else if (told.what === 'person') run.person(told.text, moment);
    else if (told.what === 'says') run.says(told.text, moment);
    else if (told.what === 'thinks') run.thinks(told.text, moment);
    else if (told.what === 'ended') run.ends({ ...moment, outcome: told.outcome });
    // Hooks before and after it, and of the session that begins anew, tell of one compaction.
    else if (!wasCompacted) run.compacted(moment);
  }

  return ({ told, at, isDetail }) => {
    const showsTools = told.some(({ what }) => what === 'calls' || what === 'returned');
    if (showsTools && isDetail !== true) isWhole = true;
    if (isDetail && isWhole) return;
    const isCall = told[0]?.what === 'calls';
    if (!isCall) batch = undefined;
    for (const each of told) tell(each, { at });
    if (!isCall) batch = undefined;
  };
}

const isSame = (one: HookCall, other: HookCall): boolean =>
  one.tool === other.tool && JSON.stringify(one.args) === JSON.stringify(other.args);
