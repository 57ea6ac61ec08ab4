import { cut, printable, wrap } from '@unrut/engine/text/printable';
import { type SessionFigures, type SessionState, stateOf } from '../figures/session-figures.ts';
import type { LedgerEntry } from '../ledger.ts';
import { asRecorded } from '../reports/recorded-entry.ts';
import { type StallLimits, stallText } from '../reports/stall.ts';
import { noColours } from '../text/paint.ts';
import type { Watched } from '../views/watched-sessions.ts';
import { entryText, entryWords } from './entry-text.ts';
import { counted, number } from './figures.ts';
import { DEEDS } from './rung-words.ts';
import { modeText } from './sessions-text.ts';
import type { Sheet } from './table.ts';
import { clock, lasting } from './time-text.ts';

export interface ScreenOptions extends Sheet {
  height: number;
  /** Epoch milliseconds. */
  now: number;
  /** The row that keys are for. */
  selected?: number;
  /**
   * Shows all entries, with the names of detectors and recoveries, and the messages to the model.
   */
  details?: boolean;
  /** When a session counts as stalled. */
  stall?: StallLimits;
  /** The outcome of the last key. */
  notice?: string;
}

const MARKS: Record<SessionState, string> = {
  looping: '▲',
  stalled: '◌',
  running: '●',
  silent: '○',
  stopped: '■',
  ended: '■',
};
const KEYS = '↑↓ session · d details · o off/on · f false alarm · q quit';

/** One screen: the recently active sessions with their state, then the newest entries. */
export function watchScreen(
  { sessions, latest, names }: Watched,
  { paint, width, height, now, selected, details = false, notice = '', stall }: ScreenOptions,
): string[] {
  const paints: Record<SessionState, (text: string) => string> = {
    looping: paint.yellow,
    stalled: paint.yellow,
    running: paint.green,
    silent: paint.dim,
    stopped: paint.red,
    ended: paint.dim,
  };
  const nameOf = (session: string): string => names.get(session) ?? session;
  const title = `Unrut, ${clock(now)}: ${counted(sessions.length, 'session')} active in the last 30 min`;
  const end = selected === undefined ? 'q to quit' : KEYS;
  const fits = title.length + 2 + end.length <= width;
  const lines = [
    paint.bold(cut(fits ? title.padEnd(width - end.length) + end : title, width)),
    ...(fits ? [] : [paint.dim(cut(end, width))]),
  ];
  lines.push(notice === '' ? '' : paint.bold(cut(printable(notice), width)));
  if (sessions.length === 0) return [...lines, ...quiet(width)].slice(0, height);
  const room = Math.max(1, height - lines.length - 1);
  const most = Math.max(1, latest.length === 0 ? room : Math.ceil(room / 2));
  const rows = sessions.map((session, i) => {
    const state = stateOf(session, now, stall);
    const mark = selected === i ? '>' : selected === undefined ? '' : ' ';
    const line = `${mark}${MARKS[state]} ${state.padEnd(7)}  ${sessionLine(session, nameOf(session.session), now, state)}`;
    return paints[state](cut(line, width));
  });
  lines.push(
    ...(rows.length > most
      ? [...rows.slice(0, most - 1), paint.dim(`  … and ${number(rows.length - most + 1)} more`)]
      : rows),
  );
  const left = height - lines.length - 1;
  if (left > 0 && latest.length > 0)
    lines.push('', ...newest(latest, left, (entry) => linesOf(entry)));
  return lines.slice(0, height);

  function linesOf(entry: LedgerEntry): string[] {
    if (details)
      return hanging(
        entryText(entry, {
          paint: noColours,
          width: Number.POSITIVE_INFINITY,
          name: nameOf(entry.session),
        }),
        width,
      );
    const text = forPerson(entry);
    return text === ''
      ? []
      : hanging(
          `${clock(entry.at)} ${printable(nameOf(entry.session))} ${printable(text)}`,
          width,
        ).map(entry.kind === 'plan' ? paint.red : paint.dim);
  }
}

/** After a time and a short name. */
const INDENT = 18;

/** Wraps text with a hanging indent. */
const hanging = (text: string, width: number): string[] =>
  wrap(text, width, INDENT).map((line, i) => (i === 0 ? line.trimStart() : line));

/** As many of the newest entries as fit, oldest first, each complete. */
function newest(
  latest: readonly LedgerEntry[],
  room: number,
  linesOf: (entry: LedgerEntry) => string[],
): string[] {
  const lines: string[] = [];
  for (const entry of latest.toReversed()) {
    const more = linesOf(entry);
    if (lines.length > 0 && lines.length + more.length > room) break;
    lines.unshift(...more);
  }
  return lines.slice(-room);
}

/** The action and its outcome for users; developer details are omitted. */
function forPerson(entry: LedgerEntry): string {
  const recorded = asRecorded(entry);
  if (recorded.kind === 'plan') {
    const { rung, shadow, toHuman } = recorded.data;
    return `${shadow ? 'would have ' : ''}${DEEDS[rung].done}: ${toHuman.replace(/^Unrut[^:]*: /, '')}`;
  }
  if (recorded.kind === 'outcome')
    return recorded.data.outcome === 'recovered' ? 'it helped: the agent went on' : '';
  return recorded.kind === 'fault' ? entryWords(recorded) : '';
}

function sessionLine(
  summary: SessionFigures,
  name: string,
  now: number,
  state: SessionState,
): string {
  const { host = '', folder = '', steps, loops, plans, last, stall } = summary;
  const doing = state === 'stalled' && stall ? stallText(stall, now) : (summary.doing ?? '');
  const figures = [
    counted(steps, 'step'),
    ...(loops > 0 ? [counted(loops, 'loop')] : []),
    ...(plans > 0 ? [counted(plans, 'plan')] : []),
  ];
  const who = `${[host, folder].filter(Boolean).join(' in ')}${modeText(summary)}`.padEnd(24);
  return printable(
    `${name.padEnd(8)}  ${who}  ${figures.join(', ')}, ${lasting(now - last)} ago  ${doing}`.trimEnd(),
  );
}

const quiet = (width: number): string[] =>
  [
    'No active agents.',
    'Connect one with unrut install claude-code; unrut install lists the others.',
  ].map((line) => cut(line, width));
