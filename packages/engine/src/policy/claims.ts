import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import { type Depends, mayChange } from '../fingerprint/may-change.ts';
import { fileNameHash } from '../fingerprint/read-call.ts';
import { bySpacing, type WorldPrint } from '../fingerprint/world/rules.ts';
import type { CallPrint, CallWorld, ResultPrint } from '../prints.ts';
import { type Recent, recall, remember } from '../recent.ts';
import type { Streak } from './streak.ts';

/** What is known about the result of an earlier call. */
interface Claim extends Depends {
  /** The result was the same again, and nothing since could have changed it. */
  stands: boolean;
  /** How many times in a row the result was the same. */
  times: number;
  /** When the result last came, in epoch milliseconds. */
  at: number;
  /** It holds only briefly, because nothing is known about the call. */
  brief?: true;
  /** The world of the call. Default: closed. */
  world?: CallWorld;
  /** Hash of the name of the file that it is about. */
  file?: number;
  /** A permission was missing, and this would give it. */
  allow?: string;
  /** The host did not let it run. */
  denied?: true;
}

/** Claims by call key. */
export type Claims = Recent<Claim>;

const MAX_CLAIMS = 12;

/**
 * Updates what is known: a call that is about to run or has run may change other results, and a
 * finished call has a result of its own.
 */
export function updateClaims(claims: Claims, seen: Fingerprint): void {
  const { call, result, type, neutral, changed } = seen;
  if (type === 'user-spoke' || type === 'context-compacted') doubt(claims, () => true);
  if (changed)
    doubt(claims, ({ wide, file }) => wide || (file !== undefined && changed.includes(file)));
  if (neutral === 'own') return;
  doubt(claims, (claim, key) => key !== call?.key && isShaken(claim, seen));
  if (call && result) remember(claims, call.key, claimOf(call, result, seen), MAX_CLAIMS);
}

/** These results may be different now. */
function doubt(claims: Claims, which: (claim: Claim, key: string) => boolean): void {
  for (const [key, claim] of claims) if (claim.stands && which(claim, key)) claim.stands = false;
}

/** Whether what was seen may have changed the result of another call. */
const isShaken = (claim: Claim, { call, result, progress, neutral }: Fingerprint): boolean =>
  progress !== null ||
  neutral === 'wait' ||
  (call !== undefined && !result?.error?.refusal && reaches(call, claim));

/** What is known about the result of the call that has just finished. */
function claimOf(
  call: CallPrint,
  result: ResultPrint,
  { world, at, allow, denied }: Fingerprint,
): Claim {
  const { target, wide } = call;
  const { known, pending, sameInARow } = result;
  // A plain receipt is not an answer, and a pending state will change.
  const isAnswer = known && !pending && !isBareReceipt({ call, result });
  const where = world ?? OF_A_SCREEN;
  const claim: Claim = {
    target,
    wide,
    stands: isAnswer && sameInARow > 1 && where.world === 'closed',
    times: sameInARow,
    at,
  };
  if (where.rule === 'nothing-else-known') claim.brief = true;
  // A silence says something about this call, not about the next one.
  if (where.world !== 'closed' && !bySpacing(where)) claim.world = where.world;
  if (target?.startsWith('file:')) claim.file = fileNameHash(call.targetLabel);
  if (allow !== undefined) claim.allow = allow;
  if (denied) claim.denied = true;
  return claim;
}

/** The host shows what is on the screen with each action. */
const OF_A_SCREEN: WorldPrint = { world: 'closed', rule: 'nothing-else-known' };

/**
 * The world of what repeats: open if any of the calls is; undefined if they are not known. Only an
 * agent's own steps change texts, outputs and tasks.
 */
export function worldOfKeys(
  claims: Claims,
  keys: readonly string[],
  { call, world }: Fingerprint,
): CallWorld | undefined {
  let found: CallWorld | undefined;
  for (const key of keys) {
    const claim = claims.find(([name]) => name === key)?.[1];
    const each = key === call?.key && world ? world.world : claim && (claim.world ?? 'closed');
    if (each === 'open') return each;
    if (each !== undefined && found !== 'undecided') found = each;
  }
  return found;
}

/** An action's result shorter than this, in characters, does not tell what was done. */
const RECEIPT = 60;
/** Whether an action succeeded with only a receipt. */
export const isBareReceipt = ({ call, result }: Pick<Fingerprint, 'call' | 'result'>): boolean =>
  call !== undefined &&
  result !== undefined &&
  CHANGING.has(call.verb) &&
  result.error === null &&
  result.size < RECEIPT;
const CHANGING: ReadonlySet<string> = new Set(['write', 'execute', 'navigate']);

/**
 * Even a failed call may have changed something. If it does not name its target, it may have
 * changed anything; and a build may change what a test finds.
 */
const reaches = (call: CallPrint, claim: Claim): boolean =>
  mayChange(call, claim) ||
  (call.effect === 'target' && call.target === null) ||
  (call.verb === 'verify' && claim.wide);

/** What would give the permission that one of these calls lacks; undefined if none lacks any. */
export const lackingFor = (
  claims: Claims,
  keys: readonly string[],
  seen: Fingerprint,
): string | undefined =>
  seen.allow ?? standingOf(claims, keys, seen).find(({ allow }) => allow)?.allow;

/** Whether the host did not let one of these calls run. */
export const isDenied = (claims: Claims, keys: readonly string[], seen: Fingerprint): boolean =>
  seen.denied === true || standingOf(claims, keys, seen).some(({ denied }) => denied);

/** The claims about these calls, without that about the one that has just finished. */
const standingOf = (
  claims: Claims,
  keys: readonly string[],
  { call, result }: Fingerprint,
): Claim[] =>
  claims
    .filter(([key]) => keys.includes(key) && !(result !== undefined && key === call?.key))
    .map(([, claim]) => claim);

/**
 * How many times the result of a call was the same, and how long ago it last came; null if
 * something seen since could have changed it.
 */
export function standing(
  claims: Claims,
  key: string,
  at: number,
): { times: number; age: number; lasts: number } | null {
  const claim = recall(claims, key);
  return claim?.stands
    ? {
        times: claim.times,
        age: Math.max(0, at - claim.at),
        lasts: claim.brief ? LASTS : LASTS_CLOSED,
      }
    : null;
}

/**
 * How long a result holds after it came, in milliseconds, if nothing else is known about the call:
 * whatever the agent waits for may have happened unseen. In the closed world it holds longer: other
 * people and programs write documents and files, but not by the minute.
 */
const LASTS = 30_000;
const LASTS_CLOSED = 600_000;

/**
 * A result holds for a limited time, because things change unseen. A guard that sees only some of
 * the calls also lets one through after 2,
 * 4, 8 refusals.
 */
export const stillHolds = (
  { refused, renewed }: Pick<Streak, 'refused' | 'renewed'>,
  { age, lasts }: { age: number; lasts: number },
  isPartial: boolean,
): boolean => isFresh(renewed, { age, lasts }) && !(isPartial && refused >= 2 ** (renewed + 1));

/** Each time the result was the same again after all, it holds twice as long. */
export const isFresh = (renewed: number, { age, lasts }: { age: number; lasts: number }): boolean =>
  age < lasts * 2 ** renewed;
