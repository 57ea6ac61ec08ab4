import type { Rung } from '@unrut/engine/event';
import { isObject, present, textOf } from '@unrut/engine/json';
import { isOfBudget } from '@unrut/engine/policy/spending';
import type { Signal } from '@unrut/engine/signal';
import type { Ledger, LedgerEntry } from '../ledger.ts';
import { asRecorded } from '../reports/recorded-entry.ts';

/** The last loop that Unrut reported in a session, and its evidence. Texts are redacted. */
export interface Alarm {
  session: string;
  at: number;
  step: number;
  signal: Pick<Signal, 'detector' | 'variant' | 'count' | 'text'>;
  /** All repeating fingerprints of the streak, and all detectors that reported it. */
  keys: string[];
  detectors: string[];
  /** The call, in a few words. */
  label: string;
  tool?: string;
  /** The action that Unrut took. */
  rung?: Rung;
}

/** How many entries back to look for the call of an alarm. */
const MAX_ENTRIES = 400;
/** How many plans back to look for one about a loop; plans about the budget are skipped. */
const MAX_PLANS = 50;

/** The newest alarm of a session, or of all. */
export async function lastAlarm(ledger: Ledger, session?: string): Promise<Alarm | undefined> {
  const plans = await ledger.entries({
    kind: 'plan',
    last: MAX_PLANS,
    ...present({ session }),
  });
  const plan = plans.findLast(({ data }) => !isOfBudget({ reason: textOf(data.reason) }));
  const [newest] = await ledger.entries({
    kind: 'signal',
    last: 1,
    ...present({ session }),
  });
  const of = plan?.session ?? newest?.session;
  if (of === undefined) return undefined;
  const entries = await ledger.entries({ session: of, last: MAX_ENTRIES });
  const signals = entries.filter(({ kind }) => kind === 'signal');
  const ofStreak = signals.filter(
    ({ data }) => plan === undefined || data.streak === plan.data.streak,
  );
  // If several detectors reported it, the one that the agent's message named.
  const spoken = ofStreak.findLast(
    ({ data }) => `${data.detector}/${data.variant}` === plan?.data.reason,
  );
  const about = spoken ?? ofStreak.at(-1) ?? signals.at(-1) ?? newest;
  return about && alarmOf(about, entries, plan);
}

function alarmOf(
  entry: LedgerEntry,
  entries: readonly LedgerEntry[],
  plan: LedgerEntry | undefined,
): Alarm {
  const { detector, variant, count, text, evidence } = entry.data as unknown as Signal;
  const call = entries
    .map(asRecorded)
    .findLast(
      (each) =>
        each.kind === 'event' && each.step <= entry.step && each.data.seen?.call !== undefined,
    );
  const seen = call?.kind === 'event' ? call.data.seen?.call : undefined;
  const facts = isObject(evidence?.facts) ? evidence.facts : {};
  const rung = plan?.data.rung as Rung | undefined;
  const ofStreak = entries.flatMap(({ kind, data }) =>
    kind === 'signal' && data.streak === entry.data.streak ? [data as unknown as Signal] : [],
  );
  return {
    session: entry.session,
    at: entry.at,
    step: entry.step,
    signal: { detector, variant, count, text },
    keys: [...new Set(ofStreak.flatMap((each) => each.evidence?.keys ?? []))],
    detectors: [...new Set(ofStreak.map((each) => each.detector))],
    label: textOf(facts.call) || seen?.label || detector,
    ...(seen ? { tool: seen.tool } : {}),
    ...present({ rung }),
  };
}
