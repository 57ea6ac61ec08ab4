import type { OfferedArgs, Risk } from '../failures/failure.ts';
import { failures } from '../failures/index.ts';

/**
 * A concrete next action for an agent whose call failed. It is only advice: Unrut never carries it
 * out.
 */
export type Candidate = {
  /** The name of the move, under which outcomes are learned. */
  name: string;
  /** A tool that the host actually has; missing if none is known. */
  tool?: string;
  /** What to do, in words. */
  description: string;
  /** Arguments to call the tool with, if they are known and harmless. */
  args?: OfferedArgs;
  /** Why it may help; where that is obvious, what the failure means. Never empty. */
  reason: string;
  /** -1..1, rounded to three decimals. */
  score: number;
  risk: Risk;
  /** Why it may not be offered. Such candidates are recorded, but never shown to the model. */
  blockedReason?: string;
};

const MAX_SHOWN = 3;

/** The candidates that the model reads: the best one, and a few more with a positive score. */
export const shownCandidates = (candidates: readonly Candidate[]): Candidate[] =>
  candidates
    .filter(({ blockedReason }) => blockedReason === undefined)
    .slice(0, MAX_SHOWN)
    .filter(({ score }, i) => i === 0 || score > 0);

/** A candidate with a lower score is hardly better than anything else the agent could do. */
const WEAK = 0.5;

/**
 * What to do next in words, best first: strong candidates, followed by the pattern's last resort.
 * Without strong candidates, the pattern's own moves, then the other candidates.
 */
export function movesOf(
  candidates: readonly Candidate[],
  ofPattern: readonly string[],
  stalls: boolean,
): string[] {
  const shown = shownCandidates(candidates);
  const strong = shown.filter(({ score }) => stalls || score >= WEAK);
  if (strong.length > 0) return [...strong.map(worded), ...ofPattern.slice(-1)];
  return [...ofPattern, ...shown.map(worded)];
}

/** A note says what the failure means anyway. */
const isMeaning = (reason: string): boolean => failures.some(({ means }) => means === reason);

function worded({ tool, description, args, reason }: Candidate): string {
  const { command, ...others } = args ?? {};
  const call =
    command !== undefined && Object.keys(others).length === 0
      ? command
      : tool && `${tool}${args ? ` ${JSON.stringify(args)}` : ''}`;
  return `${call === undefined ? '' : `\`${call}\`: `}${description}${isMeaning(reason) ? '' : `; ${reason}`}`;
}
