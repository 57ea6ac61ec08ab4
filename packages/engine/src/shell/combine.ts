import type { Verb } from '../prints.ts';
import type { Command } from './command.ts';
import { type Deed, deed } from './deed.ts';
import type { Unwrapped } from './unwrap.ts';

/** A command of a line, what it runs, and what that does. */
export interface CommandPart {
  command: Command;
  run: Unwrapped | null;
  deed: Deed;
}

const STRENGTH: Readonly<Record<Verb, number>> = {
  nothing: 0,
  wait: 1,
  read: 2,
  navigate: 3,
  unknown: 3,
  verify: 5,
  execute: 6,
  write: 7,
};
const LIGHT = 4;
const SILENT = 0.5;
const strength = (done: Deed): number =>
  done.role === 'light' ? LIGHT : done.role === 'silent' ? SILENT : STRENGTH[done.verb];

/** The whole line as one deed: the strongest verb, and everything that it touches. */
export function combine(parts: readonly CommandPart[], main: CommandPart | null): Deed {
  const total = deed(main?.deed.tool ?? ':', 'nothing');
  total.verb = strongestVerb(parts);
  for (const { deed: done } of parts) addTraits(total, done);
  if (!printsState(parts, total.verb)) total.asks = null;
  addFiles(total, parts);
  setReach(total, parts);
  return total;
}

function strongestVerb(parts: readonly CommandPart[]): Verb {
  let strongest = -1;
  let verb: Verb = 'nothing';
  for (const { deed: done } of parts) {
    if (strength(done) <= strongest) continue;
    strongest = strength(done);
    verb = done.verb;
  }
  return verb;
}

/** What holds for the line if it holds for any part. */
function addTraits(total: Deed, done: Deed): void {
  total.look ||= done.look;
  if (done.role !== 'limiter' && (done.asks === 'state' || total.asks === null))
    total.asks = done.asks;
  total.sleeps ||= done.sleeps;
  total.wide ||= done.wide;
  if (done.clears === 'space' || total.clears === 'none') total.clears = done.clears;
  if (done.url !== null) total.url = done.url;
}

/** What a program prints is the state that it asks for only if nothing else runs with it. */
const printsState = (parts: readonly CommandPart[], verb: Verb): boolean =>
  verb === 'read' ||
  (verb === 'execute' &&
    parts.every(({ deed: done }) => done.verb !== verb || done.asks === 'state')) ||
  (verb === 'write' && parts.every(({ deed: done }) => done.verb !== verb || done.asks !== null));

/** The files that the line writes, or those that it reads if it only reads. */
function addFiles(total: Deed, parts: readonly CommandPart[]): void {
  const writes = total.verb === 'write';
  if (!writes && total.verb !== 'read') return;
  let regions = 0;
  for (const { deed: done } of parts) {
    if (done.verb !== total.verb) continue;
    for (const path of done.files) if (!total.files.includes(path)) total.files.push(path);
    total.many ||= done.many;
    total.patch ||= writes && done.patch;
    if (done.patch && regions++ === 0) total.region = done.region;
  }
  if (regions > 1) total.region = null;
}

/** How much the line may change, and on how much its result depends. */
function setReach(total: Deed, parts: readonly CommandPart[]): void {
  // A formatter before a check changes files, although the line counts as a check.
  if (total.verb === 'execute' || (total.verb === 'verify' && parts.some(isFormatter)))
    total.effect = 'any';
  else if (total.verb === 'write') {
    const bounded = total.files.length === 1 && !total.many && parts.every(isBounded);
    total.effect = bounded ? 'target' : 'any';
    // Apart from its writes, what it shows depends on what it reads.
    total.wide = parts.some(showsMuch);
  } else if (total.files.length > 1 || total.many) total.wide = true;
}

const isFormatter = ({ deed: done }: CommandPart): boolean =>
  done.role === 'light' && done.files.length === 0;

const isBounded = ({ deed: done }: CommandPart): boolean =>
  done.effect === 'none' || done.effect === 'target';

const showsMuch = ({ deed: done }: CommandPart): boolean =>
  done.wide && (done.verb === 'verify' || done.verb === 'execute' || done.look);
