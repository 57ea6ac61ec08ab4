import { appendFileSync, fstatSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { hash64 } from '@unrut/engine/hash';
import { isObject, parsed, textOf } from '@unrut/engine/json';
import type { Ledger } from '@unrut/ledger/ledger';

/** Why a hook could not record its payload. */
export interface Missed {
  /** Epoch milliseconds. */
  at: number;
  message: string;
}

/** Max size of the file, so that a broken ledger does not fill the disk. */
const LARGEST = 1 << 16;

const placeOf = (ledger: string): string => `${ledger}-missed`;

/** Adds a note to a file next to a ledger that cannot be written. Never throws. */
export function noteMissed(ledger: string, message: string): void {
  try {
    if ((statSync(placeOf(ledger), { throwIfNoEntry: false })?.size ?? 0) > LARGEST) return;
    appendFileSync(
      placeOf(ledger),
      `${JSON.stringify({ at: Date.now(), message: `An event was not recorded: ${message}` })}\n`,
      {
        mode: 0o600,
      },
    );
  } catch {
    // A hook has no other way to report this.
  }
}

/** Notes an empty payload, unless a person ran the hook in a terminal. */
export function noteNoPayload(ledger: string): void {
  if (!fstatSync(0).isCharacterDevice()) noteMissed(ledger, 'its payload did not come in time.');
}

/** The notes, oldest first. */
export function readMissed(ledger: string): Missed[] {
  try {
    return readNotes(placeOf(ledger));
  } catch {
    return [];
  }
}

const readNotes = (place: string): Missed[] =>
  readFileSync(place, 'utf8')
    .split('\n')
    .map(parsed)
    .flatMap((note) =>
      isObject(note) ? [{ at: Number(note.at) || 0, message: textOf(note.message) }] : [],
    );

/** Moves the notes to the ledger, once it can be written. Never throws. */
export async function tellMissed(ledger: Ledger, path: string): Promise<void> {
  const place = placeOf(path);
  const own = `${place}-${process.pid}`;
  try {
    if (!statSync(place, { throwIfNoEntry: false })) return;
    renameSync(place, own);
    await ledger.append(
      readNotes(own).map(({ at, message }, i) => ({
        id: `hook/missed/${at}/${hash64(`${process.pid} ${i} ${message}`)}`,
        session: '',
        at,
        kind: 'fault',
        step: 0,
        data: { where: 'hook', message },
      })),
    );
  } catch {
    try {
      appendFileSync(place, readFileSync(own), { mode: 0o600 });
    } catch {
      // Another hook was faster.
    }
  }
  rmSync(own, { force: true });
}
