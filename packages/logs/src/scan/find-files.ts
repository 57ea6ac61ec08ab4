import { type Dirent, globSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join, matchesGlob, relative, resolve } from 'node:path';
import { errorReason } from '@unrut/engine/redact/reason';
import type { Problem } from '@unrut/ledger/report/scan-report';
import { archiveFiles, insideArchive } from './archive.ts';
import { eventFiles } from './event-folder.ts';
import { pathShown } from './path-shown.ts';

export interface FoundFile {
  path: string;
  bytes: number;
  /** Named by the user, not found in a folder: unknown content is then a problem. */
  named: boolean;
  /** Its name does not indicate a run. */
  isDoubtful: boolean;
}

export interface Found {
  files: FoundFile[];
  problems: Problem[];
  /** Paths that do not exist. */
  absent: Problem[];
}

/** Extensions of possible runs in a folder, also compressed. A named file is always read. */
const ENDINGS =
  /\.(?:(?:jsonl?|ndjson|traj|txt|log|md)(?:\.(?:gz|zst))?|db|sqlite3?|vscdb|eval|zip)$/i;
/** Extensions of files that rarely hold a run; finding none in them is not reported. */
const NOW_AND_THEN = /\.(?:txt|log|md)(?:\.(?:gz|zst))?$/i;
/** Metadata files next to runs: Claude Code's of a subagent, OpenClaw's of its sessions. */
const ABOUT_RUNS = /^(?:agent-.*\.meta|sessions)\.json$/;
/** Folders of programs and their history, without runs. */
const PASSED_OVER = new Set(['node_modules', '.git']);

/**
 * The files of paths, folders and globs, without duplicates, in a stable order. `-` is standard
 * input.
 */
export function findFiles(paths: readonly string[], exclude: readonly string[] = []): Found {
  const excluded = (path: string): boolean =>
    exclude.some((pattern) =>
      [path, relative('', path), resolve(path), basename(path)].some((each) =>
        matchesGlob(each, pattern),
      ),
    );
  const found = new Map<string, FoundFile>();
  const problems: Problem[] = [];
  const absent: Problem[] = [];
  const about = (path: string, message: string, fatal: boolean): Problem => ({
    file: pathShown(path),
    message,
    fatal,
  });
  /** Number of possible runs, including duplicates and excluded files. */
  let seen = 0;
  /** Skipped links to folders, pipes and sockets: a link may be circular, and a pipe endless. */
  let passed: string[] = [];

  function attempt(path: string, what: () => void): void {
    try {
      what();
    } catch (error) {
      problems.push(about(path, `Cannot be read: ${errorReason(error)}.`, true));
    }
  }
  function add(path: string, bytes: number, named: boolean): void {
    seen++;
    const files = /\.zip$/i.test(path)
      ? archiveFiles(path).filter(({ name }) => ENDINGS.test(name))
      : [];
    for (const { name, bytes: size } of files)
      put(`${realPath(path)}/${name}`, `${path}/${name}`, size, false);
    if (files.length === 0) put(realPath(path), path, bytes, named);
  }
  function put(key: string, path: string, bytes: number, named: boolean): void {
    const known = found.get(key);
    if (known) known.named ||= named;
    else if (!excluded(path))
      found.set(key, { path, bytes, named, isDoubtful: NOW_AND_THEN.test(path) });
  }
  function walk(folder: string): void {
    attempt(folder, () => {
      const entries = readdirSync(folder, { withFileTypes: true }).sort(byName);
      const events = new Set(eventFiles(folder));
      if (events.size > 0) add(folder, sizeOf(folder, events), false);
      for (const entry of entries)
        if (!events.has(entry.name)) attempt(join(folder, entry.name), () => enter(folder, entry));
    });
  }
  function enter(folder: string, entry: Dirent): void {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!PASSED_OVER.has(entry.name) && !excluded(path)) walk(path);
      return;
    }
    const mayHoldRuns = ENDINGS.test(entry.name) && !ABOUT_RUNS.test(entry.name);
    if (!mayHoldRuns && !entry.isSymbolicLink()) return;
    if (excluded(path)) {
      seen++;
      return;
    }
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile()) {
      if (mayHoldRuns) add(path, stats.size, false);
    } else if (mayHoldRuns || stats?.isDirectory()) passOver(path, stats !== undefined);
  }
  function passOver(path: string, isThere: boolean): void {
    if (isThere) passed.push(path);
    else problems.push(about(path, 'Cannot be read: it links to nothing.', true));
  }
  function take(path: string): void {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats && insideArchive(path)) put(path, path, 0, true);
    else if (!stats) absent.push(about(path, 'Cannot be read: it does not exist.', true));
    else if (!stats.isDirectory()) add(path, stats.size, true);
    else {
      const before = seen + passed.length + problems.length;
      walk(path);
      if (seen + passed.length + problems.length === before)
        absent.push(about(path, 'No files that could hold a run.', false));
    }
  }
  function takeMatches(pattern: string): void {
    const matches = globSync(pattern).sort();
    if (matches.length === 0) absent.push(about(pattern, 'No file matches it.', true));
    for (const match of matches) {
      attempt(match, () => {
        const stats = statSync(match, { throwIfNoEntry: false });
        if (stats?.isFile() || stats?.isDirectory()) take(match);
        else passOver(match, stats !== undefined);
      });
    }
  }

  for (const path of paths) {
    passed = [];
    if (path === '-') found.set('-', { path, bytes: 0, named: true, isDoubtful: false });
    else attempt(path, () => (isGlob(path) ? takeMatches(path) : take(path)));
    if (passed.length > 0) problems.push(about(path, `${passedOver(passed, path)}.`, false));
  }
  return { files: [...found.values()], problems, absent };
}

const MAX_NAMED = 10;

/** Lists skipped paths, relative to their folder. */
function passedOver(paths: readonly string[], from: string): string {
  const nameOf = (path: string): string =>
    relative(from, path).startsWith('..') ? pathShown(path) : relative(from, path);
  const what =
    paths.length === 1
      ? '1 link, pipe or socket is'
      : `${paths.length} links, pipes or sockets are`;
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : '';
  return `${what} not read: ${paths.slice(0, MAX_NAMED).map(nameOf).join(', ')}${more}`;
}

const sizeOf = (folder: string, names: Iterable<string>): number =>
  [...names].reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

/** The real path; pipes of a shell have none. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const byName = (one: Dirent, other: Dirent): number => (one.name < other.name ? -1 : 1);

/** A path with glob characters, unless a file with that name exists. */
const isGlob = (path: string): boolean =>
  /[*?[{]/.test(path) && statSync(path, { throwIfNoEntry: false }) === undefined;
