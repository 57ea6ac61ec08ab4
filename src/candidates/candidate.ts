import type { OfferedArgs, Risk } from '../failures/failure.ts';

/** A concrete next action for an agent whose call failed. Advice only: nothing of it is ever carried out. */
export type Candidate = {
  /** The move that it is, under which outcomes are learned. */
  name: string;
  /** A tool that the host really has; missing where none is known. */
  tool?: string;
  /** What to do. */
  description: string;
  /** Arguments to call the tool with, where they are known and harmless. */
  args?: OfferedArgs;
  reason: string;
  /** -1..1, three decimals. */
  score: number;
  risk: Risk;
  /** Why it may not be offered. Such candidates are listed, and never shown to the model. */
  blockedReason?: string;
};

const MAX_SHOWN = 3;

/** Those that the model reads: the best in any case, and a few more for which something speaks. */
export const shownCandidates = (candidates: readonly Candidate[]): Candidate[] =>
  candidates
    .filter(({ blockedReason }) => blockedReason === undefined)
    .slice(0, MAX_SHOWN)
    .filter(({ score }, i) => i === 0 || score > 0);

/** Less than this speaks for little more than for anything else that one could do. */
const WEAK = 0.5;

/**
 * What to do next, in words, best first: candidates for which much speaks, and the last resort of the pattern; without any, what suits the
 * pattern, then the other candidates.
 */
export function movesOf(candidates: readonly Candidate[], ofPattern: readonly string[], stalls: boolean): string[] {
  const shown = shownCandidates(candidates);
  const strong = shown.filter(({ score }) => stalls || score >= WEAK);
  if (strong.length > 0) return [...strong.map(worded), ...ofPattern.slice(-1)];
  return [...ofPattern, ...shown.map(worded)];
}

function worded({ tool, description, args, reason }: Candidate): string {
  const { command, ...others } = args ?? {};
  const call =
    command !== undefined && Object.keys(others).length === 0 ? command : tool && `${tool}${args ? ` ${JSON.stringify(args)}` : ''}`;
  return `${call === undefined ? '' : `\`${call}\`: `}${description}${reason === '' ? '' : `; ${reason}`}`;
}
