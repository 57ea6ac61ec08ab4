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

/** Reads the `*** Update File:` format and unified diffs. */
export function readPatch(patch: string): PatchText {
  const files: string[] = [];
  const removed: string[] = [];
  const added: string[] = [];
  let deletes = 0;
  let hunks = 0;
  let lines: [number, number] | undefined;
  const end = Math.min(patch.length, MAX_LENGTH);
  for (let start = 0; start < end; ) {
    const found = patch.indexOf('\n', start);
    const stop = found < 0 || found > end ? end : found;
    const line = patch.slice(start, stop).trimEnd();
    start = stop + 1;
    const first = line[0];
    if (first === '*') {
      const mark = MARKS.find((text) => line.startsWith(text));
      if (mark === undefined) continue;
      if (mark === MARKS[2]) deletes++;
      add(files, line.slice(mark.length).trim());
    } else if (first === '@') {
      hunks++;
      lines = oldLines(line);
    } else if (first === '+') {
      if (line.startsWith('+++ ')) add(files, diffPath(line.slice(4)));
      else added.push(line.slice(1));
    } else if (first === '-') {
      if (line.startsWith('--- ')) {
        // The second of the two headers names the file, unless the file is deleted.
        if (patch.startsWith('+++ /dev/null', start)) {
          add(files, diffPath(line.slice(4)));
          deletes++;
        }
      } else removed.push(line.slice(1));
    }
  }
  const before = removed.length > 0 ? removed.join('\n') : null;
  const after = added.length > 0 ? added.join('\n') : null;
  return {
    files,
    region: regionOfEdit(before, after, hunks === 1 ? lines : undefined),
    deletes: deletes > 0 && deletes === files.length,
  };
}

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
