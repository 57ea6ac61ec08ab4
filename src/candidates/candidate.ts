import type { Risk } from '../failures/failure.ts';

/** A concrete next action for an agent whose call failed. Advice only: nothing of it is ever carried out. */
export type Candidate = {
  /** The move that it is, under which outcomes are learned. */
  name: string;
  /** A tool that the host really has; missing where none is known. */
  tool?: string;
  /** What to do. */
  description: string;
  /** Arguments to call the tool with, where they are known and harmless. */
  args?: { [name: string]: string };
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

/** What the model reads of them, after the text that is there already; nothing where there are none. */
export function candidatesText(candidates: readonly Candidate[]): string {
  const shown = shownCandidates(candidates);
  return shown.length === 0 ? '' : ` Ranked recovery candidates: ${shown.map((each, i) => `${i + 1}. ${worded(each)}`).join(' | ')}.`;
}

function worded({ tool, description, args, reason, risk, score }: Candidate): string {
  const weight = `(${risk}, score=${score})`;
  if (tool === undefined) return `${description} ${weight}: ${reason}`;
  return `${tool} ${weight}: ${description}${args ? ` with ${JSON.stringify(args)}` : ''}; ${reason}`;
}
