import { callKey, digest } from './call-key.ts';
import { definePeer } from './define-peer.ts';
import { act, type Ladder, reached, warn } from './peer.ts';
import { tail } from './tail.ts';

const WINDOW = 20;
const EXACT = ladder(3);
const PING_PONG = ladder(4);
const NO_PROGRESS = ladder(5);

/**
 * ZeroClaw, per turn, successes only: equal calls in a row, two tool names taking turns, or one
 * tool with one result whatever the arguments. Warns, then "blocks" with a mere message, then
 * breaks off.
 */
export const zeroClaw = definePeer('ZeroClaw', () => {
  let calls: { tool: string; key: string; result: string }[] = [];
  return {
    result({ result, recorded, failed, ...call }) {
      if (failed) return;
      const newest = { tool: call.tool, key: callKey(call), result: digest(result) };
      calls = [...calls, newest].slice(-WINDOW);
      const names = calls.map(({ tool }) => tool);
      const keys = calls.map(({ key }) => key);
      const cycles = names.at(-1) === names.at(-2) ? 0 : Math.floor(tail(names, 2) / 2);
      const alike = calls.filter(
        ({ tool, result }) => tool === newest.tool && result === newest.result,
      );
      const questions = new Set(alike.map(({ key }) => key)).size;
      return (
        reached(EXACT, tail(keys, 1)) ??
        reached(PING_PONG, cycles) ??
        (recorded && questions >= 2 ? reached(NO_PROGRESS, alike.length) : null)
      );
    },
    user() {
      calls = [];
    },
  };
});

/** Three steps, one after the other. */
function ladder(from: number): Ladder {
  return [
    [from, warn('warn')],
    [from + 1, warn('block')],
    [from + 2, act('break')],
  ];
}
