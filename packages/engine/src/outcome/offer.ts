import { type Candidate, shownCandidates } from '../candidates/candidate.ts';
import type { RecentCall } from '../candidates/memory.ts';
import type { Trail } from '../candidates/rank.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import type { World } from '../tools/tool-role.ts';
import { PASSED, rewardOf } from './reward.ts';

/**
 * A failed step, what was offered after it, what the agent did, and how good that was. Plain JSON,
 * without arguments or results.
 */
export interface Offer extends Trail {
  world: World;
  /** The moves that were offered, best first. */
  offered: string[];
  /** The tool of the first call after the offer. */
  did: string | null;
}

/** An offer while its outcome is open. */
export interface OpenOffer extends Offer {
  /** The tool that failed, and the key of the call. */
  failed: string;
  key: string;
  /** For each offered move that names a tool: the tool, and whether it must only read. */
  tools: [move: string, tool: string, readsOnly: boolean][];
  hasLooked: boolean;
  hasPassed: boolean;
}

const READS: ReadonlySet<string> = new Set(['read', 'wait', 'verify']);

/** Starts to follow what a plan offered: only the candidates that the model was shown. */
export function openOffer(candidates: readonly Candidate[], failed: RecentCall): OpenOffer {
  const offered = shownCandidates(candidates);
  return {
    failure: failed.failure ?? 'other',
    world: failed.world,
    target: failed.target,
    offered: offered.map(({ name }) => name),
    did: null,
    followed: null,
    reward: 0,
    failed: failed.tool,
    key: failed.key,
    tools: offered.flatMap(({ name, tool, risk }) =>
      tool === undefined ? [] : [[name, tool, risk === 'read_only'] as const],
    ) as OpenOffer['tools'],
    hasLooked: false,
    hasPassed: false,
  };
}

/** Takes in one more call after the offer. The first call tells whether the offer was followed. */
export function followOffer(offer: OpenOffer, call: RecentCall, seen: Fingerprint): void {
  const verb = seen.call?.verb ?? 'unknown';
  if (offer.did === null) {
    offer.did = call.tool === '' ? '?' : call.tool;
    const isSame = call.key === offer.key;
    const made = offer.tools.find(
      ([, tool, readsOnly]) => tool === call.tool && !isSame && (!readsOnly || READS.has(verb)),
    );
    offer.followed = made?.[0] ?? null;
  }
  if (
    call.tool === offer.failed &&
    call.failure === undefined &&
    seen.progress !== null &&
    !READS.has(verb)
  )
    offer.hasPassed = true;
  offer.reward = clamped(offer.reward + rewardOf(call, seen, offer.hasLooked));
  if (verb === 'read') offer.hasLooked = true;
}

/** The offer as it is stored, without what was needed to follow it. */
export function closedOffer(
  { failure, world, target, offered, did, followed, reward, hasPassed }: OpenOffer,
  isRecovered: boolean,
): Offer {
  return {
    failure,
    world,
    target,
    offered,
    did,
    followed,
    reward: isRecovered && hasPassed ? PASSED : reward,
  };
}

const clamped = (reward: number): number =>
  Math.round(1000 * Math.max(-1, Math.min(1, reward))) / 1000 || 0;
