import { callKey, digest } from './call-key.ts';
import { definePeer, type PeerCall } from './define-peer.ts';
import { type Alarm, act, type Peer, warn } from './peer.ts';
import { tail } from './tail.ts';
import { fieldsOf, isPolling } from './tool-kinds.ts';

const HISTORY = 30;
const WARN = 10;
const BLOCK = 20;
const BREAK = 30;
const UNKNOWN_TOOL = 10;
const AFTER_COMPACTION = 3;

interface Past {
  key: string;
  tool: string;
  /** Missing while the call runs. */
  result?: string;
  unknownTool?: boolean;
}

/**
 * OpenClaw, among the last thirty calls of a run: warns of a call made ten times, blocks one with
 * the same result at twenty. Newer ones also block an unbroken run of twenty, whatever the results.
 */
export function openClaw({ unbrokenRun }: { unbrokenRun: boolean }): Peer {
  return definePeer(unbrokenRun ? 'OpenClaw (unbroken run)' : 'OpenClaw (old)', () => {
    let history: Past[] = [];
    let sinceCompaction: string[] | null = null;
    return {
      call(call) {
        const key = keyOf(call);
        const alarm = judge(history, call, key, unbrokenRun);
        history = [...history, { key, tool: call.tool }].slice(-HISTORY);
        return alarm;
      },
      result({ result, failed, refusedBy, ...call }) {
        const key = keyOf(call);
        const past = history.findLast((one) => one.key === key && one.result === undefined);
        const printed = digest(`${failed} ${result}`);
        if (past)
          Object.assign(past, { result: printed, unknownTool: refusedBy === 'unknown-tool' });
        sinceCompaction?.push(`${key} ${printed}`);
        if (sinceCompaction?.length !== AFTER_COMPACTION) return;
        const persists = new Set(sinceCompaction).size === 1;
        sinceCompaction = null;
        if (persists) return act('abort');
      },
      compaction() {
        sinceCompaction = [];
      },
      user() {
        history = [];
      },
    };
  });
}

function judge(
  history: readonly Past[],
  call: PeerCall,
  key: string,
  unbrokenRun: boolean,
): Alarm | null {
  const unknown =
    history.length -
    1 -
    history.findLastIndex((past) => !(past.unknownTool && past.tool === call.tool));
  const same = sameResults(history, key);
  if (unknown >= UNKNOWN_TOOL) return act('block');
  if (same >= BREAK) return act('breaker');
  if (isPolling(call)) return same >= BLOCK ? act('block') : same >= WARN ? warn('warning') : null;
  const { length, stable } = alternation(history, key);
  if (length >= BLOCK && stable) return act('block');
  if (length >= WARN) return warn('warning');
  const run = history.length - 1 - history.findLastIndex((past) => past.key !== key);
  if (same >= BLOCK || (unbrokenRun && run >= BLOCK)) return act('block');
  return history.filter((past) => past.key === key).length >= WARN ? warn('warning') : null;
}

/** How often this call was made with the result that it had last, until it had another one. */
function sameResults(history: readonly Past[], key: string): number {
  const results = history
    .filter((past) => past.key === key && past.result !== undefined)
    .map((past) => past.result!);
  return results.length - 1 - results.findLastIndex((result) => result !== results.at(-1));
}

/**
 * Length of the alternation of two calls that this call continues with, and whether each of them
 * has one result.
 */
function alternation(history: readonly Past[], key: string): { length: number; stable: boolean } {
  const keys = [...history.map((past) => past.key), key];
  const length = tail(keys, 2);
  if (keys.length < 3 || length < 3 || keys.at(-1) === keys.at(-2))
    return { length: 0, stable: false };
  const sides = history.slice(history.length - (length - 1));
  return { length, stable: new Set(sides.map((past) => `${past.key} ${past.result}`)).size === 2 };
}

/** Of a plan only the statuses count. */
function keyOf(call: PeerCall): string {
  const { plan } = fieldsOf(call.args);
  const args =
    call.tool === 'update_plan' && Array.isArray(plan)
      ? plan.map((step) => fieldsOf(step).status)
      : call.args;
  return `${call.tool} ${digest(callKey({ tool: call.tool, args }))}`;
}
