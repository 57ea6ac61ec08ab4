import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import { type Depends, mayChange } from '../fingerprint/may-change.ts';
import type { CallPrint } from '../prints.ts';
import { type Recent, recall, remember } from '../recent.ts';

/** What is known of the answer to a call that was made. */
interface Claim extends Depends {
  /** It was the same again, and nothing since could have changed it. */
  stands: boolean;
  /** When it was last given. */
  at: number;
}

/** By call. */
export type Claims = Recent<Claim>;

const MAX_CLAIMS = 24;

/** Takes note of what may change an answer: a call that is about to run, or that has run and what it brought. */
export function updateClaims(claims: Claims, { call, result, progress, type, at, neutral }: Fingerprint): void {
  if (type === 'user-spoke' || type === 'context-compacted') for (const [, claim] of claims) claim.stands = false;
  if (neutral === 'own') return;
  const mayReach = call && !result?.error?.refusal;
  for (const [key, claim] of claims)
    if (key !== call?.key && (progress || neutral === 'wait' || (mayReach && reaches(call, claim)))) claim.stands = false;
  if (!call || !result) return;
  const { key, target, wide } = call;
  remember(claims, key, { target, wide, stands: result.known && !result.pending && result.run > 1, at }, MAX_CLAIMS);
}

/** Failed or not, it may have done something; and who does not say to what, may have done it to anything. */
const reaches = (call: CallPrint, claim: Claim): boolean => mayChange(call, claim) || (call.effect === 'target' && call.target === null);

/** How long the answer to a call has stood: it was the same again, and nothing that was seen since could have changed it. */
export function standsFor(claims: Claims, key: string, at: number): number | null {
  const claim = recall(claims, key);
  return claim?.stands ? Math.max(0, at - claim.at) : null;
}
