import type { Signal } from '../signal.ts';
import type { Situation } from './recovery.ts';

/** How Unrut names itself to the model, which may never have heard of it. */
export const WE = 'Unrut (loop guard)';

/** What to do while a human is asked, or if none is. */
export const WHILE_ASKED =
  'do not repeat this before a human has answered: go on with other work, or end your turn and say in two sentences what you tried and what you need';
export const WITHOUT_ANYBODY =
  'work on something else, or finish with a report of what you tried, what you know and what is missing';

/** How much the model is told: a note first, and more if that did not help. */
const NOTE: Room = { moves: 2, characters: 399 };
export const HINT: Room = { moves: 3, characters: 699 };

interface Room {
  moves: number;
  characters: number;
}

/** A move of a plugin may already end in a full stop. */
const closed = (move: string): string => `${sentence(move).replace(/\.$/, '')}.`;

/** Begins as a sentence does; a path or a name in code stays as it is. */
export const sentence = (text: string): string =>
  IN_CODE.test(text) ? text : `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const IN_CODE = /^\S*[\w)\]][/\\._]\w/;

/** The text and as many next moves as fit, best first. */
export function withMoves(what: string, moves: readonly string[], room: Room): string {
  const opening = what.length > room.characters ? `${what.slice(0, room.characters - 2)}….` : what;
  const shown: string[] = [];
  let length = opening.length + ' Try next:'.length;
  for (const move of moves) {
    length += move.length + ' 1. .'.length;
    if (shown.length === room.moves || length > room.characters) break;
    shown.push(move);
  }
  if (shown.length === 0) return opening;
  return `${opening} Try next: ${shown.map((move, i) => `${shown.length > 1 ? `${i + 1}. ` : ''}${closed(move)}`).join(' ')}`;
}

/** A note: what repeats, then what to do instead. */
export const noteWords = ({ signal, moves }: Situation): string =>
  withMoves(`${WE}: ${signal.text}.`, moves, NOTE);

/** The line that a person reads about a note. */
export const noteLine = ({ signal }: Situation): string => `Unrut told the agent: ${signal.text}.`;

/** What was seen, for a person who must decide; with the error, if there is one. */
export function seenInFull({ text, evidence: { facts } }: Signal): string {
  const { error } = facts;
  return typeof error === 'string' && error !== '' && !text.includes(error)
    ? `${text} (${error})`
    : text;
}

/** The last request before a stop that nobody is asked about. */
export const reportRequest = (text: string, isRefused = false): string =>
  `${WE} is about to stop this run: ${text}. ${isRefused ? 'This call was not run; call' : 'Call'} no more tools. Answer now with your report: what you tried, what you know, and what is needed to go on.`;

const STOPPED = /^Unrut stopped the run: (.*?)\.? To (?:resume it|go on),/s;
const POINTER = / \((?:npx )?unrut show [^)]*\)$/;

/** A stop that ended a nested agent only: the words for a person, and for the agent above it. */
export function nestedStop(toHuman: string): { toHuman: string; toParent: string } {
  const why = STOPPED.exec(toHuman)?.[1];
  const pointer = POINTER.exec(toHuman)?.[0] ?? '';
  return {
    toHuman:
      why === undefined
        ? toHuman
        : `Unrut stopped a subagent: ${why}. The agent that started it is told.${pointer}`,
    toParent: `${WE} stopped your subagent before it had finished${why === undefined ? '' : `: ${why}`}. Its last words are no finished result. Work with what it found, or go another way; do not start it again with the same task.`,
  };
}

/** What a signal about a task says about it. */
export function taskIn({ evidence: { facts }, text, count }: Signal): TaskFacts {
  const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
  return {
    id: String(facts.task ?? ''),
    attempts: typeof facts.attempts === 'number' ? facts.attempts : count,
    reason: typeof facts.reason === 'string' ? facts.reason : `${sentence(text)}.`,
    isDone: facts.status === 'done',
    isWaiting: facts.waiting === true,
    isRisky: facts.risky === true,
    blockers: texts(facts.blockers),
    ways: texts(facts.ways),
  };
}

interface TaskFacts {
  id: string;
  attempts: number;
  reason: string;
  isDone: boolean;
  /** No loop: only a person can remove what blocks it. */
  isWaiting: boolean;
  /** It deploys, deletes or pays: a way around what blocks it can do harm. */
  isRisky: boolean;
  blockers: string[];
  /** What to try first for blockers of known kinds. */
  ways: string[];
}
