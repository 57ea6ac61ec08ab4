import { recordFault } from '@unrut/agents/hook/record-fault';
import type { EventOrigin } from '@unrut/engine/event-parts';
import type { GuardOptions } from '@unrut/engine/guard';
import { createSeen, keepIn } from '@unrut/engine/recent';
import { safeName } from '@unrut/engine/redact/safe-name';
import { toFault } from '@unrut/engine/redact/to-fault';
import type { Ledger } from '@unrut/ledger/ledger';
import { createRecorder, type Recorder } from '@unrut/ledger/recorder';
import type { TracePart } from '@unrut/logs/importers/traces/trace-part';
import { observeTelemetry } from './observe-telemetry.ts';
import type { TelemetryPart } from './telemetry-part.ts';
import { createTelemetrySession, type TelemetrySession } from './telemetry-session.ts';

export interface TelemetryOptions {
  ledger: Ledger;
  /** On the ledger. Default: one of its own. */
  recorder?: Pick<Recorder, 'transaction'>;
  guard: GuardOptions;
  /** The clock by which parts wait. Default: one that nobody sets back. */
  now?: () => number;
  /** Bytes that may wait in all before no more are taken. Default: 64 MB. */
  room?: number;
}

/** Takes telemetry, which waits here for what belongs before it, and is then observed. */
export interface Telemetry {
  /** False while too much waits to be written. */
  hasRoom(): boolean;
  take(parts: readonly TelemetryPart[]): void;
  /** Observes what has waited long enough. */
  tick(): Promise<void>;
  /** Observes all that waits, however short. */
  close(): Promise<void>;
}

const TICK = 1000;
const ROOM = 64 << 20;
/** Parts that may wait in all, and of one session: then it is not waited any longer. */
const MAX_WAITING = 50_000;
const MAX_OF_SESSION = 5000;
/** Events that are observed before others get a turn. */
const SLICE = 200;
const MAX_SESSIONS = 1000;
const MAX_TRACES = 20_000;
const MAX_NAMES = 100_000;
const MAX_PLACES = 50_000;
/** A chain of parents ends somewhere, unless the source is broken. */
const MAX_DEPTH = 200;

/** Epoch milliseconds, which go on when the machine's clock is set. */
const steadyNow = (): number => performance.timeOrigin + performance.now();

/**
 * Sorts telemetry into sessions, and shows it to the guard in the order in which things happened.
 */
export function createTelemetry(options: TelemetryOptions): Telemetry {
  const {
    ledger,
    recorder = createRecorder(ledger, {}, { unsaved: 'drop' }),
    now = steadyNow,
    room = ROOM,
  } = options;
  // Plans reach nobody.
  const guard = { ...options.guard, shadow: true };
  const sessions = new Map<string, TelemetrySession>();
  const origins = new Map<string, EventOrigin>();
  /** The session that a trace belongs to, from when a part of it says so. */
  const traces = new Map<string, string>();
  /** Of spans, by trace and id: what each stands in, and the session that it names. */
  const places = new Map<string, { parent: string | undefined; session: string | undefined }>();
  const wasSent = createSeen(MAX_NAMES);
  let bytes = 0;
  let waiting = 0;
  let writing: Promise<void> = Promise.resolve();

  function sessionOf(name: string): TelemetrySession {
    return keepIn(
      sessions,
      name,
      sessions.get(name) ?? createTelemetrySession(name),
      MAX_SESSIONS,
      (oldest) => observe(oldest, true),
    );
  }

  /** The session that the nearest span around a part names, as far as these have come. */
  function inherited({ trace, parent }: TracePart): string | undefined {
    let id = parent;
    for (let depth = 0; id !== undefined && depth < MAX_DEPTH; depth++) {
      const place = places.get(`${trace} ${id}`);
      if (place?.session !== undefined) return place.session;
      id = place?.parent;
    }
    return undefined;
  }

  /**
   * What waits elsewhere, since nobody knew better, comes to the session that its trace or a span
   * around it turns out to name.
   */
  function gather(own: string, trace: string, isFirst: boolean): void {
    for (const from of new Set([trace, traces.get(trace)!])) {
      if (from === own) continue;
      const moved = sessions.get(from)?.take(({ part }) => {
        if (
          part.session !== undefined ||
          part.trace === undefined ||
          safeName(part.trace) !== trace
        )
          return false;
        return (inherited(part) ?? (isFirst ? own : undefined)) === own;
      });
      for (const each of moved ?? []) sessionOf(own).add(each);
    }
  }

  function add(given: TelemetryPart): void {
    const { part, origin } = given;
    const trace = part.trace === undefined ? undefined : safeName(part.trace);
    const own = part.session === undefined ? undefined : safeName(part.session);
    if (part.id !== undefined)
      keepIn(places, `${part.trace} ${part.id}`, { parent: part.parent, session: own }, MAX_PLACES);
    if (own !== undefined && trace !== undefined) {
      const isFirst = !traces.has(trace);
      if (isFirst) keepIn(traces, trace, own, MAX_TRACES);
      gather(own, trace, isFirst);
    }
    const name = own ?? inherited(part) ?? traces.get(trace!) ?? trace!;
    // Where nothing is known of an agent, a span that tells of none is not what one is at work in.
    if ((!part.tells && !sessions.has(name)) || (part.tells && wasSent(given.name))) return;
    const session = sessionOf(name);
    keepIn(origins, name, { ...origins.get(name), ...origin }, MAX_SESSIONS);
    session.add({ ...given, arrived: now() });
    bytes += given.bytes;
    waiting++;
    if (session.waiting.length > MAX_OF_SESSION || waiting > MAX_WAITING) observe(session, true);
  }

  /** Observes what a session has to tell by now, after all that was to be observed before. */
  function observe(session: TelemetrySession, noTimeLeft: boolean): void {
    if (session.waiting.length === 0) return;
    const { happened, parts } = toldBy(session, noTimeLeft);
    if (parts.length === 0) return;
    waiting -= parts.length;
    const size = parts.reduce((sum, part) => sum + part.bytes, 0);
    const about = { session: session.name, origin: origins.get(session.name) ?? {} };
    writing = writing.then(async () => {
      try {
        for (let i = 0; i < happened.length; i += SLICE)
          await observeTelemetry(recorder, guard, {
            ...about,
            happened: happened.slice(i, i + SLICE),
          });
      } catch (error) {
        await recordFault(ledger, toFault('otlp', error), now());
      }
      bytes -= size;
    });
  }

  /** What no reader foresaw costs the session what waits, and nobody else anything. */
  function toldBy(
    session: TelemetrySession,
    noTimeLeft: boolean,
  ): ReturnType<TelemetrySession['happened']> {
    const before = [...session.waiting];
    try {
      return session.happened(now(), noTimeLeft);
    } catch (error) {
      sessions.delete(session.name);
      writing = writing.then(
        async () => void (await recordFault(ledger, toFault('otlp', error), now())),
      );
      return { happened: [], parts: before };
    }
  }

  function tick(noTimeLeft = false): Promise<void> {
    for (const session of [...sessions.values()]) observe(session, noTimeLeft);
    return writing;
  }

  const timer = setInterval(() => void tick(), TICK).unref();
  return {
    hasRoom: () => bytes < room,
    take(parts) {
      for (const part of parts) add(part);
    },
    tick: () => tick(),
    close() {
      clearInterval(timer);
      return tick(true);
    },
  };
}
