import { failedCall } from '../candidates/candidates-for.ts';
import type { CandidateMemory, RecentCall } from '../candidates/memory.ts';
import type { Detector } from '../detectors/detector.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import type { Plan } from '../policy/plan.ts';
import type { Signal } from '../signal.ts';
import { type OutcomeState, startWatching } from './outcome.ts';

/** The event at which a plan was made. */
interface Occasion {
  seen: Fingerprint;
  signals: readonly Signal[];
  call: RecentCall | undefined;
  detectors: ReadonlyMap<string, Detector>;
}

/**
 * Starts to watch a plan. Its subject is the evidence of its signal, or the one call that failed.
 */
export function watchPlan(
  { outcomes, candidates }: { outcomes: OutcomeState; candidates: CandidateMemory },
  plan: Plan,
  { seen, signals, call, detectors }: Occasion,
): void {
  const about = signals.find((signal) => signal.streak === plan.streak);
  // A refusal is about the call that was proposed.
  const refused = plan.rung === 'block' ? seen.call : undefined;
  const keys =
    about?.evidence.keys ??
    (refused ? [refused.key] : call && plan.streak === '' ? [call.key] : []);
  const anyCall = detectors.get(about?.detector ?? '')?.yields === true;
  startWatching(outcomes, plan, {
    seen,
    keys,
    failed: plan.candidates && failedCall(candidates, { keys, anyCall, last: call }),
  });
}
