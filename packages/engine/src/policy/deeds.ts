import type { AgentEvent } from '../event.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import { isOwnList, isUndo, mayChange, maySame } from '../fingerprint/may-change.ts';
import { fileNameHash } from '../fingerprint/read-call.ts';
import { objectOf, textOf } from '../json.ts';
import type { CallPrint, ResultPrint } from '../prints.ts';
import { redact } from '../redact/redact.ts';

/** One thing that the agent has done: a file read or written, a command or a check run. */
export interface BriefDeed {
  did: 'read' | 'wrote' | 'ran' | 'checked';
  /** In words, redacted and short. */
  name: string;
  /** For a read: the lines, if the call says so. For a failure: the error. */
  detail: string;
  /** How many times it failed in a row; for a read, 1 if a command may have changed the file since. */
  times: number;
  /** A file was written since. */
  isOlder: boolean;
}

/** As it is kept: without names of fields, because there are many. */
type KeptDeed = [did: BriefDeed['did'], name: string, detail?: string, times?: number];

/** What the agent has done, the newest last, and what the current lap consists of. */
export interface BriefState {
  deeds: KeptDeed[];
  looks: number;
  relooks: number;
  /** The context was compacted, and the agent is to be reminded. */
  due?: true;
  /** It did more than is kept. */
  more?: true;
}

export const startBrief = (): BriefState => ({ deeds: [], looks: 0, relooks: 0 });

const MAX_DEEDS = 10;
const MAX_NAME = 56;
const MAX_ERROR = 40;
/** The share of repeated looks from which the agent is reminded, and the fewest of them. */
const SHARE = 0.4;
const LEAST = 3;

/** Remembers a finished call, and at a compaction whether a brief is due. */
export function noteDeed(state: BriefState, event: AgentEvent, seen: Fingerprint): void {
  if (event.type === 'context-compacted' && !event.again) noteCompaction(state);
  if (seen.changed)
    state.deeds = state.deeds.filter(
      ([did, name]) => did !== 'read' || !seen.changed!.includes(fileNameHash(name)),
    );
  const { call, result, neutral } = seen;
  if (event.type !== 'call-finished' || !call || !result || neutral === 'own') return;
  if (call.verb === 'read' && result.error === null) {
    state.looks++;
    if (seen.relook) state.relooks++;
  }
  addDeed(state, call, result, event.call.args);
}

function noteCompaction(state: BriefState): void {
  const { looks, relooks } = state;
  delete state.due;
  if (relooks >= LEAST && relooks >= SHARE * looks) state.due = true;
  Object.assign(state, { looks: 0, relooks: 0 });
}

function addDeed(
  state: BriefState,
  call: CallPrint,
  { error }: Pick<ResultPrint, 'error'>,
  args: unknown,
): void {
  const isFile = call.target?.startsWith('file:') === true;
  outdate(state, call, isFile);
  const did = deedOf(call, isFile, error !== null);
  if (!did) return;
  const name = nameOf(call, args, isFile && did !== 'ran');
  if (name === undefined) return;
  const isFor = did === 'read' || did === 'wrote' ? maySame : Object.is;
  const at = state.deeds.findIndex((deed) => deed[0] === did && isFor(deed[1], name));
  const before = at < 0 ? undefined : state.deeds.splice(at, 1)[0];
  const lines = did === 'read' ? linesIn(args) : undefined;
  state.deeds.push(
    error
      ? [did, name, short(error.label, MAX_ERROR), (before?.[3] ?? 0) + 1]
      : lines === undefined
        ? [did, name]
        : [did, name, lines],
  );
  if (state.deeds.length > MAX_DEEDS) dropOldest(state);
}

/** Of the kind that has the most: many reads must not push out what was written or has failed. */
function dropOldest(state: BriefState): void {
  state.more = true;
  const count = (did: BriefDeed['did']): number =>
    state.deeds.filter((deed) => deed[0] === did).length;
  const most = Math.max(...state.deeds.map(([did]) => count(did)));
  state.deeds.splice(
    state.deeds.findIndex(([did]) => count(did) === most),
    1,
  );
}

function deedOf(call: CallPrint, isFile: boolean, failed: boolean): BriefDeed['did'] | null {
  if (call.verb === 'wait' || call.verb === 'nothing') return null;
  if (call.verb === 'verify') return 'checked';
  if (isFile && !failed && !call.wide && call.verb === 'read') return 'read';
  return isFile && !failed && call.verb === 'write' && !isUndo(call) ? 'wrote' : 'ran';
}

/** The arguments in which a search says what it looks for. */
const SOUGHT = ['pattern', 'query', 'regex'];

/** What was done, in words; undefined if they would tell nothing. */
function nameOf(call: CallPrint, args: unknown, isFile: boolean): string | undefined {
  if (isFile) return shortPath(call.targetLabel);
  if (isOwnList(call)) return undefined;
  if (call.shell || call.label !== call.tool) return short(call.label, MAX_NAME);
  const sought = SOUGHT.map((name) => objectOf(args)[name]).find((each) => textOf(each) !== '');
  // The name of a tool alone does not say what was done with it.
  if (sought === undefined) return undefined;
  return short(`${call.tool} ${redact(textOf(sought).slice(0, LOOKED_AT))}`, MAX_NAME);
}

/** A search is this long at most when it is looked at for secrets. */
const LOOKED_AT = 400;

/**
 * A write ends what was read of its file, and one that puts it back or removes it what was written.
 * A command that may change anything puts it in doubt.
 */
function outdate(state: BriefState, call: CallPrint, isFile: boolean): void {
  if (call.effect === 'none' || call.verb === 'read' || isOwnList(call)) return;
  const ends: BriefDeed['did'][] = isUndo(call) ? ['read', 'wrote'] : ['read'];
  state.deeds = state.deeds.filter(
    ([did, name]) => !isFile || !ends.includes(did) || !maySame(name, shortPath(call.targetLabel)),
  );
  if (!mayChange(call, { target: null, wide: false }) || isFile) return;
  state.deeds = state.deeds.map((deed) =>
    deed[0] === 'read' ? ['read', deed[1], deed[2] ?? '', 1] : deed,
  );
}

const short = (text: string, most: number): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1).toWellFormed()}…` : line;
};

/** The end of a path says which file it is. */
const shortPath = (path: string): string =>
  path.length > MAX_NAME ? `…${path.slice(path.length - MAX_NAME + 1).toWellFormed()}` : path;

/** The range of lines that the arguments of a read name. */
function linesIn(args: unknown): string | undefined {
  const given = typeof args === 'object' && args !== null ? (args as Record<string, unknown>) : {};
  const number = (...names: string[]): number | undefined => {
    const value = names.map((name) => given[name]).find((each) => each !== undefined);
    return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
  };
  const first = number('offset', 'start_line', 'startLine');
  const count = number('limit');
  const last = number('end_line', 'endLine');
  if (first === undefined && count === undefined && last === undefined) return undefined;
  const from = Math.max(1, first ?? 1);
  const to = last ?? (count === undefined ? undefined : from + count - 1);
  return to === undefined ? `from line ${from}` : `lines ${from} to ${to}`;
}
