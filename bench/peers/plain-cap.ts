import { definePeer } from './define-peer.ts';
import { act, type Peer } from './peer.ts';

/**
 * A cap on the model's responses with calls for one message of a person, all that many frameworks
 * have. Ends the run there.
 */
export function plainCap(of: string, steps: number): Peer {
  return definePeer(`cap of ${steps} (${of})`, () => {
    let round = '';
    let count = 0;
    return {
      call(call) {
        if (call.round === round) return;
        round = call.round;
        return ++count === steps ? act('end') : null;
      },
      user() {
        count = 0;
      },
    };
  });
}
