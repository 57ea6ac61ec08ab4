import { callKey } from './call-key.ts';
import { definePeer, type PeerCall, type PeerResult } from './define-peer.ts';
import { act } from './peer.ts';
import { tail } from './tail.ts';
import { commandOf, isShell } from './tool-kinds.ts';

const SAME = 4;
const FAILED = 3;
const ALTERNATING = 6;
const MESSAGES = 3;
const CONDENSATIONS = 10;

/**
 * OpenHands V0, since the last message of a person: four equal actions and observations, three
 * equal ones that failed, A-B three times, three equal messages, ten condensations. Each is
 * `stuck`.
 */
export const openHandsV0 = definePeer('OpenHands V0', () => {
  let pairs: { action: string; observation: string; failed: boolean }[] = [];
  let messages: string[] = [];
  let condensations = 0;
  let condensedTwice = false;
  let justCondensed = false;
  return {
    result(result) {
      justCondensed = false;
      messages = [];
      pairs = [
        ...pairs,
        { action: actionOf(result), observation: observationOf(result), failed: result.failed },
      ].slice(-ALTERNATING);
      const actions = pairs.map(({ action }) => action);
      const both = pairs.map(({ action, observation }) => JSON.stringify([action, observation]));
      const failing = pairs.slice(-FAILED).every(({ failed }) => failed);
      if (
        tail(both, 1) >= SAME ||
        tail(both, 2) >= ALTERNATING ||
        (tail(actions, 1) >= FAILED && failing)
      )
        return act('stuck');
    },
    text({ text, thinking, done }) {
      justCondensed = false;
      if (thinking || !done) return;
      messages = [...messages, text].slice(-MESSAGES);
      if (tail(messages, 1) >= MESSAGES) return act('stuck');
    },
    compaction() {
      condensations++;
      condensedTwice ||= justCondensed;
      justCondensed = true;
      if (condensations >= CONDENSATIONS && condensedTwice) return act('stuck');
    },
    user() {
      pairs = [];
      messages = [];
      condensations = 0;
      condensedTwice = justCondensed = false;
    },
  };
});

/** Cells that edit by replacing are distinguished by their first three lines. */
function actionOf(call: PeerCall): string {
  const code = Object.values(
    typeof call.args === 'object' ? (call.args ?? {}) : { code: call.args },
  ).find((value) => typeof value === 'string' && value.includes('edit_file_by_replace(')) as
    | string
    | undefined;
  return code === undefined ? callKey(call) : code.split('\n').slice(0, 3).join('\n');
}

/** For a shell command, only the command and its exit code. */
const observationOf = (result: PeerResult): string =>
  isShell(result.tool)
    ? `${commandOf(result.args)} ${result.failed}`
    : `${result.failed} ${result.result}`;
