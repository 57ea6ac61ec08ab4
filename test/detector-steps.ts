import type { Detector } from '@unrut/engine/detectors/detector';
import type { Fingerprint } from '@unrut/engine/fingerprint';
import type { CallPrint, ResultPrint } from '@unrut/engine/prints';
import type { Evidence } from '@unrut/engine/signal';

/**
 * A finished call as a detector sees it: unspecified fields are ordinary, with nothing new. Texts
 * have no call.
 */
export interface SeenStep extends Partial<Omit<Fingerprint, 'call' | 'result'>> {
  call?: Partial<CallPrint>;
  result?: Partial<ResultPrint>;
}

const CALL: CallPrint = {
  id: 'c',
  tool: 'search',
  shell: false,
  key: 'k',
  shape: 's',
  words: [],
  muted: false,
  folder: null,
  verb: 'read',
  target: null,
  targetLabel: '',
  space: null,
  wide: false,
  effect: 'none',
  region: null,
  poll: false,
  asks: null,
  log: false,
  parts: [],
  label: 'search',
  editWords: { act: 'edit', object: 'of it', look: 'reading it', remedy: 'read it' },
  patch: false,
  look: false,
  clears: 'none',
};

const RESULT: ResultPrint = {
  known: true,
  digest: 'd',
  sameInARow: 1,
  novelty: 0,
  size: 50,
  empty: false,
  missing: false,
  acknowledgement: false,
  error: null,
  echo: false,
  pending: false,
  state: false,
  moved: false,
  outcome: { failed: 'unknown', why: null, rule: '' },
  failures: null,
  failure: null,
  wall: null,
};

/** A detector's evidence at each of these steps. */
export function evidenceOf(
  detector: Detector,
  steps: readonly SeenStep[],
  options: object = {},
): (Evidence | null)[] {
  const state = detector.start();
  return steps.map(({ call, result, ...rest }, step) => {
    const seen: Fingerprint = {
      type: 'call-finished',
      step,
      tick: step,
      at: 1000 * step,
      silence: 0,
      gap: 0,
      speaker: '',
      batch: `b${step}`,
      announced: false,
      neutral: null,
      progress: null,
      ...(rest.type === 'text-added' || rest.type === 'user-spoke'
        ? {}
        : { call: { ...CALL, ...call }, result: { ...RESULT, ...result } }),
      ...rest,
    };
    return detector.step(state, seen, { ...detector.options, ...options });
  });
}

/** The steps at which it fires, and the variants. */
export const spokenAt = (
  detector: Detector,
  steps: readonly SeenStep[],
  options: object = {},
): string[] =>
  evidenceOf(detector, steps, options).flatMap((evidence, step) =>
    evidence ? [`${step} ${evidence.variant} ${evidence.count}`] : [],
  );
