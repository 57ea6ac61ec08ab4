import { callKey } from './call-key.ts';
import { definePeer } from './define-peer.ts';
import { act, type Peer, warn } from './peer.ts';
import { tail } from './tail.ts';

const WINDOW = 20;
const SAME = 4;
const FAILED = 3;
const ALTERNATING = 6;
const MESSAGES = 3;

type Seen =
  | { kind: 'action' | 'message'; what: string }
  | { kind: 'observation'; what: string; failed: boolean };

/**
 * The OpenHands SDK, over the last twenty events since a user message: V0's rules, but whole
 * observations are compared and messages only counted. `stuck`, after a nudge at the third equal
 * failure. With `thoughts` it also compares thoughts, which new words defeat; without them it is
 * stronger.
 */
export function openHandsSdk({ thoughts }: { thoughts: boolean }): Peer {
  return definePeer(thoughts ? 'OpenHands SDK' : 'OpenHands SDK (thoughts equal)', () => {
    let seen: Seen[] = [];
    let thought = '';
    const add = (event: Seen): void => {
      seen = [...seen, event].slice(-WINDOW);
    };
    return {
      call(call) {
        // Text right before a call is its thought, not a message.
        if (seen.at(-1)?.kind === 'message') seen = seen.slice(0, -1);
        add({ kind: 'action', what: `${thoughts ? thought : ''}\n${callKey(call)}` });
        thought = '';
      },
      result({ result, failed }) {
        add({ kind: 'observation', what: `${failed} ${result}`, failed });
        const actions = seen.filter(({ kind }) => kind === 'action').map(({ what }) => what);
        const observations = seen.filter((event) => event.kind === 'observation');
        const observed = observations.map(({ what }) => what);
        const repeats = (period: number, times: number): boolean =>
          tail(actions, period) >= times && tail(observed, period) >= times;
        if (repeats(1, SAME) || repeats(2, ALTERNATING)) return act('stuck');
        const failures =
          observations.length - 1 - observations.findLastIndex((event) => !event.failed);
        const failing = Math.min(failures, tail(actions, 1));
        if (failing >= FAILED) return failing === FAILED ? warn('nudge') : act('stuck');
      },
      text({ text, thinking, done, speaker = '' }) {
        thought = text;
        if (thinking || !done) return;
        add({ kind: 'message', what: speaker });
        const last = seen.slice(-MESSAGES);
        // In a thread of several agents, the others are no monologue.
        if (
          last.length === MESSAGES &&
          last.every(({ kind, what }) => kind === 'message' && what === speaker)
        )
          return act('stuck');
      },
      user() {
        seen = [];
        thought = '';
      },
    };
  });
}
