import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parsed } from '@unrut/engine/json';
import type { LookedRun } from '@unrut/ledger/report/look-report';
import * as v from 'valibot';

/** The cached content of a file with this size and modification time. */
export interface RememberedFile {
  path: string;
  size: number;
  changed: number;
  unread: boolean;
  runs: LookedRun[];
}

const amount = v.pipe(v.number(), v.finite());
const optional = v.exactOptional;
const WASTED = {
  wastedSteps: amount,
  wastedTokens: optional(amount),
  wastedUsd: optional(amount),
  wastedMs: optional(amount),
};
const LOOP = v.object({
  ...WASTED,
  detector: v.string(),
  text: v.string(),
  count: amount,
  start: amount,
  firedAt: amount,
  end: amount,
  said: optional(v.object({ step: amount, toModel: v.string() })),
  isTold: optional(v.literal(true)),
});
const ENTRY = v.object({
  path: v.string(),
  size: amount,
  changed: amount,
  unread: v.boolean(),
  runs: v.array(
    v.object({
      ...WASTED,
      id: v.string(),
      file: v.string(),
      repository: optional(v.string()),
      prompt: optional(v.string()),
      from: optional(amount),
      to: optional(amount),
      steps: amount,
      loops: amount,
      worst: optional(LOOP),
    }),
  ),
});

/** Max number of cached files, the most recently changed ones: about 10 MB. */
const MAX_FILES = 10_000;
/** A larger cache file is not ours, or damaged. */
const MAX_BYTES = 64 << 20;

/**
 * The cache of an earlier look with the same `version`, by path. A missing or too large file, or
 * one of another version, counts as empty; damaged lines are skipped. Never throws.
 */
export function readLookCache(file: string, version: string): Map<string, RememberedFile> {
  try {
    const text = readFileSync(file, 'utf8');
    if (text.length > MAX_BYTES) return new Map();
    const [head, ...lines] = text.split('\n');
    if (head !== headOf(version)) return new Map();
    const entries = lines.flatMap((line) => {
      const entry = v.safeParse(ENTRY, parsed(line));
      return entry.success ? [entry.output] : [];
    });
    return new Map(entries.map((entry) => [entry.path, entry]));
  } catch {
    return new Map();
  }
}

/**
 * Replaces the file atomically, so that concurrent looks read the old or the new one. A failure is
 * ignored. Never throws.
 */
export function writeLookCache(
  file: string,
  version: string,
  remembered: Iterable<RememberedFile>,
): void {
  const kept = [...remembered]
    .sort((one, other) => other.changed - one.changed)
    .slice(0, MAX_FILES);
  const text = [headOf(version), ...kept.map((each) => JSON.stringify(each))].join('\n');
  const own = `${file}.${process.pid}.${randomUUID().slice(0, 8)}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(own, text, { mode: 0o600 });
    renameSync(own, file);
  } catch {
    rmSync(own, { force: true });
  }
}

const headOf = (version: string): string => JSON.stringify({ looked: 1, version });
