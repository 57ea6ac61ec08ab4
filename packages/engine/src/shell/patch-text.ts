import type { Region } from '../prints.ts';
import { regionOfEdit } from './region.ts';

/** What a patch in text form touches. */
export interface PatchText {
  files: string[];
  region: Region | null;
  /** Whether it only deletes files. */
  deletes: boolean;
}

const MARKS = ['*** Update File: ', '*** Add File: ', '*** Delete File: ', '*** Move to: '];
const MAX_LENGTH = 65_536;
const MAX_FILES = 32;

/** What has been read of a patch. */
interface Reading {
  files: string[];
  removed: string[];
  added: string[];
  deletes: number;
  hunks: number;
  lines: [number, number] | undefined;
}

/** Reads the `*** Update File:` format and unified diffs. */
export function readPatch(patch: string): PatchText {
  const read: Reading = {
    files: [],
    removed: [],
    added: [],
    deletes: 0,
    hunks: 0,
    lines: undefined,
  };
  const end = Math.min(patch.length, MAX_LENGTH);
  for (let start = 0; start < end; ) {
    const found = patch.indexOf('\n', start);
    const stop = found < 0 || found > end ? end : found;
    const line = patch.slice(start, stop).trimEnd();
    start = stop + 1;
    if (Object.hasOwn(BY_SIGN, line[0] ?? '')) BY_SIGN[line[0]!]!(read, line, patch, start);
  }
  const { files, removed, added, deletes, hunks, lines } = read;
  const before = removed.length > 0 ? removed.join('\n') : null;
  const after = added.length > 0 ? added.join('\n') : null;
  return {
    files,
    region: regionOfEdit(before, after, hunks === 1 ? lines : undefined),
    deletes: deletes > 0 && deletes === files.length,
  };
}

/** How a line is read, by its first character. `next` is where the following line begins. */
const BY_SIGN: Readonly<
  Record<string, (read: Reading, line: string, patch: string, next: number) => void>
> = {
  '*': (read, line) => {
    const mark = MARKS.find((text) => line.startsWith(text));
    if (mark === undefined) return;
    if (mark === MARKS[2]) read.deletes++;
    add(read.files, line.slice(mark.length).trim());
  },
  '@': (read, line) => {
    read.hunks++;
    read.lines = oldLines(line);
  },
  '+': (read, line) => {
    if (line.startsWith('+++ ')) add(read.files, diffPath(line.slice(4)));
    else read.added.push(line.slice(1));
  },
  '-': (read, line, patch, next) => {
    if (!line.startsWith('--- ')) read.removed.push(line.slice(1));
    // The second of the two headers names the file, unless the file is deleted.
    else if (patch.startsWith('+++ /dev/null', next)) {
      add(read.files, diffPath(line.slice(4)));
      read.deletes++;
    }
  },
};

function add(files: string[], path: string): void {
  if (path !== '' && path !== '/dev/null' && files.length < MAX_FILES && !files.includes(path))
    files.push(path);
}

const diffPath = (text: string): string => {
  const path = text.split('\t')[0]!.trim();
  return path.startsWith('a/') || path.startsWith('b/') ? path.slice(2) : path;
};

/** `@@ -12,5 +12,7 @@` means lines 12 to 16. */
function oldLines(line: string): [number, number] | undefined {
  const match = /^@@ -(\d+)(?:,(\d+))? /.exec(line);
  if (!match) return undefined;
  const from = Number(match[1]);
  return [from, from + Math.max(0, Number(match[2] ?? 1) - 1)];
}
