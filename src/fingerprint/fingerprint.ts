import type { EventType } from '../event.ts';
import type { CallPrint, ResultPrint } from '../prints.ts';
import type { ActionPrint } from './action.ts';
import type { IdlePrint } from './idle.ts';
import type { OutputPrint } from './output.ts';
import type { TaskPrint } from './task.ts';
import type { TextPrint } from './text.ts';

/** Why a step neither counts nor clears. */
export type Neutral =
  | 'wait'
  /** Asking again whether something has changed. */
  | 'poll'
  | 'transient-error'
  /** An equal call, or a further failure of one kind, in a parallel batch already counted. */
  | 'batch'
  /** Our own block. */
  | 'own'
  /** The first look at a target again after the context was compacted. */
  | 'reread';

/** What a step brought: of several kinds only the first that applies, so that a new file is a first look and not novel. */
export type Progress =
  /** A write that applied, and was not made before. */
  | 'write'
  /** At least a fifth of the result was never seen. */
  | 'novel'
  /** A quantity with direction has moved since the call was last made. */
  | 'moved'
  /** Fewer failures than the last time. */
  | 'falling'
  /** A target never looked at. */
  | 'first-look'
  /** A program or check that was not run before went through, and did not merely say what is known. */
  | 'first-run'
  /** Another screen. */
  | 'screen';

/** What one event looks like to the detectors: sameness is decided here, and only here. */
export interface Fingerprint {
  type: EventType;
  /** The number of the step; an event that is no step carries the next one's. */
  step: number;
  /** Steps and thoughts before it: what distances are measured in, as whole thoughts may repeat without a step between them. */
  tick: number;
  at: number;
  /** Milliseconds of silence before it, without the model's and the tool's own time. */
  silence: number;
  /** The silence before a call, where it is a wait: far longer than is usual in this session; else 0. */
  gap: number;
  /** Hash of who speaks or acts, in a shared thread; empty where nobody is named. */
  speaker: string;
  /** The parallel batch it belongs to. */
  batch: string;
  /** It was proposed before it finished, so that it could have been refused. */
  announced: boolean;
  neutral: Neutral | null;
  progress: Progress | null;
  call?: CallPrint;
  result?: ResultPrint;
  /** The last finished actions of this step of the agent's plan, the newest last. */
  actions?: readonly ActionPrint[];
  text?: TextPrint;
  output?: OutputPrint;
  /** An attempt at a task. */
  task?: TaskPrint;
  /** A tick that found nothing to do. */
  idle?: IdlePrint;
  /** The smallest hashes of the words for the screen that a call or act was made on, where the host has such words. */
  screen?: number[];
  /** Digest of what a write left behind, where the host tells. */
  after?: string;
  /** What is wrong with the event, which is read as well as it can be. */
  fault?: string;
}
