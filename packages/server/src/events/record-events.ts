import type { AgentEvent } from '@unrut/engine/event';
import type { GuardOptions, Verdict } from '@unrut/engine/guard';
import { present } from '@unrut/engine/json';
import type { Ledger, LedgerEntry } from '@unrut/ledger/ledger';
import { idsUnder, type Origin, sessionsIn } from '@unrut/ledger/record';
import type { Recorder } from '@unrut/ledger/recorder';
import type { RecordedVerdict } from '@unrut/ledger/recording-transaction';

/** What is answered to an event. Fingerprints stay here. */
export interface ToldVerdict extends Omit<Verdict, 'seen' | 'witnesses'> {
  /** An event of this id was here before. Nothing was changed, and this is what was said then. */
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

/** Bytes of a request that are recorded in one go: others wait some tenths of a second. */
const SLICE = 4 << 20;

/**
 * Records events in order, and says what the guard thinks of each once they are kept. Throws when
 * they could not be kept: then none of them counts. Only a large request whose events can be sent
 * again, since all have ids, is recorded in slices.
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
      // What tells of a session step by step remembers something of it; telemetry then adds only
      // the cost.
      if (step.memory(event.session) === undefined) step.remember(event.session, []);
      return step.observe(event, { origin });
    }),
  );
  if (!value) throw error;
  return value;
}

const told = ({ seen: _, witnesses: __, ...verdict }: Verdict): ToldVerdict => verdict;

/** What was said of each event whose id the ledger knows. */
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
