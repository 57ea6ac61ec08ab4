import { wrap } from '@unrut/engine/text/printable';
import { shellWord } from '@unrut/engine/text/shell-word';
import { type OutcomeCounts, type SessionFigures, stateOf } from '../figures/session-figures.ts';
import type { StallLimits } from '../reports/stall.ts';
import { counted, number } from './figures.ts';
import { figures, type Sheet, table } from './table.ts';
import { lasting } from './time-text.ts';

export interface SessionsTextOptions extends Sheet {
  /** When a session counts as stalled. */
  stall?: StallLimits;
  /** Epoch milliseconds. */
  now: number;
  /** The displayed names of sessions. */
  names: ReadonlyMap<string, string>;
  /** Sessions that are not shown. */
  more: number;
}

const COLUMNS = [
  'session',
  'agent',
  'folder',
  'state',
  ...['last seen', 'steps', 'loops', 'plans'].map(figures),
  'outcomes',
];

/** Sessions for a terminal, a line each. */
export function sessionsText(
  sessions: readonly SessionFigures[],
  { paint, width, now, names, more, stall }: SessionsTextOptions,
): string[] {
  const looping = sessions.filter(({ loops }) => loops > 0).length;
  const of =
    more > 0
      ? `The newest ${number(sessions.length)} of ${counted(sessions.length + more, 'session')}`
      : counted(sessions.length, 'session');
  const rows = sessions.map((session) => [
    names.get(session.session) ?? session.session,
    session.host ?? '',
    session.folder ?? '',
    `${stateOf(session, now, stall)}${modeText(session)}`,
    `${lasting(now - session.last)} ago`,
    ...[session.steps, session.loops, session.plans].map(number),
    outcomesText(session.outcomes),
  ]);
  const [newest] = rows;
  const hint = `unrut show ${newest ? shellWord(newest[0]!) : '<session>'} shows what happened${more > 0 ? `; --last ${sessions.length + more} lists all` : ''}.`;
  return [
    paint.bold(`${of}, ${number(looping)} with loops.`),
    '',
    ...table(COLUMNS, rows, width, paint),
    '',
    ...wrap(hint, width).map(paint.dim),
  ];
}

/** A word after the state if Unrut does not act there. */
export const modeText = ({ mode }: Pick<SessionFigures, 'mode'>): string =>
  mode === undefined ? '' : mode === 'off' ? ' (off)' : ' (record-only)';

/** `2 recovered, 1 persisted`; empty if no outcome is known. */
export const outcomesText = (outcomes: OutcomeCounts): string =>
  Object.entries(outcomes)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${number(count)} ${outcome}`)
    .join(', ');
