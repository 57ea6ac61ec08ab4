import { statSync } from 'node:fs';
import type { HookPerson } from '@unrut/agents/hook/answer-hook';
import {
  changeSaid,
  holdingIn,
  isOnFor,
  NOTHING_SAID,
  offFor,
  readSaid,
  type Said,
  type SaidChange,
  saidFile,
} from '@unrut/ledger/people/said';
import { takeStop, withoutStop } from '@unrut/ledger/people/stop';
import { takeTold, toldTo, withoutTold } from '@unrut/ledger/people/tell';
import type { SaidStore } from '@unrut/postgres/said-store';

/**
 * What people have said about the sessions of a server: on its page, in an agent's prompt, in a
 * terminal.
 */
export interface PeopleSaid {
  /** Looks for what was said elsewhere. Never throws. */
  refresh(): Promise<void>;
  /** What holds now, as far as it is known. The same object as long as nothing is said. */
  now(): Said;
  /** Says something, which holds at once. */
  change(at: number, change: SaidChange): Promise<unknown>;
  /** As a hook goes by it. */
  person(folder: string): HookPerson;
}

/** Milliseconds for which it is taken to be as it was. */
const REMEMBERED = 500;

/** What is said once: whoever asks has to do it. */
type SaidOnce = Pick<HookPerson, 'takeStop' | 'takeTold'>;

const personBy = (folder: string, now: () => Said, once: SaidOnce): HookPerson => ({
  answer: async () => undefined,
  greeting: () => undefined,
  isOff: (session) => offFor(now(), folder, session) !== undefined,
  isOn: (session) => isOnFor(now(), session),
  takeStop: async (session) =>
    now().stop.some((each) => each.session === session) && (await once.takeStop(session)),
  takeTold: async (session) =>
    toldTo(now(), session).length > 0 ? await once.takeTold(session) : [],
});

/** What is switched off for a time is on again by itself. */
const stillHolds = ({ off }: Said, at: number): boolean =>
  off.every(({ until = Number.POSITIVE_INFINITY }) => until > at);

/** Reads what was said next to a ledger's file, again only where that has changed. */
export function peopleSaid(path: string, clock: () => number = Date.now): PeopleSaid {
  let said = NOTHING_SAID;
  let version = '';
  let looked = Number.NEGATIVE_INFINITY;
  function now(): Said {
    if (performance.now() - looked < REMEMBERED) return said;
    looked = performance.now();
    const file = statSync(saidFile(path), { throwIfNoEntry: false });
    const found = file ? `${file.mtimeMs} ${file.size} ${file.ino}` : '';
    if (found === version && stillHolds(said, clock())) return said;
    version = found;
    said = file ? readSaid(path, clock()) : NOTHING_SAID;
    return said;
  }
  return {
    async refresh() {},
    now,
    async change(at, change) {
      changeSaid(path, at, change);
      looked = Number.NEGATIVE_INFINITY;
    },
    person: (folder) =>
      personBy(folder, now, {
        takeStop: (session) => takeStop(path, session, clock()),
        takeTold: (session) => takeTold(path, session, clock()),
      }),
  };
}

/**
 * What was said on any of the servers of a database. While the database is away, the last known
 * state holds.
 */
export function sharedSaid(store: SaidStore, clock: () => number = Date.now): PeopleSaid {
  let said = NOTHING_SAID;
  let version: string | undefined;
  let looked = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    looked = performance.now();
    try {
      const found = await store.read(version);
      if (!found) return;
      version = found.version;
      said = holdingIn(found.said, clock());
    } catch {
      // The agent continues, and so does what people said before.
    } finally {
      looking = undefined;
    }
  }

  function refresh(): Promise<void> {
    if (performance.now() - looked >= REMEMBERED) looking ??= look();
    return looking ?? Promise.resolve();
  }

  function now(): Said {
    if (!stillHolds(said, clock())) said = holdingIn(said, clock());
    return said;
  }

  async function change(at: number, made: SaidChange): Promise<void> {
    await store.change(at, made);
    looked = Number.NEGATIVE_INFINITY;
    await refresh();
  }

  /** Asked of several servers at once, one of them does it. */
  async function take<T>(find: (kept: Said) => T, without: SaidChange): Promise<T> {
    let found: T | undefined;
    await change(clock(), (kept) => {
      found = find(kept);
      return without(kept);
    });
    return found!;
  }

  const once: SaidOnce = {
    takeStop: (session) =>
      take(({ stop }) => stop.some((each) => each.session === session), withoutStop(session)),
    takeTold: (session) => take((kept) => toldTo(kept, session), withoutTold(session)),
  };

  return { refresh, now, change, person: (folder) => personBy(folder, now, once) };
}
