import { existsSync } from 'node:fs';
import { backupOf, keepFolder, readTextFile, removeFile, writeText } from './change-file.ts';
import type { Edit } from './order.ts';

/** A planned change of one file. */
export interface FileChange {
  path: string;
  /** Missing: there is no file. */
  before: string | undefined;
  /** Undefined: the file is removed. */
  after: string | undefined;
  /** Our part was in it before. */
  wasThere: boolean;
  /** The file returns to its exact state before our change. */
  isRestored?: boolean;
  mode?: number | undefined;
}

/** The changes that put our current part into all files. Throws before anything is written. */
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
 * The changes that remove our part from all files. Files without other changes are restored
 * exactly.
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
 * Performs a change. Files with other people's content are backed up next to them until our part is
 * removed.
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

/** Whether the only difference from the backup is our part, in any version. */
function isOnly(edit: Edit, backup: string, without: string | undefined): boolean {
  try {
    return edit.remove(edit.add(backup)) === without;
  } catch {
    return false;
  }
}
