import { canonicalJson, digest } from './call-key.ts';
import { definePeer, type PeerResult } from './define-peer.ts';
import { type Alarm, act, type Ladder, type Peer, reached, strongest, warn } from './peer.ts';
import { tail } from './tail.ts';
import { isPolling, isReading, isShell, isWriting } from './tool-kinds.ts';

const HISTORY = 64;
const MAX_LENGTH = 4;
const NOTE = warn('note');
const BLOCK = act('block');
const HALT = act('halt');
const LAPS: Ladder = [
  [3, NOTE],
  [5, HALT],
];
const FAILURES = { note: 2, block: 5 };
const TOOL_FAILURES = { note: 3, halt: 8 };
const READS = { note: 2, block: 5 };
/** Tools whose failures are part of the work. */
const TOLERANT = /^(?:terminal|execute_code|process|browser_navigate|web_extract)$/;

/**
 * Hermes, per turn: failures by call and by tool, equal results of reads, equal steps in a row and
 * cycles of two to four. A note on the result; unattended also a block or halt.
 */
export function hermes({ attended }: { attended: boolean }): Peer {
  const allowed = (alarm: Alarm | null): Alarm | null => (attended && alarm ? NOTE : alarm);
  return definePeer(`Hermes (${attended ? 'attended' : 'unattended'})`, () => {
    let failures = new Map<string, number>();
    let toolFailures = new Map<string, number>();
    let reads = new Map<string, { result: string; count: number }>();
    let trail: { key: string; polls: boolean }[] = [];

    function failure(result: PeerResult, call: string): Alarm | null {
      if (!isFailure(result)) {
        failures.delete(call);
        toolFailures.delete(result.tool);
        if (isWriting(result.tool) || isShell(result.tool)) {
          failures.clear();
          toolFailures.clear();
        }
        return null;
      }
      const byCall = (failures.get(call) ?? 0) + 1;
      const byTool = (toolFailures.get(result.tool) ?? 0) + 1;
      failures.set(call, byCall);
      toolFailures.set(result.tool, byTool);
      if (byTool >= TOOL_FAILURES.halt && !TOLERANT.test(result.tool) && !isShell(result.tool))
        return HALT;
      return byCall >= FAILURES.note || byTool >= TOOL_FAILURES.note ? NOTE : null;
    }

    function read(call: string, printed: string): Alarm | null {
      const before = reads.get(call);
      const count = before?.result === printed ? before.count + 1 : 1;
      reads.set(call, { result: printed, count });
      return count >= READS.note ? NOTE : null;
    }

    function laps(): Alarm | null {
      const keys = trail.map(({ key }) => key);
      for (let period = 1; period <= MAX_LENGTH; period++) {
        const alarm = reached(LAPS, Math.floor(tail(keys, period) / period));
        if (alarm && !trail.slice(-period).every(({ polls }) => polls)) return alarm;
      }
      return null;
    }

    return {
      call(call) {
        const signature = signatureOf(call);
        const blocked =
          (failures.get(signature) ?? 0) >= FAILURES.block ||
          (reads.get(signature)?.count ?? 0) >= READS.block;
        return allowed(blocked ? BLOCK : null);
      },
      result(result) {
        const signature = signatureOf(result);
        const printed = printOf(result);
        trail = [...trail, { key: `${signature} ${printed}`, polls: isPolling(result) }].slice(
          -HISTORY,
        );
        return allowed(
          strongest(
            failure(result, signature),
            isReading(result.tool) ? read(signature, printed) : null,
            laps(),
          ),
        );
      },
      user() {
        failures = new Map();
        toolFailures = new Map();
        reads = new Map();
        trail = [];
      },
    };
  });
}

const signatureOf = ({ tool, args }: { tool: string; args: unknown }): string =>
  `${tool} ${digest(canonicalJson(args))}`;

/** A shell fails by its exit code; other tools also when their JSON speaks of it. */
const isFailure = ({ tool, result, failed }: PeerResult): boolean =>
  failed || (!isShell(tool) && /"error"|"failed"/.test(result.slice(0, 500)));

/** JSON with sorted keys, without counters of code runs; otherwise the text. */
function printOf({ tool, result }: PeerResult): string {
  if (!/^\s*[[{]/.test(result)) return digest(result);
  try {
    const value = JSON.parse(result);
    if (tool === 'execute_code') {
      delete value.duration;
      delete value.execution_count;
    }
    return digest(canonicalJson(value));
  } catch {
    return digest(result);
  }
}
