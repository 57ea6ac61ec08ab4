import { blockRatio, highestBlockRatio } from './block-ratio.ts';
import { canonicalJson } from './call-key.ts';
import { definePeer, type PeerCall } from './define-peer.ts';
import { warn } from './peer.ts';
import { tail } from './tail.ts';
import { fieldsOf } from './tool-kinds.ts';

const WINDOW = 12;
const LAPS = 3;
const MAX_LENGTH = 4;
const RUN = 3;
const ALIKE = 0.92;
const VOLATILE = new Set([
  'timestamp',
  'ts',
  'request_id',
  'trace_id',
  'nonce',
  'idempotency_key',
  'call_id',
  'id',
  'created_at',
]);

/**
 * future-agi's module, among the last twelve calls: one to four calls made three times over,
 * volatile keys dropped, or three calls of one tool that are nearly alike with nearly alike
 * results. Returns a score and does nothing.
 */
export const futureAgi = definePeer('future-agi', () => {
  let calls: { tool: string; key: string; result: string }[] = [];
  return {
    result({ result, ...call }) {
      calls = [...calls, { tool: call.tool, key: keyOf(call), result }].slice(-WINDOW);
      const keys = calls.map(({ key }) => key);
      for (let period = 1; period <= MAX_LENGTH; period++)
        if (tail(keys, period) >= LAPS * period) return warn('cycle');
      const run = calls.slice(-RUN);
      const near = run.every(
        (one, i) =>
          i === 0 ||
          (one.tool === run[i - 1]!.tool &&
            alike(one.key, run[i - 1]!.key) &&
            alike(one.result, run[i - 1]!.result)),
      );
      if (run.length === RUN && near) return warn('near-duplicate');
    },
  };
});

const alike = (a: string, b: string): boolean =>
  highestBlockRatio(a, b) >= ALIKE && blockRatio(a, b) >= ALIKE;

function keyOf({ tool, args }: PeerCall): string {
  const stable = Object.entries(fieldsOf(args)).filter(([name]) => !VOLATILE.has(name));
  return `${tool} ${canonicalJson(typeof args === 'object' && !Array.isArray(args) ? Object.fromEntries(stable) : args)}`;
}
