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
 * Users' instructions for the sessions of a server: from its pages, from prompts, or from a
 * terminal.
 */
export interface PeopleSaid {
  /** Loads instructions that were given elsewhere. Never throws. */
  refresh(): Promise<void>;
  /** The instructions in force, as far as known. The same object until they change. */
  now(): Said;
  /** Changes the instructions, with immediate effect. */
  change(at: number, change: SaidChange): Promise<unknown>;
  /** The instructions as hooks use them. */
  person(folder: string): HookPerson;
}

/** Milliseconds for which the file counts as unchanged. */
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

/** A temporary switch expires. */
const stillHolds = ({ off }: Said, at: number): boolean =>
  off.every(({ until = Number.POSITIVE_INFINITY }) => until > at);

/** Reads the instructions next to a ledger's file; reads again only after a change. */
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
 * Instructions given on any of a database's servers. While the database is unreachable, the last
 * known ones apply.
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
      // If saving fails, the agent continues with the instructions so far.
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

  /** If several servers take something at once, only one of them gets it. */
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
