import type { Gate, GateSituation } from './gate.ts';

/** Why a claim of success is rejected. The first match counts. */
export const DONE_REASONS = [
  'empty_summary',
  'plan_steps_incomplete',
  'pending_form_values',
  'summary_missing_required_fields',
  'no_observed_delta_after_waits',
  'no_progress_in_window',
  'form_not_submitted',
] as const;

export type DoneReason = (typeof DONE_REASONS)[number];

/** A brain that insists may know something that is not visible. */
const MAX_REFUSALS = 2;

const list = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

const CHECKS: Record<DoneReason, (situation: GateSituation, summary: string) => string | null> = {
  empty_summary: (_, summary) =>
    summary.trim() === '' ? 'the summary is empty: say what was achieved' : null,
  plan_steps_incomplete({ steps, proposal }) {
    const missing = steps.missing(proposal.planStep);
    return missing.length > 0 ? `these steps are not done yet: ${list(missing)}` : null;
  },
  pending_form_values: ({ forms }) =>
    forms.missing.length > 0
      ? `these values have not been typed yet: ${list(forms.missing)}`
      : null,
  summary_missing_required_fields({ required }, summary) {
    const missing = required.filter((word) => !summary.toLowerCase().includes(word.toLowerCase()));
    return missing.length > 0 ? `the summary does not name ${list(missing)}` : null;
  },
  no_observed_delta_after_waits({ samples }) {
    const waits = samples
      .slice(samples.findLastIndex(({ action, own }) => action.type !== 'wait' && !own) + 1)
      .filter(({ own }) => !own);
    return waits.length > 0 && waits.every(({ changed }) => !changed)
      ? 'nothing on the screen has changed while you waited'
      : null;
  },
  no_progress_in_window({ samples, window }) {
    const last = samples.filter(({ own }) => !own).slice(-window);
    return last.length >= window && last.every(({ changed }) => !changed)
      ? `nothing on the screen has changed over your last ${window} actions`
      : null;
  },
  form_not_submitted: ({ forms, page: { submit } }) =>
    forms.values.length > 0 && !forms.submitted && submit && forms.isOurs(submit.form)
      ? `the form was filled in and not sent off yet: use "${submit.name}", or say why not`
      : null,
};

/** Replaces a claim of success that the screen does not confirm by a short wait, at most twice. */
export const doneGate: Gate = {
  name: 'done-gate',
  decide(situation) {
    const { action } = situation.proposal;
    if (action.type !== 'done' || !action.success || situation.memory.refused >= MAX_REFUSALS)
      return null;
    for (const reason of DONE_REASONS) {
      const why = CHECKS[reason](situation, action.summary);
      if (why === null) continue;
      situation.memory.refused++;
      return {
        gate: 'done-gate',
        action: { type: 'wait', seconds: 1 },
        reason,
        why: `The task does not count as done: ${why}.`,
      };
    }
    return null;
  },
};

/** Whether a claim would still be rejected if the limit did not apply. */
export const isUnverified = (situation: GateSituation, summary: string): boolean =>
  situation.memory.refused >= MAX_REFUSALS &&
  DONE_REASONS.some((reason) => CHECKS[reason](situation, summary) !== null);
