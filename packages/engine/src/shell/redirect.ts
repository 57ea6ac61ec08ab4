import type { Command } from './command.ts';
import type { Deed } from './deed.ts';
import { appended } from './files.ts';
import { wholeFile } from './region.ts';
import type { Unwrapped } from './unwrap.ts';

/**
 * A redirection to a file turns a read or an echo into a write. A check or a program stays what it
 * is.
 */
export function redirect(done: Deed, command: Command, run: Unwrapped | null): void {
  if (command.writes.length === 0 && !command.dynamicWrite) {
    readsInput(done, command);
    return;
  }
  if (done.verb === 'verify' || done.verb === 'execute') return;
  if (done.verb !== 'write') becomeWrite(done, command, run);
  done.files.push(...command.writes);
  done.many ||= command.dynamicWrite;
  done.effect = done.files.length === 1 && !done.many ? 'target' : 'any';
}

/** `cat < file` shows the file. */
function readsInput(done: Deed, { reads }: Command): void {
  if (reads.length !== 1 || done.verb !== 'read' || done.files.length > 0) return;
  done.files.push(reads[0]!);
  done.look = true;
}

function becomeWrite(done: Deed, { body, append }: Command, run: Unwrapped | null): void {
  done.verb = 'write';
  done.files = [];
  done.many = done.wide = done.look = done.sleeps = false;
  done.patch = true;
  done.role = '';
  const content = body ?? printedBy(run);
  if (content !== null) done.region = append ? appended(content) : wholeFile(content);
}

/** What an echo prints; null for any other program. */
const printedBy = (run: Unwrapped | null): string | null =>
  run !== null && (run.name === 'echo' || run.name === 'printf')
    ? run.words.slice(run.at + 1).join(' ')
    : null;
