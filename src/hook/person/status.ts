import { offFor } from '../../config/said.ts';
import type { Settings } from '../../config/settings.ts';
import type { Rung } from '../../event.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { summarize } from '../../views/session-summary.ts';
import { lastAlarm } from './alarm.ts';
import { offText } from './switch.ts';

/** What was done, by rung, in a word. */
const DONE: Readonly<Record<Rung, string>> = {
  note: 'warned',
  hint: 'suggested next steps',
  substitute: 'offered another call',
  block: 'blocked',
  redirect: 'redirected',
  escalate: 'asked you',
  stop: 'stopped',
};

/** Only what is new enough to matter is looked at: a status line is drawn often. */
const MAX_ENTRIES = 300;

/** How it stands in one session, in one line: off, watching, looping, and what was done. */
export async function statusText(ledger: Ledger, settings: Settings, folder: string, session: string | undefined): Promise<string> {
  const off = offFor(settings.said, folder, session);
  if (off) return `Unrut: off ${offText(off)} (unrut on)`;
  const mode = settings.shadow ? ', record-only' : '';
  const entries = session === undefined ? [] : await ledger.entries({ session, last: MAX_ENTRIES });
  if (entries.length === 0) return `Unrut: quiet${mode}`;
  const { looping } = summarize(session!, entries);
  const alarm = await lastAlarm(ledger, session);
  const done = alarm?.rung === undefined ? '' : `, ${DONE[alarm.rung]}`;
  if (looping && alarm) return `Unrut: looping ×${alarm.signal.count} ${alarm.label}${done}${mode}`;
  return alarm ? `Unrut: watching${mode}; last loop: ${alarm.label}${done}` : `Unrut: watching${mode}`;
}
