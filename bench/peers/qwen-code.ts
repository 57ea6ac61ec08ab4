import { callKey, digest } from './call-key.ts';
import { definePeer } from './define-peer.ts';
import { act } from './peer.ts';
import { commandOf, isShell } from './tool-kinds.ts';

const IDENTICAL = 5;
const OVERVIEWS = 8;
const SOFT_CAP = 100;
const HARD_CAP = 1000;
/** With a call this often in the turn, the soft cap holds. */
const OFTEN = 6;

/**
 * qwen-code's checks that are always on, per turn: five identical calls in a row, eight looks at
 * git's state, or too many calls. Each halts.
 */
export const qwenCode = definePeer('qwen-code (always on)', () => {
  let counts = new Map<string, number>();
  let last = '';
  let identical = 0;
  let overviews = 0;
  let calls = 0;
  let most = 0;
  return {
    call(call) {
      const key = digest(callKey(call));
      identical = key === last ? identical + 1 : 1;
      last = key;
      overviews = isShell(call.tool) && isGitOverview(commandOf(call.args)) ? overviews + 1 : 0;
      calls++;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      most = Math.max(most, counts.get(key)!);
      if (identical >= IDENTICAL) return act('identical calls');
      if (overviews >= OVERVIEWS) return act('git overview');
      if (calls > HARD_CAP || (calls > SOFT_CAP && most >= OFTEN)) return act('cap');
    },
    user() {
      counts = new Map();
      last = '';
      identical = overviews = calls = most = 0;
    },
  };
});

/** Every part of the command line is `git status`, `git ls-files`, or `git diff` without a path. */
function isGitOverview(command: string): boolean {
  return command.split(/&&|;|\|/).every((part) => {
    const [git, verb, ...words] = part.trim().split(/\s+/);
    if (git !== 'git') return false;
    return (
      verb === 'status' ||
      verb === 'ls-files' ||
      (verb === 'diff' && words.every((word) => word.startsWith('-') && word !== '--'))
    );
  });
}
