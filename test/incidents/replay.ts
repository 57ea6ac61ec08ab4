import type { AgentEvent } from '@unrut/engine/event';
import { createGuard } from '@unrut/engine/guard';
import type { Plan } from '@unrut/engine/policy/plan';
import { sessionFiguresOf } from '@unrut/ledger/figures/count-session';
import { stateOf } from '@unrut/ledger/figures/session-figures';
import { entriesOf } from '@unrut/ledger/record';
import { stallText } from '@unrut/ledger/reports/stall';
import { START } from './incidents.ts';

/** An action of Unrut at one moment of a run. */
export interface Said {
  /** Milliseconds from the begin. */
  at: number;
  /** How many calls, compactions and messages there were by then. */
  after: number;
  rung: Plan['rung'];
  reason: string;
  toModel: string;
  toHuman: string;
}

const MINUTE = 60_000;
/** What a reader counts. */
const COUNTED = new Set(['call-proposed', 'context-compacted', 'text-added']);

/**
 * What Unrut would have said. A blocked call does not run, and nothing follows a stop. `until`: the
 * minute up to which time passes after the last event.
 */
export function replay(
  events: readonly AgentEvent[],
  { until, attended = true }: { until?: number; attended?: boolean } = {},
): Said[] {
  const guard = createGuard({ attended });
  const said: Said[] = [];
  const blocked = new Set<string>();
  const entries = [];
  let after = 0;
  for (const [i, event] of events.entries()) {
    if (COUNTED.has(event.type)) after++;
    if (event.type === 'call-finished' && blocked.has(event.call.id)) continue;
    const verdict = guard.observe(event);
    const origin = event.type === 'user-spoke' ? { turns: true as const } : {};
    entries.push(...entriesOf(event, verdict, i, origin));
    const { plan } = verdict;
    if (!plan) continue;
    const { rung, reason, toModel, toHuman } = plan;
    said.push({ at: event.at - START, after, rung, reason, toModel, toHuman });
    if (rung === 'stop') return said;
    if (rung === 'block' && event.type === 'call-proposed') blocked.add(event.call.id);
  }
  const summary = sessionFiguresOf('incident', entries);
  for (let minute = 0; minute <= (until ?? -1); minute++) {
    const now = START + minute * MINUTE;
    if (now < summary.last || stateOf(summary, now) !== 'stalled') continue;
    const toHuman = `Unrut: the session stalls: ${stallText(summary.stall!, now)}.`;
    const reason = `stall/${summary.stall!.of}`;
    said.push({ at: minute * MINUTE, after, rung: 'escalate', reason, toModel: '', toHuman });
    break;
  }
  return said;
}
