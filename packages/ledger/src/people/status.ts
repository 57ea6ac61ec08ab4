import { homedir } from 'node:os';
import { objectOf, textOf } from '@unrut/engine/json';
import { isOfBudget, leftTexts } from '@unrut/engine/policy/spending';
import { safeName } from '@unrut/engine/redact/safe-name';
import { printable } from '@unrut/engine/text/printable';
import { loadSettings } from '../config/load-settings.ts';
import type { Settings } from '../config/settings.ts';
import { sessionFiguresOf } from '../figures/count-session.ts';
import type { Ledger } from '../ledger.ts';
import { addressOf, type LedgerDrivers, useLedger } from '../open-ledger.ts';
import { counted } from '../report/figures.ts';
import { DEEDS } from '../report/rung-words.ts';
import { lastAlarm } from './alarm.ts';
import { needsCost, noteCost } from './reported-cost.ts';
import { offFor } from './said.ts';
import { offText } from './switch.ts';

/** A status line is drawn often, so only recent entries are read. */
const MAX_ENTRIES = 300;

/** The state of one session in one line: off, watching, looping, and the action taken. */
export async function statusText(
  ledger: Ledger,
  settings: Settings,
  folder: string,
  session: string | undefined,
  now: number,
): Promise<string> {
  const off = offFor(settings.said, folder, session);
  if (off) return `Unrut: off ${offText(off)} (unrut on)`;
  const mode = settings.shadow ? ', record-only' : '';
  const entries = session === undefined ? [] : await ledger.entries({ session, last: MAX_ENTRIES });
  const week = await lately(ledger, settings, now);
  if (entries.length === 0) return `Unrut: quiet${mode}${week}`;
  const { looping, stopped, budget } = sessionFiguresOf(session!, entries);
  const left = budget ? `; left: ${leftTexts(budget).join(', ')}` : '';
  const alarm = await lastAlarm(ledger, session);
  const isOver = entries.some(
    ({ kind, at, data }) => kind === 'event' && data.type === 'user-spoke' && at > (alarm?.at ?? 0),
  );
  const rung = stopped ? 'stop' : alarm?.rung;
  const done = rung === undefined || isOver ? '' : `, ${DEEDS[rung].brief}`;
  if (looping && alarm)
    return `Unrut: looping ×${alarm.signal.count} ${alarm.label}${done}${mode}${left}`;
  return alarm
    ? `Unrut: watching${mode}; last loop: ${alarm.label}${done}${left}`
    : `Unrut: watching${mode}${week}${left}`;
}

const DAY = 86_400_000;
const DAYS = 7;
const MAX_PLANS = 500;

/**
 * A summary of at most a week, so that a silent guard is not mistaken for a broken one. Omitted on
 * the first day, and for team ledgers, which are too large for a line that is drawn often.
 */
async function lately(
  ledger: Ledger,
  { said, ledger: place }: Settings,
  now: number,
): Promise<string> {
  if (place.url !== undefined) return '';
  const sessions = await ledger.sessions();
  const first = sessions.reduce((oldest, each) => Math.min(oldest, each.first), now);
  const days = Math.min(DAYS, Math.floor((now - first) / DAY));
  if (days < 1) return '';
  const since = now - DAYS * DAY;
  const plans = await ledger.entries({ kind: 'plan', since, last: MAX_PLANS });
  const looped = new Set(
    plans
      .filter(({ data }) => !isOfBudget({ reason: textOf(data.reason) }))
      .map(({ session }) => session),
  ).size;
  const loops = looped === 0 ? 'no loops' : `loops in ${counted(looped, 'session')}`;
  const wrong = said.forgiven.filter(({ at }) => at >= since).length;
  return `; ${counted(days, 'day')}: ${loops}, ${counted(wrong, 'false alarm')}`;
}

/** The status line for Claude Code's input. Never throws. */
export async function statusLineFor(payload: unknown, drivers: LedgerDrivers): Promise<string> {
  try {
    process.emitWarning = () => {};
    const given = objectOf(payload);
    const folder = textOf(given.cwd) || process.cwd();
    const { settings } = loadSettings({ cwd: folder, home: homedir(), environment: process.env });
    const session =
      textOf(given.session_id) === '' ? undefined : safeName(textOf(given.session_id));
    if (session !== undefined && needsCost(settings.guard.budget))
      noteCost(settings.ledger.path, session, objectOf(given.cost).total_cost_usd, Date.now());
    return printable(
      await useLedger(addressOf(settings.ledger), drivers, (ledger) =>
        statusText(ledger, settings, folder, session, Date.now()),
      ),
    );
  } catch {
    return 'Unrut: cannot read its ledger (unrut doctor)';
  }
}
