import { candidatesFor, failedCall, type Trouble } from './candidates/candidates-for.ts';
import { noteCall, noteTools } from './candidates/memory.ts';
import type { Detector } from './detectors/detector.ts';
import { UnrutError } from './errors.ts';
import { type AgentEvent, type Capability, EVENT_TYPES, type EventType, type Json, whyNotAnEvent } from './event.ts';
import type { Fingerprint } from './fingerprint/fingerprint.ts';
import { readEvent } from './fingerprint/reader.ts';
import { checkedDetectors, type DetectorOptions } from './guard-options.ts';
import { hash32 } from './hash.ts';
import { follow, type Outcome, performed, trailsAt, watch } from './outcome/outcome.ts';
import { decide, type PolicyConfig, type Sighting, userSpoke } from './policy/decide.ts';
import { hintFailure } from './policy/hint-failure.ts';
import type { Plan } from './policy/plan.ts';
import { type Preset, recommended, type ShippedPreset } from './presets.ts';
import { push } from './recent.ts';
import { redact } from './redact/redact.ts';
import { toFault } from './redact/to-fault.ts';
import { restartDetectors, restoreSession, type Session, sessionText, startSession, stillText } from './session.ts';
import type { Fault, Signal } from './signal.ts';
import type { ToolDeclaration } from './tools/profile.ts';

export interface GuardOptions<Used extends Preset = Preset> {
  /** What the host can do. Default: note, hint, block, escalate, stop. */
  can?: readonly Capability[];
  /** Detectors, recoveries and how they are used. Default: `recommended`. */
  preset?: Used;
  /** Options of detectors, by detector name. */
  options?: NoInfer<DetectorOptions<Used>>;
  /** What tools are, where the guard cannot know: polls, identities, verbs. By tool name. */
  tools?: Readonly<Record<string, ToolDeclaration>>;
  /** Plan, climb and record, but never act: `plan` is always null, `shadow` holds what would have been done. */
  shadow?: boolean;
  /** Somebody can be asked. Default: true. */
  attended?: boolean;
  /** Irreversible recoveries that may be used, by name. */
  allow?: readonly string[];
  /** Keys the fingerprints, so that they cannot be compared between installations. */
  key?: string;
  /** Shares of success by failure class, tool family and recovery; evidence for ranking. */
  learned?: Readonly<Record<string, number>>;
  /** Also hint when a tool fails in a known way for the first time, before anything repeats. Default: false. */
  hintFailures?: boolean;
  /** Go on exactly where a snapshot was taken. */
  from?: Snapshot;
  /** Sessions kept at once, the least recently used out first. Default: 1,000. */
  sessions?: number;
}

/** What the guard thinks of one event. */
export interface Verdict {
  signals: Signal[];
  /** What to do now; null in shadow mode. */
  plan: Plan | null;
  /** What would be done, in shadow mode. */
  shadow: Plan | null;
  /** What became of earlier plans. */
  outcomes: Outcome[];
  faults: Fault[];
  /** The step that this event belongs to. */
  step: number;
  /** What the event looked like to the detectors; null when it was not looked at. */
  seen: Fingerprint | null;
}

/** Plain JSON of the guard's sessions. */
export interface Snapshot {
  version: 1;
  sessions: { [name: string]: Json };
}

export interface Guard {
  /** The one entry. Synchronous, never throws. */
  observe(event: AgentEvent): Verdict;
  /** Everything known, or everything of one session and its nested agents. */
  snapshot(session?: string): Snapshot;
  /** A snapshot of one session and its nested agents as JSON text. What has not changed since the last time is not written out anew. */
  write(session: string): string;
  /** Whether anything is known of a session. */
  knows(session: string): boolean;
  /** Takes in the sessions of a snapshot, in place of what is known of them. */
  restore(snapshot: Snapshot): void;
  /** Drops all that is known of a session. */
  forget(session: string): void;
}

const CAN: readonly Capability[] = ['note', 'hint', 'block', 'escalate', 'stop'];
const MOST_IDS = 128;
const MOST_FROM_CHILDREN = 4;
/** A net stays silent this many steps after another detector spoke. */
const YIELDS_FOR = 3;
const AGENT = '\u0000';

/** A guard for any number of sessions: shows events to detectors, and turns what they see into at most one plan per event. */
export const createGuard = <Used extends Preset = ShippedPreset>(options: GuardOptions<Used> = {}): Guard =>
  createGuardOf(options.preset ?? recommended, options);

/** The same without a default preset, so that `unrut/core` need not carry one. */
export function createGuardOf<Used extends Preset>(preset: Preset, options: GuardOptions<Used>): Guard {
  const detectors = checkedDetectors(options, preset);
  const config: PolicyConfig = {
    recoveries: preset.recoveries,
    detectors: new Map(detectors.map((detector) => [detector.name, detector])),
    can: new Set(options.can ?? CAN),
    skip: new Set(preset.skip),
    allow: new Set(options.allow),
    attended: options.attended ?? true,
    learned: options.learned ?? {},
  };
  const watching = Object.fromEntries(
    EVENT_TYPES.map((type) => [type, detectors.filter((detector) => detector.watches.includes(type))]),
  ) as Record<EventType, Detector[]>;
  const shadow = options.shadow ?? preset.shadow;
  const reader = { seed: hash32(options.key ?? ''), tools: options.tools ?? {} };
  const most = options.sessions ?? 1000;
  const sessions = new Map<string, Session>();
  const moving = watching['text-added'].map(({ name }) => name);
  /** Of sessions in the midst of a message: the text of what does not move with it, once it was written. */
  const stills = new WeakMap<Session, string>();

  let latest = '';
  function sessionOf(name: string): Session {
    const known = sessions.get(name);
    if (known && name === latest) return known;
    const session = known ?? startSession(detectors);
    sessions.delete(name);
    sessions.set(name, session);
    latest = name;
    if (sessions.size > most) sessions.delete(sessions.keys().next().value!);
    return session;
  }

  function look(session: Session, seen: Fingerprint, faults: Fault[]): Sighting[] {
    const sightings: Sighting[] = [];
    for (const detector of watching[seen.type]) {
      if (seen.neutral && !detector.alsoNeutral?.includes(seen.neutral)) continue;
      try {
        const evidence = detector.step(session.detectors[detector.name], seen, detector.options);
        if (evidence) sightings.push({ detector, evidence });
      } catch (error) {
        faults.push(toFault(detector.name, error));
        session.detectors[detector.name] = detector.start();
      }
    }
    if (sightings.length === 0) return sightings;
    const firm = sightings.filter(({ detector }) => !detector.yields);
    if (firm.length > 0) session.spoke = seen.tick;
    const yielding = session.spoke !== null && seen.tick - session.spoke <= YIELDS_FOR;
    return yielding ? firm : sightings;
  }

  function think(event: AgentEvent, verdict: Verdict): void {
    const name = event.agent === undefined ? event.session : `${event.session}${AGENT}${event.agent}`;
    const session = sessionOf(name);
    verdict.step = session.reader.steps;
    if (event.id !== undefined) {
      const id = hash32(`${event.type} ${event.id}`);
      if (session.ids.includes(id)) return;
      push(session.ids, id, MOST_IDS);
    }
    if (event.type !== 'text-added') stills.delete(session);
    else if (!stills.has(session)) stills.set(session, '');
    const seen = readEvent(session.reader, event, reader);
    verdict.seen = seen;
    if (event.type === 'user-spoke' || (event.type === 'call-finished' && event.refusedBy === 'user')) {
      restartDetectors(session, detectors);
      userSpoke(session.policy);
    }
    if (event.type === 'plan-performed') performed(session.outcomes, event.plan, event.rung);
    if (event.type === 'tools-listed') noteTools(session.candidates, event);
    const isDone = event.type === 'call-finished' || event.type === 'action-finished';
    const call = isDone ? noteCall(session.candidates, event, seen) : undefined;
    const rank = (trouble: Trouble) =>
      call ? candidatesFor(session.candidates, trouble, { ...config, trails: trailsAt(session.outcomes, call) }) : [];
    const { signals, plan: planned, faults } = decide(session.policy, look(session, seen, verdict.faults), seen, config, rank);
    const plan = planned ?? (call && options.hintFailures ? hintFailure(session.policy, seen, call, config, rank) : null);
    verdict.faults.push(...faults);
    const isStep = session.reader.ticks > seen.tick;
    verdict.outcomes = follow(session.outcomes, { seen, signals, call, isStep, ended: event.type === 'session-ended' });
    if (plan) {
      const about = signals.find((signal) => signal.streak === plan.streak);
      const keys = about?.evidence.keys ?? (call && plan.streak === '' ? [call.key] : []);
      const anyCall = config.detectors.get(about?.detector ?? '')?.yields === true;
      watch(session.outcomes, plan, { seen, keys, failed: plan.candidates && failedCall(session.candidates, { keys, anyCall }) });
    }
    verdict.signals = signals;
    const parent = parentOf(event);
    if (parent === undefined) {
      if (session.fromChildren.length > 0) verdict.signals = [...signals, ...session.fromChildren];
      session.fromChildren = [];
    } else if (signals.length > 0) {
      const { fromChildren } = sessionOf(parent);
      for (const signal of signals) push(fromChildren, { ...signal, agent: event.agent ?? event.session }, MOST_FROM_CHILDREN);
    }
    if (shadow) verdict.shadow = plan;
    else verdict.plan = plan;
  }

  const withNested = (session: string): [string, Session][] =>
    [...sessions].filter(([name]) => name === session || name.startsWith(`${session}${AGENT}`));

  function textOf(session: Session): string {
    const still = stills.get(session) || stillText(session, moving);
    if (stills.has(session)) stills.set(session, still);
    return sessionText(session, still, moving);
  }

  const guard: Guard = {
    observe(event) {
      const verdict: Verdict = { signals: [], plan: null, shadow: null, outcomes: [], faults: [], step: 0, seen: null };
      try {
        const given = withoutNulls(event);
        const wrong = whyNotAnEvent(given);
        if (wrong) verdict.faults.push({ where: 'event', message: redact(wrong) });
        else think(given, verdict);
      } catch (error) {
        verdict.faults.push(toFault('guard', error));
      }
      return verdict;
    },
    snapshot(session) {
      const wanted = session === undefined ? [...sessions] : withNested(session);
      return JSON.parse(JSON.stringify({ version: 1, sessions: Object.fromEntries(wanted) })) as Snapshot;
    },
    write(session) {
      const texts = withNested(session).map(([name, each]) => `${JSON.stringify(name)}:${textOf(each)}`);
      return `{"version":1,"sessions":{${texts.join()}}}`;
    },
    knows: (session) => sessions.has(session),
    restore(snapshot) {
      if (snapshot?.version !== 1 || typeof snapshot.sessions !== 'object' || snapshot.sessions === null) {
        throw new UnrutError(
          'bad-snapshot',
          `Cannot restore: expected a snapshot of version 1, got version ${String(snapshot?.version)}. Start without it.`,
        );
      }
      for (const [name, state] of Object.entries(snapshot.sessions)) {
        sessions.delete(name);
        sessions.set(name, restoreSession(state, detectors));
      }
      latest = '';
      while (sessions.size > most) sessions.delete(sessions.keys().next().value!);
    },
    forget(session) {
      for (const name of [...sessions.keys()]) if (name === session || name.startsWith(`${session}${AGENT}`)) sessions.delete(name);
    },
  };
  if (options.from) guard.restore(options.from);
  return guard;
}

/** The session that a nested run reports to; nothing for an event of a session itself. */
export function parentOf({ session, agent, parent }: AgentEvent): string | undefined {
  if (parent !== undefined && parent !== session) return parent;
  return agent === undefined ? undefined : session;
}

/** JSON has no undefined: a field that is null is a field that is missing. Only a result may be null. */
export function withoutNulls(event: AgentEvent): AgentEvent {
  if (typeof event !== 'object' || event === null) return event;
  for (const name in event) {
    if (event[name as keyof AgentEvent] !== null || name === 'result') continue;
    return Object.fromEntries(
      Object.entries(event).filter(([each, value]) => value !== null || each === 'result'),
    ) as unknown as AgentEvent;
  }
  return event;
}
