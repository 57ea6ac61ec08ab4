import type { GuardOptions } from '../../guard.ts';
import { recordFault } from '../../hook/record-fault.ts';
import { createSeen } from '../../hosts/reading/seen.ts';
import { keep } from '../../importers/traces/trace-tree.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { createRecorder, type Recorder } from '../../ledger/recorder.ts';
import { safeName } from '../../redact/safe-name.ts';
import { toFault } from '../../redact/to-fault.ts';
import { observeTelemetry } from './observe-telemetry.ts';
import type { TelemetryPart } from './telemetry-part.ts';
import { createTelemetrySession, type TelemetrySession } from './telemetry-session.ts';

export interface TelemetryOptions {
  ledger: Ledger;
  /** On the ledger. Default: one of its own. */
  recorder?: Pick<Recorder, 'step'>;
  guard: GuardOptions;
  /** The clock by which parts wait. Default: `Date.now`. */
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

/** Sorts telemetry into sessions, and shows it to the guard in the order in which things happened. */
export function createTelemetry(options: TelemetryOptions): Telemetry {
  const { ledger, recorder = createRecorder(ledger, {}, { unsaved: 'drop' }), now = Date.now, room = ROOM } = options;
  // Nobody is told of plans.
  const guard = { ...options.guard, shadow: true };
  const sessions = new Map<string, TelemetrySession>();
  const hosts = new Map<string, string>();
  /** The session that a trace belongs to, from when a part of it says so. */
  const traces = new Map<string, string>();
  const wasSent = createSeen(MAX_NAMES);
  let bytes = 0;
  let waiting = 0;
  let writing: Promise<void> = Promise.resolve();

  function sessionOf(name: string): TelemetrySession {
    const session = sessions.get(name) ?? createTelemetrySession(name);
    sessions.delete(name);
    sessions.set(name, session);
    if (sessions.size > MAX_SESSIONS) {
      const [oldest] = sessions.values();
      observe(oldest!, true);
      sessions.delete(oldest!.name);
    }
    return session;
  }

  function add(given: TelemetryPart): void {
    const { part, host } = given;
    const trace = part.trace === undefined ? undefined : safeName(part.trace);
    const own = part.session === undefined ? undefined : safeName(part.session);
    const name = own ?? traces.get(trace!) ?? trace!;
    // Where nothing is known of an agent, a span that tells of none is not what one is at work in.
    if ((!part.tells && !sessions.has(name)) || (part.tells && wasSent(given.name))) return;
    const session = sessionOf(name);
    if (host !== undefined) keep(hosts, name, host, MAX_SESSIONS);
    if (own !== undefined && trace !== undefined && !traces.has(trace)) {
      keep(traces, trace, own, MAX_TRACES);
      if (trace !== own) for (const earlier of sessions.get(trace)?.take() ?? []) session.add(earlier);
    }
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
    const about = { session: session.name, host: hosts.get(session.name) };
    writing = writing.then(async () => {
      try {
        for (let i = 0; i < happened.length; i += SLICE)
          await observeTelemetry(recorder, guard, { ...about, happened: happened.slice(i, i + SLICE) });
      } catch (error) {
        await recordFault(ledger, toFault('otlp', error), now());
      }
      bytes -= size;
    });
  }

  /** What no reader foresaw costs the session what waits, and nobody else anything. */
  function toldBy(session: TelemetrySession, noTimeLeft: boolean): ReturnType<TelemetrySession['happened']> {
    const before = [...session.waiting];
    try {
      return session.happened(now(), noTimeLeft);
    } catch (error) {
      sessions.delete(session.name);
      writing = writing.then(async () => void (await recordFault(ledger, toFault('otlp', error), now())));
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
