import { amnesia } from './amnesia/detector.ts';
import { chanting } from './chanting/detector.ts';
import { cycle } from './cycle/detector.ts';
import { type Detector, statusOf } from './detector.ts';
import { driftingClick } from './drifting-click/detector.ts';
import { duplicateBatch } from './duplicate-batch/detector.ts';
import { editRegion } from './edit-region/detector.ts';
import { editRevert } from './edit-revert/detector.ts';
import { editStreak } from './edit-streak/detector.ts';
import { fanOut } from './fan-out/detector.ts';
import { frozenScreen } from './frozen-screen/detector.ts';
import { idleSpin } from './idle-spin/detector.ts';
import { invalidArguments } from './invalid-arguments/detector.ts';
import { monologue } from './monologue/detector.ts';
import { nearRepeat } from './near-repeat/detector.ts';
import { nothingChanged } from './nothing-changed/detector.ts';
import { outputSignature } from './output-signature/detector.ts';
import { repeatedAction } from './repeated-action/detector.ts';
import { repeatedCall } from './repeated-call/detector.ts';
import { repeatedError } from './repeated-error/detector.ts';
import { repeatedMessage } from './repeated-message/detector.ts';
import { repeatedThought } from './repeated-thought/detector.ts';
import { sameAnswer } from './same-answer/detector.ts';
import { sameIntent } from './same-intent/detector.ts';
import { selfReport } from './self-report/detector.ts';
import { similarOutput } from './similar-output/detector.ts';
import { stalePoll } from './stale-poll/detector.ts';
import { stalling } from './stalling/detector.ts';
import { taskLoop } from './task-loop/detector.ts';
import { unknownTool } from './unknown-tool/detector.ts';

/**
 * Whether a signal is no loop: only advice on edits or on waiting longer, or a task that waits for a
 * person.
 */
export const isAdvice = ({
  detector,
  variant,
  evidence,
}: {
  detector: string;
  variant: string;
  evidence?: { facts?: Readonly<Record<string, unknown>> };
}): boolean =>
  evidence?.facts?.waiting === true ||
  (detectorNamed(detector)?.advises?.includes(variant) ?? false);

/** Whether a signal is on trial: it is recorded, and counts for nothing. */
export function isOnTrial({
  detector,
  variant,
  evidence,
}: {
  detector: string;
  variant: string;
  evidence?: { trusted?: true };
}): boolean {
  if (evidence?.trusted) return false;
  const known = detectorNamed(detector);
  return known !== undefined && statusOf(known, variant) === 'trial';
}

export const detectorNamed = (name: string): Detector | undefined =>
  detectors.find((detector) => detector.name === name);

/** Detectors that are gone, and the one that sees what they saw. A config may still name them. */
export const RETIRED: ReadonlyMap<string, string> = new Map([
  ['no-new-information', 'near-repeat'],
  ['stuck', 'stalling'],
]);

export const detectors = [
  amnesia,
  chanting,
  cycle,
  driftingClick,
  duplicateBatch,
  editRegion,
  editRevert,
  editStreak,
  fanOut,
  frozenScreen,
  idleSpin,
  invalidArguments,
  monologue,
  nearRepeat,
  nothingChanged,
  outputSignature,
  repeatedAction,
  repeatedCall,
  repeatedError,
  repeatedMessage,
  repeatedThought,
  sameAnswer,
  sameIntent,
  selfReport,
  similarOutput,
  stalePoll,
  stalling,
  taskLoop,
  unknownTool,
] as const;

/** For presets of your own with `unrut/core`. */
export {
  amnesia,
  chanting,
  cycle,
  driftingClick,
  duplicateBatch,
  editRegion,
  editRevert,
  editStreak,
  fanOut,
  frozenScreen,
  idleSpin,
  invalidArguments,
  monologue,
  nearRepeat,
  nothingChanged,
  outputSignature,
  repeatedAction,
  repeatedCall,
  repeatedError,
  repeatedMessage,
  repeatedThought,
  sameAnswer,
  sameIntent,
  selfReport,
  similarOutput,
  stalePoll,
  stalling,
  taskLoop,
  unknownTool,
};
