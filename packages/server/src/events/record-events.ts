import type { AgentEvent } from '@unrut/engine/event';
import type { GuardOptions, Verdict } from '@unrut/engine/guard';
import { present } from '@unrut/engine/json';
import type { Ledger, LedgerEntry } from '@unrut/ledger/ledger';
import { idsUnder, type Origin, sessionsIn } from '@unrut/ledger/record';
import type { Recorder } from '@unrut/ledger/recorder';
import type { RecordedVerdict } from '@unrut/ledger/recording-transaction';

/** The answer to an event, without fingerprints. */
export interface ToldVerdict extends Omit<Verdict, 'seen' | 'witnesses'> {
  /** The id is already known. Nothing was changed; this is the original verdict. */
  repeated?: true;
}

interface HowToRecord {
  recorder: Pick<Recorder, 'transaction'>;
  ledger: Ledger;
  options: GuardOptions;
  /** What a person has said of their sessions. Default: nothing. */
  origin?: Origin;
  /** Of the request. Default: few. */
  bytes?: number;
}

/**
 * Bytes of a request recorded per transaction, so that others wait at most some tenths of a second.
 */
const SLICE = 4 << 20;

/**
 * Records events in order and returns the guard's verdicts once they are saved. Throws if saving
 * failed; then none of them counts. Large requests are recorded in slices, but only if all events
 * have ids and so can be sent again.
 */
export async function recordEvents(
  events: readonly AgentEvent[],
  how: HowToRecord,
): Promise<ToldVerdict[]> {
  const slices = events.every(({ id }) => id !== undefined)
    ? Math.max(1, Math.ceil((how.bytes ?? 0) / SLICE))
    : 1;
  const length = Math.ceil(events.length / slices);
  const verdicts: RecordedVerdict[] = [];
  for (let i = 0; i < events.length; i += length)
    verdicts.push(...(await recordTogether(events.slice(i, i + length), how)));
  if (!verdicts.some(({ repeated }) => repeated)) return verdicts.map(told);
  const before = await recordedBefore(events, how.ledger);
  return verdicts.map((verdict, i) =>
    verdict.repeated ? (before[i] ?? told(verdict)) : told(verdict),
  );
}

async function recordTogether(
  events: readonly AgentEvent[],
  { recorder, options, origin = {} }: HowToRecord,
): Promise<RecordedVerdict[]> {
  const about = { sessions: events.flatMap(sessionsIn), guard: options, together: events.length };
  const { value, error } = await recorder.transaction(about, (step) =>
    events.map((event) => {
      // Marks the session as reported step by step, so that telemetry adds only its cost.
      if (step.memory(event.session) === undefined) step.remember(event.session, []);
      return step.observe(event, { origin });
    }),
  );
  if (!value) throw error;
  return value;
}

const told = ({ seen: _, witnesses: __, ...verdict }: Verdict): ToldVerdict => verdict;

/** The recorded verdicts of events whose ids are already known. */
async function recordedBefore(
  events: readonly AgentEvent[],
  ledger: Ledger,
): Promise<(ToldVerdict | undefined)[]> {
  const beginnings = events.map((event) =>
    event.id === undefined ? undefined : idsUnder(event, ''),
  );
  const entries = await ledger.entries({
    under: beginnings.filter((beginning) => beginning !== undefined),
  });
  return beginnings.map((beginning) => {
    const found =
      beginning === undefined ? [] : entries.filter(({ id }) => id.startsWith(beginning));
    return found.length > 0 ? verdictIn(found) : undefined;
  });
}

function verdictIn(entries: readonly LedgerEntry[]): ToldVerdict {
  const of = <T>(kind: LedgerEntry['kind']): T[] =>
    entries.filter((entry) => entry.kind === kind).map(({ data }) => data as T);
  const [planned] = of<Verdict['plan'] & { shadow: boolean }>('plan');
  const { shadow: inShadow = false, ...plan } = planned ?? {};
  const made = planned ? (plan as Verdict['plan']) : null;
  const signals = of<Verdict['signals'][number]>('signal');
  return {
    signals,
    ...present({ price: signals.at(-1)?.price }),
    plan: inShadow ? null : made,
    shadow: inShadow ? made : null,
    outcomes: of('outcome'),
    faults: of('fault'),
    step: entries[0]?.step ?? 0,
    repeated: true,
  };
}
