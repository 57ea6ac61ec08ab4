import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import { type Depends, mayChange } from '../fingerprint/may-change.ts';
import type { CallPrint } from '../prints.ts';
import { type Recent, recall, remember } from '../recent.ts';
import type { Streak } from './streak.ts';

/** What is known of the answer to a call that was made. */
interface Claim extends Depends {
  /** It was the same again, and nothing since could have changed it. */
  stands: boolean;
  /** How often in a row it was the same. */
  times: number;
  /** When it was last given. */
  at: number;
}

/** By call. */
export type Claims = Recent<Claim>;

const MAX_CLAIMS = 16;

/** Takes note of what may change an answer: a call that is about to run, or that has run and what it brought. */
export function updateClaims(claims: Claims, { call, result, progress, type, at, neutral }: Fingerprint): void {
  if (type === 'user-spoke' || type === 'context-compacted') for (const [, claim] of claims) claim.stands = false;
  if (neutral === 'own') return;
  const mayReach = call && !result?.error?.refusal;
  for (const [key, claim] of claims)
    if (claim.stands && key !== call?.key && (progress || neutral === 'wait' || (mayReach && reaches(call, claim)))) claim.stands = false;
  if (!call || !result) return;
  const { key, target, wide } = call;
  const { known, pending, run } = result;
  // A bare receipt is no answer, and what is pending will not stay.
  const isAnswer = known && !pending && !isBareReceipt({ call, result });
  remember(claims, key, { target, wide, stands: isAnswer && run > 1, times: run, at }, MAX_CLAIMS);
}

/** The answer of an act that is shorter than this, in characters, says nothing of what was done. */
const RECEIPT = 60;
/** Whether an act went through with a bare receipt. */
export const isBareReceipt = ({ call, result }: Pick<Fingerprint, 'call' | 'result'>): boolean =>
  call !== undefined && result !== undefined && ACTS.has(call.verb) && result.error === null && result.size < RECEIPT;
const ACTS: ReadonlySet<string> = new Set(['write', 'execute', 'navigate']);

/** Failed or not, it may have done something, to anything where it does not say to what; and a build may change what a test finds. */
const reaches = (call: CallPrint, claim: Claim): boolean =>
  mayChange(call, claim) || (call.effect === 'target' && call.target === null) || (call.verb === 'verify' && claim.wide);

/** How often the answer to a call was the same, and for how long it has stood: nothing that was seen since could have changed it. */
export function standing(claims: Claims, key: string, at: number): { times: number; age: number } | null {
  const claim = recall(claims, key);
  return claim?.stands ? { times: claim.times, age: Math.max(0, at - claim.at) } : null;
}

/** How long an answer is known after it was given, in milliseconds: long enough for what is waited for to happen unseen. */
const LASTS = 30_000;

/** Nobody sees what time does; and who sees only a part of the world lets a call through after 2, 4, 8 refusals. */
export const stillHolds = ({ refused, renewed }: Pick<Streak, 'refused' | 'renewed'>, age: number, isPartial: boolean): boolean =>
  age < LASTS * 2 ** renewed && !(isPartial && refused >= 2 ** (renewed + 1));
