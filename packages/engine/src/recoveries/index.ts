import { askHuman } from './ask-human/recovery.ts';
import { countEdits } from './count-edits/recovery.ts';
import { escalateTask } from './escalate-task/recovery.ts';
import { forceNext } from './force-next/recovery.ts';
import { offerNextMoves } from './offer-next-moves/recovery.ts';
import { refuseRepeat } from './refuse-repeat/recovery.ts';
import { sayWhatRepeats } from './say-what-repeats/recovery.ts';
import { stopRun } from './stop-run/recovery.ts';
import { suggestBackoff } from './suggest-backoff/recovery.ts';
import { unblockAuthority } from './unblock-authority/recovery.ts';

export const recoveries = [
  askHuman,
  countEdits,
  escalateTask,
  forceNext,
  offerNextMoves,
  refuseRepeat,
  sayWhatRepeats,
  stopRun,
  suggestBackoff,
  unblockAuthority,
] as const;

/** For presets of your own with `unrut/core`. */
export {
  askHuman,
  countEdits,
  escalateTask,
  forceNext,
  offerNextMoves,
  refuseRepeat,
  sayWhatRepeats,
  stopRun,
  suggestBackoff,
  unblockAuthority,
};
