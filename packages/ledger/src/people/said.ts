import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { UnrutError } from '@unrut/engine/errors';
import { isObject, parsed, present } from '@unrut/engine/json';
import type { Forgiven } from '@unrut/engine/policy/forgiven';

/** A place where Unrut is off, and until when. If neither folder nor session is set: everywhere. */
export interface SwitchedOff {
  folder?: string;
  session?: string;
  /** Epoch milliseconds; undefined: until it is switched on. */
  until?: number;
  /** When that was said. */
  at: number;
}

/** A session in which a person wants Unrut to act: it is in no trial any more. */
export interface SwitchedOn {
  session: string;
  at: number;
}

/** A false alarm that a user has reported, and how it is treated. */
export interface FalseAlarm extends Forgiven {
  /** Only in this folder; missing: everywhere. */
  folder?: string;
  /** A short, redacted description of the alleged loop. */
  label: string;
  /** Number of reports: after the first, responses are weaker; after the second, there are none. */
  times: number;
  at: number;
}

/** A session to stop at its next call. */
export interface StopAsked {
  session: string;
  at: number;
}

/** What a person says to agents, and those that have not heard it. The text is redacted. */
export interface ToldAll {
  sessions: readonly string[];
  text: string;
  at: number;
}

/** What the user has told Unrut while agents run, stored in a file next to the ledger. */
export interface Said {
  off: readonly SwitchedOff[];
  on: readonly SwitchedOn[];
  forgiven: readonly FalseAlarm[];
  stop: readonly StopAsked[];
  told: readonly ToldAll[];
}

export const NOTHING_SAID: Said = { off: [], on: [], forgiven: [], stop: [], told: [] };
const MAX_SAID = 200;
/** Milliseconds after which a stop or a message that never came to its session is forgotten. */
const STOP_HOLDS = 3_600_000;

/** Where it is kept. */
export const saidFile = (ledgerPath: string): string => join(dirname(ledgerPath), 'said.json');

/** A change of the stored instructions. */
export type SaidChange = (said: Said) => Said;

/** Parses a value and drops invalid and expired parts. */
export function holdingIn(said: unknown, now: number): Said {
  if (!isObject(said)) return NOTHING_SAID;
  const { off, on, forgiven, stop, told } = said as {
    off?: SwitchedOff[];
    on?: SwitchedOn[];
    forgiven?: FalseAlarm[];
    stop?: StopAsked[];
    told?: ToldAll[];
  };
  return {
    off: (Array.isArray(off) ? off : []).filter(
      (each) => isObject(each) && (each.until === undefined || each.until > now),
    ),
    on: (Array.isArray(on) ? on : []).filter(isObject),
    forgiven: (Array.isArray(forgiven) ? forgiven : []).filter(
      (each) => isObject(each) && typeof each.label === 'string',
    ),
    stop: (Array.isArray(stop) ? stop : []).filter(
      (each) => isObject(each) && each.at > now - STOP_HOLDS,
    ),
    told: (Array.isArray(told) ? told : []).filter(
      (each) => isObject(each) && Array.isArray(each.sessions) && each.at > now - STOP_HOLDS,
    ),
  };
}

/** The newest items of each kind, at most this many. */
export const newestSaid = (said: Said, most: number): Said =>
  Object.fromEntries(Object.entries(said).map(([kind, all]) => [kind, all.slice(-most)])) as never;

/** The instructions in force. An unreadable file counts as empty. Never throws. */
export function readSaid(ledgerPath: string, now: number): Said {
  try {
    return holdingIn(parsed(readFileSync(saidFile(ledgerPath), 'utf8')), now);
  } catch {
    return NOTHING_SAID;
  }
}

/** Changes the stored instructions atomically. Throws if the file cannot be written. */
export function changeSaid(ledgerPath: string, now: number, change: SaidChange): Said {
  const file = saidFile(ledgerPath);
  const said = change(readSaid(ledgerPath, now));
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const kept = newestSaid(said, MAX_SAID);
    writeFileSync(draft, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UnrutError(
      'unwritable',
      `Cannot write ${file}: ${code ?? message}. Nothing was changed.`,
    );
  }
  return said;
}

/** Whether a folder is inside another one, or the same. */
export const isBelow = (folder: string, other: string): boolean =>
  !/^(?:\.\.(?:[\\/]|$)|[\\/]|[A-Za-z]:)/.test(relative(other, folder));

/** The switch that applies to a folder and a session; undefined if Unrut is on. */
export const offFor = ({ off }: Said, folder: string, session?: string): SwitchedOff | undefined =>
  off.findLast(
    (each) =>
      (each.folder === undefined || isBelow(folder, each.folder)) &&
      (each.session === undefined || each.session === session),
  );

/** Whether a person wants Unrut to act in this session, whatever a trial has drawn. */
export const isOnFor = ({ on }: Said, session: string): boolean =>
  on.some((each) => each.session === session);

/**
 * Whether a session that was off at its last event may still be off. Sessions record only the last
 * part of their folder.
 */
export const mayBeOff = ({ off }: Said, session: string, folder: string | undefined): boolean =>
  off.some((each) =>
    each.session === undefined
      ? each.folder === undefined || folder === undefined || isNamed(each.folder, folder)
      : each.session === session,
  );

/** A session may run in a subfolder of the one that was switched off. */
const isNamed = (path: string, folder: string): boolean =>
  path.split(/[\\/]/).at(-1) === folder || existsSync(join(path, folder));

/** The false alarms that apply in a folder. */
export const forgivenIn = ({ forgiven }: Said, folder: string): Forgiven[] =>
  forgiven
    .filter((each) => each.folder === undefined || isBelow(folder, each.folder))
    .map(({ keys, tool, detectors, silent }) => ({
      ...(keys ? { keys } : {}),
      ...present({ tool }),
      ...(detectors ? { detectors } : {}),
      silent,
    }));
