import type { Paint } from '../text/paint.ts';
import { cut, printable } from '../text/printable.ts';
import type { SessionSummary } from '../views/session-summary.ts';
import type { Watched } from '../views/watched-sessions.ts';
import { entryText } from './entry-text.ts';
import { counted, number } from './figures.ts';
import { type SessionState, stateOf } from './sessions-text.ts';
import { clock, lasting } from './time-text.ts';

export interface ScreenOptions {
  paint: Paint;
  width: number;
  height: number;
  /** Epoch milliseconds. */
  now: number;
}

const MARKS: Record<SessionState, string> = { looping: '▲', running: '●', silent: '○', ended: '■' };

/** A screenful: the recently active sessions and what each does now, then the newest entries. */
export function watchScreen({ sessions, latest, names }: Watched, { paint, width, height, now }: ScreenOptions): string[] {
  const paints: Record<SessionState, (text: string) => string> = {
    looping: paint.yellow,
    running: paint.green,
    silent: paint.dim,
    ended: paint.dim,
  };
  const nameOf = (session: string): string => names.get(session) ?? session;
  const title = `Unrut, ${clock(now)}: ${counted(sessions.length, 'session')} active in the last 30 min`;
  const end = 'q to quit';
  const lines = [paint.bold(cut(title.padEnd(Math.max(title.length + 2, width - end.length)) + end, width)), ''];
  if (sessions.length === 0) return [...lines, ...quiet(width)].slice(0, height);
  const room = Math.max(1, height - lines.length - 1);
  const most = Math.max(1, latest.length === 0 ? room : Math.ceil(room / 2));
  const rows = sessions.map((session) => {
    const state = stateOf(session, now);
    return paints[state](cut(`${MARKS[state]} ${state.padEnd(7)}  ${sessionLine(session, nameOf(session.session), now)}`, width));
  });
  lines.push(...(rows.length > most ? [...rows.slice(0, most - 1), paint.dim(`  … and ${number(rows.length - most + 1)} more`)] : rows));
  const left = height - lines.length - 1;
  if (left > 0 && latest.length > 0) {
    lines.push('');
    lines.push(...latest.slice(-left).map((entry) => entryText(entry, { paint, width, name: nameOf(entry.session) })));
  }
  return lines.slice(0, height);
}

function sessionLine({ host = '', folder = '', steps, loops, plans, last, doing = '' }: SessionSummary, name: string, now: number): string {
  const figures = [counted(steps, 'step'), ...(loops > 0 ? [counted(loops, 'loop')] : []), ...(plans > 0 ? [counted(plans, 'plan')] : [])];
  const who = [host, folder].filter(Boolean).join(' in ').padEnd(24);
  return printable(`${name.padEnd(8)}  ${who}  ${figures.join(', ')}, ${lasting(now - last)} ago  ${doing}`.trimEnd());
}

const quiet = (width: number): string[] =>
  ['No active agents.', 'Connect one with unrut install claude-code; unrut install lists the others.'].map((line) => cut(line, width));
