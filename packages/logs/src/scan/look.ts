import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { present } from '@unrut/engine/json';
import {
  isWorse,
  type LookedLoop,
  type LookedRun,
  type LookReport,
} from '@unrut/ledger/report/look-report';
import { deedsAt, type ScannedLoop, type Trajectory } from '@unrut/ledger/report/scan-report';
import { insideArchive } from './archive.ts';
import { findFiles } from './find-files.ts';
import { type RememberedFile, readLookCache, writeLookCache } from './look-cache.ts';
import { scanFiles } from './pool.ts';
import type { FileScan } from './scan-file.ts';

export interface LookOrder {
  paths: readonly string[];
  /** Epoch milliseconds: only runs with an event at or after it, and only files changed since. */
  since: number;
  /** The module that a thread runs. */
  worker: URL;
  /** The cache file, and the version for which its content is valid. */
  cache: { file: string; version: string; isFresh?: boolean };
  onProgress?(done: number, all: number): void;
}

/** A thread costs some 50 ms to start. */
const WORTH_A_THREAD = 4 << 20;

/**
 * Looks at recent runs, and caches each file by path, size and modification time, so that the next
 * look opens only new files.
 */
export async function look({
  paths,
  since,
  worker,
  cache,
  onProgress,
}: LookOrder): Promise<LookReport> {
  const known = cache.isFresh ? new Map() : readLookCache(cache.file, cache.version);
  const found = findFiles(paths).files.map(({ path, bytes }) => ({
    path,
    ...stampOf(path, bytes),
  }));
  const recent = found.filter(({ changed }) => changed >= since);
  const remembered = new Map<string, RememberedFile>();
  for (const { path, size, changed } of recent) {
    const entry = known.get(path);
    if (entry?.size === size && entry.changed === changed) remembered.set(path, entry);
  }
  const fresh = recent.filter(({ path }) => !remembered.has(path));
  const bytes = sizeOf(fresh);
  const stamps = new Map(fresh.map((file) => [file.path, file]));
  let read = 0;
  await scanFiles(
    fresh.map(({ path }) => path),
    {
      scan: {},
      threads: bytes >= WORTH_A_THREAD ? Math.min(availableParallelism(), fresh.length) : 1,
      worker,
      onBytes(count) {
        read += count;
        onProgress?.(read, bytes);
      },
      onFile: (done) => void remembered.set(done.file, rememberedOf(done, stamps.get(done.file)!)),
    },
  );
  const all = [...remembered.values()];
  if (fresh.length > 0 || all.length < known.size) writeLookCache(cache.file, cache.version, all);
  return {
    runs: all
      .flatMap(({ runs, changed }) => runs.filter(({ to = changed }) => to >= since))
      .filter(({ steps }) => steps > 0),
    files: recent.length,
    bytes: sizeOf(recent),
    unread: all.filter(({ unread }) => unread).length,
    older: found.length - recent.length,
  };
}

const sizeOf = (files: readonly { size: number }[]): number =>
  files.reduce((sum, { size }) => sum + size, 0);

/** The size and modification time of a file; a database also has changes in a separate log file. */
function stampOf(path: string, bytes: number): { size: number; changed: number } {
  const stats = statSync(insideArchive(path)?.archive ?? path, { throwIfNoEntry: false });
  const waiting = statSync(`${path}-wal`, { throwIfNoEntry: false });
  return {
    size: bytes + (waiting?.size ?? 0),
    changed: Math.max(stats?.mtimeMs ?? 0, waiting?.mtimeMs ?? 0),
  };
}

const rememberedOf = (
  { file, trajectories, unread }: FileScan,
  { size, changed }: { size: number; changed: number },
): RememberedFile => ({ path: file, size, changed, unread, runs: trajectories.map(lookedRun) });

function lookedRun(run: Trajectory): LookedRun {
  const loops = run.loops.filter(({ advice }) => !advice);
  const worst = loops.reduce<ScannedLoop | undefined>(
    (one, other) => (one && !isWorse(other, one) ? one : other),
    undefined,
  );
  const { id, file, repository, prompt, from, to, steps } = run;
  return {
    id,
    file,
    ...present({ repository, prompt, from, to }),
    steps,
    ...wastedIn(run),
    loops: loops.length,
    ...(worst ? { worst: lookedLoop(run, worst) } : {}),
  };
}

/** Max characters of a cached note: more than a terminal shows. */
const MAX_SAID = 600;

function lookedLoop(run: Trajectory, loop: ScannedLoop): LookedLoop {
  const { detector, text, count, start, firedAt, end, plans } = loop;
  const first = plans.find(({ toModel }) => toModel !== '');
  return {
    detector,
    text,
    count,
    start,
    firedAt,
    end,
    ...wastedIn(loop),
    ...(first ? { said: { step: first.step, toModel: first.toModel.slice(0, MAX_SAID) } } : {}),
    ...(deedsAt(run, loop).length > 0 ? { isTold: true } : {}),
  };
}

const wastedIn = ({
  wastedSteps,
  wastedTokens,
  wastedUsd,
  wastedMs,
}: Trajectory | ScannedLoop) => ({
  wastedSteps,
  ...present({ wastedTokens, wastedUsd, wastedMs }),
});
