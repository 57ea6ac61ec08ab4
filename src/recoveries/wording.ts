import type { Signal } from '../signal.ts';

/** The first letter of a sentence. */
export const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** The last word before a stop that nobody is asked about. */
export const reportRequest = (text: string): string =>
  `Unrut is about to stop this run: ${text}. Call no more tools. Answer now with your report: what you tried, what you know, and what is needed to go on.`;

/** Moves as prose: `a; b; or c`. */
export const choice = (moves: readonly string[]): string =>
  moves.length < 2 ? moves.join('') : `${moves.slice(0, -1).join('; ')}; or ${moves.at(-1)}`;

/** What a signal about a task says of it. */
export function taskIn({ evidence: { facts }, text, count }: Signal): TaskFacts {
  const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
  return {
    id: String(facts.task ?? ''),
    attempts: typeof facts.attempts === 'number' ? facts.attempts : count,
    reason: typeof facts.reason === 'string' ? facts.reason : `${sentence(text)}.`,
    isDone: facts.status === 'done',
    blockers: texts(facts.blockers),
    ways: texts(facts.ways),
  };
}

interface TaskFacts {
  id: string;
  attempts: number;
  reason: string;
  isDone: boolean;
  blockers: string[];
  /** What to try first, for blockers of known kinds. */
  ways: string[];
}
