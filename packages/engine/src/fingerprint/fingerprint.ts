import type { EventType } from '../event.ts';
import type { CallPrint, ResultPrint } from '../prints.ts';
import type { ActionPrint } from './action.ts';
import type { ChantPrint } from './chant.ts';
import type { IdlePrint } from './idle.ts';
import type { OutputPrint } from './output.ts';
import type { RestPrint } from './rest.ts';
import type { SpawnPrint } from './spawns.ts';
import type { TaskPrint } from './task.ts';
import type { TextPrint } from './text.ts';
import type { WorldPrint } from './world/rules.ts';

/** Why a step neither counts nor clears. */
export type Neutral =
  | 'wait'
  /** The call asks again whether something has changed. */
  | 'poll'
  | 'transient-error'
  /** An equal call, or another failure of the same kind, in a batch that has already counted. */
  | 'batch'
  /** Blocked by Unrut itself. */
  | 'own'
  /** The first look at this part of a known target after the context was compacted. */
  | 'reread'
  /** The user asked for this many repetitions. */
  | 'asked';

/**
 * What a step achieved. Only one kind is reported, in this order: `falling`, `write`, `first-look`,
 * `first-run`, `moved`, `novel`. So a file read for the first time is a first look, not novel.
 * `screen` is for actions.
 */
export type Progress =
  /** A successful write that was not made before. */
  | 'write'
  /** At least a fifth of the result was never seen before. */
  | 'novel'
  /** A quantity with a direction has changed since the call was last made. */
  | 'moved'
  /** Fewer failures than the last time, or more done than ever since the last success. */
  | 'falling'
  /** A target that was never looked at before. */
  | 'first-look'
  /** A program or check succeeded that was not run before, and its output is not already known. */
  | 'first-run'
  /** A screen that was not seen before. */
  | 'screen';

/**
 * What detectors see of one event. Whether two things are the same is decided here and nowhere
 * else.
 */
export interface Fingerprint {
  type: EventType;
  /** The number of the step. An event that is not a step carries the number of the next one. */
  step: number;
  /**
   * Steps and thoughts before this event. Distances are measured in ticks, because whole thoughts
   * may repeat without a step in between.
   */
  tick: number;
  at: number;
  /**
   * Milliseconds of silence before this event, without the time that the model and the tool took.
   */
  silence: number;
  /**
   * The silence before a call, if it is a wait: far longer than usual in this session. Otherwise 0.
   */
  gap: number;
  /** Hash of who speaks or acts in a shared thread; empty if the event names nobody. */
  speaker: string;
  /** The parallel batch that the call belongs to. */
  batch: string;
  /** The call was proposed before it finished, so it could have been refused. */
  announced: boolean;
  /**
   * Why the step neither counts nor clears: `wait`, `poll`, `transient-error`, `batch`, `own`,
   * `reread` or `asked`. Detectors see such steps only if `alsoNeutral` names the kind.
   */
  neutral: Neutral | null;
  /** The rule that made it neutral, if one did: a name in `neutral/rules.ts`. */
  neutralRule?: string;
  /**
   * What the step achieved: `write`, `novel`, `moved`, `falling`, `first-look`, `first-run` or
   * `screen`; null if nothing.
   */
  progress: Progress | null;
  /** The rule that says why it is progress, or why not: a name in `progress/rules.ts`. */
  progressRule?: string;
  /** For events about a call. Arguments are there as hashes and short labels, never as text. */
  call?: CallPrint;
  /** For `call-finished`. */
  result?: ResultPrint;
  /** Whether the answer to the call can change by itself, and the rule that decided it. */
  world?: WorldPrint;
  /** The call differs from the last one of its tool in a single value: the next item of a list. */
  nextItem?: true;
  /** The same, and the values are numbered or are files of one folder; nothing was written between. */
  inRow?: true;
  /** One of many files in a row that are not there, and the user named no list: a guess. */
  guess?: true;
  /** The name that the agent called, if there is no such tool. */
  named?: string;
  /** A look at what the agent itself has written, since which only that can have changed. */
  ownEdit?: true;
  /** Milliseconds that the model is said to have taken before the call. */
  thought?: number;
  /** A look that was made before the context was compacted, with the same result. */
  relook?: true;
  /** A server turned the call away for now; with the seconds that it named, if it did. */
  turnedAway?: { seconds: number | null };
  /** Something that the agent started runs in the background. */
  job?: true;
  /** The user's last message asked to wait for something. */
  mayWait?: true;
  /** A person marked what was seen at this step as a false alarm. Set by the guard. */
  forgiven?: true;
  /** Hashes of the names of files that the host reports as changed. */
  changed?: number[];
  /** What the call cost, if the host says so. */
  cost?: { tokens?: number; usd?: number };
  /** The last finished actions of the current step of the agent's plan, newest last. */
  actions?: readonly ActionPrint[];
  text?: TextPrint;
  /** How many times the user wants to read something, if the last message asked for repetition. */
  requested?: number;
  /** The agent ends its turn with this message. */
  rest?: RestPrint;
  output?: OutputPrint;
  task?: TaskPrint;
  idle?: IdlePrint;
  /**
   * The smallest hashes of the words that describe the screen the call or action was made on, if
   * the host provides a description.
   */
  screen?: number[];
  /** Digest of the target's content after a write, if the host knows it. */
  after?: string;
  /** A sentence fills an argument of the call, and the user did not ask for that. */
  chant?: ChantPrint;
  /** The call starts another agent: what is known of those that were started before. */
  spawns?: SpawnPrint;
  /** What a person could add to the host's settings to allow the call. */
  allow?: string;
  /** The host did not let the call run. */
  denied?: true;
  /** What is wrong with the event. It is read as far as possible. */
  fault?: string;
}
