import type { FoundAlarm, Miss } from './findings.ts';
import type { Report } from './report.ts';

/** An alarm in one line. */
export function alarmText({
  system,
  run,
  from,
  to,
  actsAt,
  by,
  judgement,
  note,
  text,
}: FoundAlarm): string {
  const acts = actsAt === null ? '' : `, acts at ${actsAt}`;
  return `${system}: ${run} @${from}–${to}${acts} ${judgement}${note ? ' note' : ''} [${by.join(', ')}]${text === '' ? '' : ` ${text}`}`;
}

/** A miss in one line. */
function missText({ system, run, loop, note }: Miss): string {
  const where = loop ? ` @${loop.start}–${loop.end}, stuck at ${loop.stuckAt}, ${loop.kind}` : '';
  return `${system}: ${run}${where}: ${note}`;
}

/**
 * The cases that a person should read to judge a system: its misses, and its wrong or unknown
 * alarms.
 */
export interface Listing {
  title: string;
  lines: string[];
}

/** Everything to read about the systems of these names. */
export function listingsOf({ alarms, misses }: Report, systems: ReadonlySet<string>): Listing[] {
  const said = alarms.filter(({ system }) => systems.has(system));
  const missed = misses.filter(({ system }) => systems.has(system));
  return [
    { title: 'Missed loops', lines: missed.filter(({ loop }) => loop).map(missText) },
    { title: 'Missed runs', lines: missed.filter(({ loop }) => !loop).map(missText) },
    {
      title: 'False alarms',
      lines: said.filter(({ judgement }) => judgement === 'false').map(alarmText),
    },
    {
      title: 'Alarms on unlabelled runs',
      lines: said.filter(({ judgement, note }) => judgement === 'unknown' && !note).map(alarmText),
    },
    {
      title: 'Edit and back-off notes on unlabelled runs',
      lines: said.filter(({ judgement, note }) => judgement === 'unknown' && note).map(alarmText),
    },
  ].filter(({ lines }) => lines.length > 0);
}
