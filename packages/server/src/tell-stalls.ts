import type { Settings } from '@unrut/ledger/config/settings';
import { type Escalation, notify } from '@unrut/ledger/notify/notify';
import type { Reports } from '@unrut/ledger/reports/reports';
import { type StallLimits, stallText } from '@unrut/ledger/reports/stall';

export interface StallOptions {
  reports: Pick<Reports, 'sessions'>;
  settings: Pick<Settings, 'notify' | 'stall'>;
  now?: () => number;
  tell?: (settings: Settings['notify'], escalation: Escalation) => void;
}

/** Milliseconds between checks for stalled sessions; more often if the limits are short. */
const EVERY = 30_000;
const LEAST = 250;
const everyWith = ({ call, silence }: StallLimits): number =>
  Math.max(LEAST, Math.min(EVERY, call / 4, silence / 4));
/** Max number of stalls to report at once; more of them indicate another problem. */
const MAX_TOLD = 20;

/** Reports each stall once. Stalls that began before the server are not reported. */
export function createStallTeller({
  reports,
  settings,
  now = Date.now,
  tell = notify,
}: StallOptions): () => Promise<void> {
  const began = now();
  const told = new Map<string, number>();
  return async () => {
    const { sessions } = await reports.sessions({ most: MAX_TOLD, states: ['stalled'] });
    for (const session of [...told.keys()])
      if (!sessions.some((each) => each.session === session)) told.delete(session);
    for (const { session, host, stall } of sessions) {
      if (!stall || told.get(session) === stall.since) continue;
      told.set(session, stall.since);
      if (stall.since + settings.stall[stall.of] < began) continue;
      tell(settings.notify, {
        plan: {
          rung: 'escalate',
          reason: `stall/${stall.of}`,
          recovery: 'tell-stall',
          toHuman: `Unrut: the session stalls: ${stallText(stall, now())}.`,
        },
        session,
        ...(host === undefined ? {} : { host }),
        at: now(),
      });
    }
  };
}

/** Checks for stalls until it is closed. */
export function startStallTeller(
  options: StallOptions,
  fault: (error: unknown) => void,
): () => void {
  const look = createStallTeller(options);
  const timer = setInterval(() => void look().catch(fault), everyWith(options.settings.stall));
  timer.unref();
  return () => clearInterval(timer);
}
