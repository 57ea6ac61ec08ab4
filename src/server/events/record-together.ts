import type { AgentEvent } from '../../event.ts';
import type { GuardOptions } from '../../guard.ts';
import { createKeptGuards } from '../../hook/kept-guards.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { sessionsIn } from '../../ledger/record.ts';
import { recordEvents } from './record-events.ts';
import type { RecordedVerdict } from './recorded-verdict.ts';

/** Records events, and says what the guard thinks of each once they are kept. Throws when they could not be kept: then none of them counts. */
export type RecordEvents = (events: readonly AgentEvent[], options: GuardOptions) => Promise<RecordedVerdict[]>;

interface Waiting {
  events: readonly AgentEvent[];
  /** Those that the events change. */
  sessions: readonly string[];
  options: GuardOptions;
  resolve(verdicts: RecordedVerdict[]): void;
  reject(error: unknown): void;
}

/** Some 300 KB each. */
const MOST_GUARDS = 1000;
/** Events in one step of the ledger, so that other processes never wait for long. */
const MOST_EVENTS = 1000;
/** Of the event loop, while requests come in: a fraction of what a step of the ledger takes. */
const MOST_TURNS = 20;
/** Steps of the ledger under way: one is written while the next is made. */
const MOST_STEPS = 2;
/** To write so many states takes much longer than to begin and end a step. */
const MANY_SESSIONS = 8;

/** What arrives together, or while the ledger is busy, is recorded in one step of the ledger. Events of a session stay in their order. */
export function recordTogether(ledger: Ledger): RecordEvents {
  const guards = createKeptGuards(MOST_GUARDS);
  let waiting: Waiting[] = [];
  /** Sessions of the steps under way. */
  const busy = new Set<string>();
  let steps = 0;
  let isGathering = false;

  /** The first that wait for no step under way and are judged by the same rules, as many as one step may have. None overtakes another of its session. */
  function next(): Waiting[] {
    const group: Waiting[] = [];
    const taken = new Set(busy);
    let count = 0;
    for (const each of waiting) {
      if (group.length > 0 && count + each.events.length > MOST_EVENTS) break;
      const isOfGroup = group.length === 0 || each.options === group[0]!.options;
      if (isOfGroup && !each.sessions.some((session) => taken.has(session))) {
        group.push(each);
        count += each.events.length;
      } else for (const session of each.sessions) taken.add(session);
    }
    // After a large one enough is left for the next.
    const isSmall = count < MOST_EVENTS / 2;
    const chosen = new Set(steps === 0 && isSmall ? firstHalf(group) : group);
    waiting = waiting.filter((each) => !chosen.has(each));
    return [...chosen];
  }

  async function recordNext(): Promise<void> {
    const group = next();
    if (group.length === 0) return;
    const sessions = new Set(group.flatMap((each) => each.sessions));
    for (const session of sessions) busy.add(session);
    steps++;
    // While it is written, the next is made.
    goOn();
    try {
      const events = group.flatMap((each) => each.events);
      const verdicts = await recordEvents(events, { ledger, guards, options: group[0]!.options });
      for (const { events, resolve } of group) resolve(verdicts.splice(0, events.length));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    for (const session of sessions) busy.delete(session);
    steps--;
    goOn();
  }

  /** Gathers while every turn of the event loop brings more: a request takes some turns to arrive, and a step of the ledger costs many. */
  function goOn(): void {
    if (isGathering || waiting.length === 0 || steps >= MOST_STEPS) return;
    isGathering = true;
    gather(0);
  }

  function gather(turns: number): void {
    const before = waiting.length;
    setImmediate(() => {
      if (waiting.length > before && turns < MOST_TURNS) return gather(turns + 1);
      isGathering = false;
      void recordNext();
    });
  }

  return (events, options) =>
    new Promise((resolve, reject) => {
      if (events.length === 0) return resolve([]);
      waiting.push({ events, sessions: [...new Set(events.flatMap(sessionsIn))], options, resolve, reject });
      goOn();
    });
}

/** Those of half of the sessions, where there are many: the others are looked at while these are written. */
function firstHalf(group: readonly Waiting[]): readonly Waiting[] {
  const sessions = [...new Set(group.flatMap((each) => each.sessions))];
  if (sessions.length < MANY_SESSIONS) return group;
  const later = new Set(sessions.slice(sessions.length / 2));
  return group.filter((each) => {
    const isLater = each.sessions.some((session) => later.has(session));
    if (isLater) for (const session of each.sessions) later.add(session);
    return !isLater;
  });
}
