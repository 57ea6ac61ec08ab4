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
  /** The clock for waiting parts. Default: a monotonic one. */
  now?: () => number;
  /** Max bytes of waiting parts; beyond it, requests are rejected. Default: 64 MB. */
  room?: number;
}

/** Receives telemetry, lets it wait for earlier parts, and then observes it. */
export interface Telemetry {
  /** False while too much waits to be written. */
  hasRoom(): boolean;
  take(parts: readonly TelemetryPart[]): void;
  /** Observes parts that have waited long enough. */
  tick(): Promise<void>;
  /** Observes all that waits, however short. */
  close(): Promise<void>;
}

const TICK = 1000;
const ROOM = 64 << 20;
/** Max number of waiting parts, in all and per session; beyond it, they are observed at once. */
const MAX_WAITING = 50_000;
const MAX_OF_SESSION = 5000;
/** Events to observe before yielding to other work. */
const SLICE = 200;
const MAX_SESSIONS = 1000;
const MAX_TRACES = 20_000;
const MAX_NAMES = 100_000;
const MAX_PLACES = 50_000;
/** Limits the search for parents in broken data. */
const MAX_DEPTH = 200;

/** Epoch milliseconds from a clock that adjustments do not affect. */
const steadyNow = (): number => performance.timeOrigin + performance.now();

/** Groups telemetry by session, and passes it to the guard in the order of events. */
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
  /** The session of each trace, once a part names it. */
  const traces = new Map<string, string>();
  /** Spans by trace and id, with their parents and the sessions that they name. */
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

  /** The session named by the nearest enclosing span that has arrived. */
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
   * Moves parts that waited under another name to the session that their trace or enclosing span
   * names.
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
    // Parts are skipped if nothing about their agent is known and they name none, or if they were
    // sent before.
    if ((!part.tells && !sessions.has(name)) || (part.tells && wasSent(given.name))) return;
    const session = sessionOf(name);
    keepIn(origins, name, { ...origins.get(name), ...origin }, MAX_SESSIONS);
    session.add({ ...given, arrived: now() });
    bytes += given.bytes;
    waiting++;
    if (session.waiting.length > MAX_OF_SESSION || waiting > MAX_WAITING) observe(session, true);
  }

  /** Observes a session's events, after all events queued earlier. */
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

  /** If a reader fails, only that session's waiting parts are lost. */
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
