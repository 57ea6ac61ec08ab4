import { statSync } from 'node:fs';
import type { HookPerson } from '@unrut/agents/hook/answer-hook';
import { NOTHING_SAID, offFor, readSaid, type Said, saidFile } from '@unrut/ledger/people/said';
import { takeStop } from '@unrut/ledger/people/stop';

/**
 * What people have said beside the ledger of a server: on its page, in an agent's prompt, in a
 * terminal.
 */
export interface PeopleSaid {
  /** The ledger's file. */
  path: string;
  /** What holds now. The same object as long as nothing is said. */
  now(): Said;
  /** Something was said through this server, so it holds at once. */
  lookAgain(): void;
  /** As a hook goes by it. */
  person(folder: string): HookPerson;
}

/** Milliseconds for which the file is taken to be as it was. */
const REMEMBERED = 500;

/** Reads what was said, anew only where the file has changed. */
export function peopleSaid(path: string, clock: () => number = Date.now): PeopleSaid {
  let said = NOTHING_SAID;
  let version = '';
  let looked = Number.NEGATIVE_INFINITY;
  function now(): Said {
    if (performance.now() - looked < REMEMBERED) return said;
    looked = performance.now();
    const file = statSync(saidFile(path), { throwIfNoEntry: false });
    const found = file ? `${file.mtimeMs} ${file.size} ${file.ino}` : '';
    // What is switched off for a time is on again by itself.
    if (
      found === version &&
      said.off.every(({ until = Number.POSITIVE_INFINITY }) => until > clock())
    )
      return said;
    version = found;
    said = file ? readSaid(path, clock()) : NOTHING_SAID;
    return said;
  }
  return {
    path,
    now,
    lookAgain() {
      looked = Number.NEGATIVE_INFINITY;
    },
    person: (folder) => ({
      answer: async () => undefined,
      greeting: () => undefined,
      isOff: (session) => offFor(now(), folder, session) !== undefined,
      takeStop: (session) =>
        now().stop.some((each) => each.session === session) && takeStop(path, session, clock()),
    }),
  };
}
