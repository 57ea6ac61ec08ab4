import { maskAction, type Proposal, type ScreenAction } from './action.ts';
import type { Spent } from './brain.ts';
import type { Look } from './eyes.ts';
import type { ScreenLoop } from './gates/gate.ts';
import type { ValueHider } from './hide-values.ts';
import type { PerceptualSummary } from './perceptual-diff.ts';
import type { ScreenDecision } from './step-guard.ts';
import type { Switch } from './switches.ts';

/** One executed step in a form that may be stored: typed text is only its length. */
export interface TrajectoryStep {
  /** Starts at 1. */
  step: number;
  /** Milliseconds since the run began. */
  at: number;
  /** The executed action. */
  action: ScreenAction;
  /** The proposal, if another action replaced it. */
  proposed_action: ScreenAction | null;
  reasoning: string;
  /** The gate that replaced the proposal; empty if none did. */
  gate: Switch | '';
  /** Empty, or one of `REASON_CODES`. */
  loop_recovery_reason: string;
  /** Empty, or one of `DONE_REASONS`. */
  done_rejected_reason: string;
  action_effect_observed: boolean;
  /** The target of the action, by its accessible name. */
  target: { role: string; name: string } | null;
  /** The size of the screen, for showing a point on the screenshot. */
  viewport: { width: number; height: number };
  /** Perceptual hash of the screen after the step. */
  frame_hash: string;
  url: string;
  loop: ScreenLoop;
  /** The feedback for the brain before its next proposal. */
  feedback: string;
}

export const TERMINATION_REASONS = [
  'done',
  'max_steps',
  'loop',
  'env_done',
  'cancelled',
  'done_failed',
  'done_unverified',
  'escalated',
  'page_lost',
  'never_settled',
  'brain_failed',
] as const;
export type TerminationReason = (typeof TERMINATION_REASONS)[number];

/** The result of a run. Plain JSON, without any typed value. */
export interface ScreenRunResult {
  task: string;
  termination_reason: TerminationReason;
  /** One sentence on the ending: the brain's summary, or the obstacle. */
  ending: string;
  steps: number;
  seconds: number;
  loop_recoveries_by_reason: Record<string, number>;
  done_rejections_by_reason: Record<string, number>;
  substitutions_by_gate: Record<string, number>;
  perceptual_summary: PerceptualSummary;
  nudges: number;
  /** The model's usage; null if the brain does not count it. */
  spent: Spent | null;
  /** The parts that were switched off. */
  off: Switch[];
  trajectory: TrajectoryStep[];
  /** The screen after the last action; null if the page was gone. */
  final_frame: { frame_hash: string; url: string } | null;
}

/** `type_pending_value 2 ×, …`; empty if there are none. */
export const countsText = (by: Readonly<Record<string, number>>): string =>
  Object.entries(by)
    .map(([name, times]) => `${name} ${times} ×`)
    .join(', ');

/** The step in a form that may be stored. */
export function toStep(
  decision: ScreenDecision,
  seen: {
    step: number;
    at: number;
    changed: boolean;
    look: Look;
    viewport: { width: number; height: number };
    loop: ScreenLoop;
    feedback: string;
  },
  hider: ValueHider,
): TrajectoryStep {
  const { action, proposal, substitution, target } = decision;
  return {
    step: seen.step,
    at: seen.at,
    action: saved(action, hider),
    proposed_action: substitution ? saved(proposal.action, hider) : null,
    reasoning: hider.hide(proposal.reasoning ?? ''),
    gate: substitution?.gate ?? '',
    loop_recovery_reason: substitution?.gate === 'loop-recovery' ? substitution.reason : '',
    done_rejected_reason: substitution?.gate === 'done-gate' ? substitution.reason : '',
    action_effect_observed: seen.changed,
    target: target && { role: target.role, name: hider.hide(target.name) },
    viewport: seen.viewport,
    frame_hash: seen.look.frame.hash,
    url: hider.hide(seen.look.page.url),
    loop: seen.loop,
    feedback: hider.hide(seen.feedback),
  };
}

const saved = (action: Proposal['action'], hider: ValueHider): ScreenAction =>
  action.type === 'done' ? { ...action, summary: hider.hide(action.summary) } : maskAction(action);
