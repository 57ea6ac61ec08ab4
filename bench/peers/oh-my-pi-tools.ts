import { canonicalJson, digest } from './call-key.ts';
import { definePeer, type PeerCall } from './define-peer.ts';
import { warn } from './peer.ts';
import { fieldsOf } from './tool-kinds.ts';

const TURNS = 5;

/**
 * oh-my-pi's guard of calls: the same set of calls, ignoring their stated purposes, in five
 * consecutive turns. Redirects once.
 */
export const ohMyPiTools = definePeer('oh-my-pi (tools)', () => {
  let turn: { round: string; calls: string[] } = { round: '', calls: [] };
  let before = '';
  let present = '';
  /** Turns equal to the one before the present turn, that one included. */
  let streak = 0;
  return {
    call(call) {
      if (call.round !== turn.round) {
        streak = present === before ? streak + 1 : 1;
        before = present;
        turn = { round: call.round, calls: [] };
      }
      turn.calls.push(withoutIntent(call));
      present = digest(turn.calls.toSorted().join('\n'));
      return present === before && streak + 1 === TURNS ? warn('redirect') : null;
    },
    textAlone() {
      before = present = '';
      streak = 0;
    },
  };
});

function withoutIntent({ tool, args }: PeerCall): string {
  const { intent: _, ...rest } = fieldsOf(args);
  return `${tool} ${canonicalJson(typeof args === 'object' && !Array.isArray(args) ? rest : args)}`;
}
