import { existsSync } from 'node:fs';
import { backupOf, keepFolder, readTextFile, removeFile, writeText } from './change-file.ts';
import type { Edit } from './order.ts';

/** What is to become of one file. */
export interface FileChange {
  path: string;
  /** Missing: there is no file. */
  before: string | undefined;
  /** Missing: there will be none. */
  after: string | undefined;
  /** Our part was in it before. */
  wasThere: boolean;
  /** It becomes what it was before our part was added, to the byte. */
  isRestored?: boolean;
  mode?: number | undefined;
}

/**
 * What has to be done so that our part is in all files, in its newest form. Throws before anything
 * is written.
 */
export const additions = (edits: readonly Edit[]): FileChange[] =>
  edits.map((edit) => {
    const before = readTextFile(edit.path);
    return {
      path: edit.path,
      before,
      after: edit.add(before),
      wasThere: holds(edit, before),
      mode: edit.mode,
    };
  });

/**
 * What has to be done so that our part is in none of the files. Those that nobody else has changed
 * become what they were, to the byte.
 */
export const removals = (edits: readonly Edit[]): FileChange[] =>
  edits.map((edit) => {
    const before = readTextFile(edit.path);
    if (before === undefined) return { path: edit.path, before, after: undefined, wasThere: false };
    const backup = readTextFile(backupOf(edit.path));
    const without = edit.remove(before);
    const isUntouched = backup !== undefined && without !== before && isOnly(edit, backup, without);
    return {
      path: edit.path,
      before,
      after: isUntouched ? backup : without,
      isRestored: isUntouched || backup === without,
      wasThere: without !== before,
    };
  });

/** Whether our part is in a text. */
export const holds = (edit: Edit, text: string | undefined): boolean =>
  text !== undefined && edit.remove(text) !== text;

export const isNothing = ({ before, after }: FileChange): boolean => before === after;

/**
 * Does it. A file in which others have something is kept as a copy next to it, until our part is
 * out of it.
 */
export function performChange(change: FileChange, stop: readonly string[]): void {
  const { path, before, after, wasThere, mode } = change;
  if (isNothing(change)) return;
  const backup = backupOf(path);
  if (before !== undefined && after !== undefined && !wasThere) writeText(backup, before, 0o600);
  if (before === undefined) keepFolder(path, stop);
  if (after === undefined) removeFile(path, stop);
  else writeText(path, after, mode);
  if (wasThere && existsSync(backup) && (after === undefined || readTextFile(backup) === after))
    removeFile(backup, stop);
}

/** Whether our part, in whatever form, is all that was added to the text in the backup. */
function isOnly(edit: Edit, backup: string, without: string | undefined): boolean {
  try {
    return edit.remove(edit.add(backup)) === without;
  } catch {
    return false;
  }
}
