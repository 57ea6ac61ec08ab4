import { type Dirent, globSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { whyOf } from './reason.ts';
import type { Problem } from './report.ts';

export interface FoundFile {
  path: string;
  bytes: number;
  /** Epoch milliseconds of its last change. */
  changed: number;
  /** It was named, not found in a folder: not to know its content is a problem then. */
  named: boolean;
}

export interface Found {
  files: FoundFile[];
  problems: Problem[];
}

/** In a folder, what may hold runs: files with these endings, also packed. A file that is named is always read. */
const ENDINGS = /\.(?:(?:jsonl?|ndjson|traj)(?:\.gz)?|db|eval)$/i;
/** Folders that hold programs and their history, not runs. */
const PASSED_OVER = new Set(['node_modules', '.git']);

/** The files behind paths, folders and globs, each once, in a stable order. `-` is standard input. */
export function findFiles(paths: readonly string[]): Found {
  const found = new Map<string, FoundFile>();
  const problems: Problem[] = [];
  const add = (path: string, named: boolean): void => {
    const { size, mtimeMs } = statSync(path);
    if (!found.has(path)) found.set(path, { path, bytes: size, changed: mtimeMs, named });
  };
  const attempt = (path: string, what: () => void): void => {
    try {
      what();
    } catch (error) {
      problems.push({ file: path, message: `Cannot be read: ${whyOf(error)}.`, fatal: true });
    }
  };
  function walk(folder: string): void {
    attempt(folder, () => {
      const entries = readdirSync(folder, { withFileTypes: true }).sort(byName);
      const events = eventFiles(entries.map(({ name }) => name));
      if (events) {
        const stats = events.map((name) => statSync(join(folder, name)));
        const bytes = stats.reduce((sum, { size }) => sum + size, 0);
        found.set(folder, { path: folder, bytes, changed: Math.max(...stats.map(({ mtimeMs }) => mtimeMs)), named: false });
        return;
      }
      for (const entry of entries) {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) {
          if (!PASSED_OVER.has(entry.name)) walk(path);
        } else if (ENDINGS.test(entry.name) && (entry.isFile() || entry.isSymbolicLink())) attempt(path, () => add(path, false));
      }
    });
  }
  for (const path of paths) {
    if (path === '-') found.set('-', { path: '-', bytes: 0, changed: Number.POSITIVE_INFINITY, named: true });
    else
      attempt(path, () => {
        const matches = isGlob(path) ? globSync(path).sort() : [path];
        if (matches.length === 0) problems.push({ file: path, message: 'No file matches it.', fatal: true });
        for (const match of matches) {
          if (statSync(match).isDirectory()) walk(match);
          else add(match, true);
        }
      });
  }
  return { files: [...found.values()], problems };
}

const EVENT = /^(?:event-)?(\d+)(?:-[\w-]+)?\.json$/;

/** The files of a folder that holds one run with a file for every event, in their order; null for any other folder. */
export function eventFiles(names: readonly string[]): string[] | null {
  const files = names.filter((name) => name.endsWith('.json'));
  if (files.length < 3 || !files.every((name) => EVENT.test(name))) return null;
  const number = (name: string): number => Number(EVENT.exec(name)![1]);
  return files.sort((one, other) => number(one) - number(other));
}

const byName = (one: Dirent, other: Dirent): number => (one.name < other.name ? -1 : 1);

/** A path with the signs of a glob, unless there is a file of that very name. */
const isGlob = (path: string): boolean => /[*?[{]/.test(path) && statSync(path, { throwIfNoEntry: false }) === undefined;
