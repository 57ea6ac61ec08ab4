import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hash64 } from '../hash.ts';
import { workspaceTree } from '../tasks/workspace.ts';

/** Folders with more in them take too long to look through. */
const MAX_FILES = 20_000;
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** A text that changes with the files of a folder: by what git makes of them, else by their names, sizes and times. Empty where it cannot be told. */
export async function folderPrint(folder: string): Promise<string> {
  return (await workspaceTree(folder)) ?? (await listing(folder).catch(() => ''));
}

async function listing(folder: string): Promise<string> {
  const files: string[] = [];
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const entry of await readdir(next, { withFileTypes: true })) {
      const path = join(next, entry.name);
      if (LEFT_OUT.has(entry.name)) continue;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) {
        const { size, mtimeMs } = await stat(path);
        files.push(`${path} ${size} ${mtimeMs}`);
      }
      if (files.length + folders.length > MAX_FILES) return '';
    }
  }
  return hash64(files.sort().join('\n'));
}
