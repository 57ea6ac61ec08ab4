import { createHash } from 'node:crypto';
import type { Run } from './run.ts';

/** Errors were read only in runs of sources whose name's SHA-256 begins with an even digit. */
export const isRead = (source: string): boolean =>
  Number.parseInt(createHash('sha256').update(source).digest('hex')[0]!, 16) % 2 === 0;

/** A part of the runs that is also measured separately. */
export interface Part {
  name: string;
  has(run: Pick<Run, 'source' | 'round'>): boolean;
}

/** The rounds of labels, and the two halves of the sources. */
export function partsOf(runs: readonly Run[]): Part[] {
  const rounds = [...new Set(runs.flatMap(({ round }) => round ?? []))].sort((a, b) => a - b);
  return [
    ...rounds.map(
      (wanted): Part => ({ name: `round ${wanted}`, has: ({ round }) => round === wanted }),
    ),
    { name: 'sources whose errors were read', has: ({ source }) => isRead(source) },
    { name: 'sources left unread', has: ({ source }) => !isRead(source) },
  ];
}
