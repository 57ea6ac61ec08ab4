import { amountWords } from '@unrut/engine/policy/spending';
import { attemptWords } from '@unrut/engine/text/attempt-words';
import type { RecordedEvent } from '../reports/recorded-entry.ts';
import { toldBy } from './what-happened.ts';

/** Fields that `unrut run` and tasks record besides those of the guard. */
export interface RunEvent extends RecordedEvent {
  /** The iteration, or the attempt at any task, counted from 1. */
  turn?: number;
  task?: string;
  status?: string;
  blockers?: string[];
  work?: string[];
  said?: string[];
  attemptSession?: string;
  /** Of `plan-performed`: the action on a looping task, and its reason. */
  recovery?: string;
  why?: string;
}

/** An event and its result, in words. Events of a run use the wording of its screen. */
export function wordsOf(event: RunEvent): { what: string; brought: string } {
  const {
    type,
    turn,
    task,
    status = '',
    blockers = [],
    work = [],
    said = [],
    attemptSession = '',
    recovery,
    why = '',
  } = event;
  if (recovery !== undefined)
    return { what: `recovery of task ${task}`, brought: `${recovery}: ${why}` };
  if (type === 'task-attempted' && task !== undefined)
    return attemptWords({ task, status, blockers, work, said, attemptSession });
  if (event.budget?.extended)
    return {
      what: turn === undefined ? toldBy(event).what : 'the run goes on',
      brought: extensionText(event.budget),
    };
  if (turn === undefined) return toldBy(event);
  switch (type) {
    case 'iteration-started':
      return { what: turn === 0 ? 'the run is taken up' : `iteration ${turn} begins`, brought: '' };
    case 'output-finished':
      return { what: `iteration ${turn}`, brought: toldBy(event).brought };
    case 'user-spoke':
      return { what: 'the run goes on', brought: '' };
    case 'session-ended':
      return { what: 'the run ends', brought: '' };
    default:
      return toldBy(event);
  }
}

/** The user's extension, such as `the budget is now $10.00`. */
const extensionText = ({ figures, extended = [] }: NonNullable<RecordedEvent['budget']>): string =>
  `the budget is now ${extended.map((kind) => amountWords(kind, figures[kind]?.limit ?? 0)).join(', ')}`;
