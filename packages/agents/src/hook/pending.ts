import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isObject, parsed } from '@unrut/engine/json';
import { redact } from '@unrut/engine/redact/redact';
import type { HookRequest } from './hook-request.ts';

/** A machine that is too busy for its hooks must not run out of disk too. */
const MAX_FILES = 1000;
const MAX_LENGTH = 1 << 20;
/**
 * Milliseconds after which a request that somebody took to record it was not recorded, and after
 * which it says nothing any more.
 */
const MAX_TAKEN = 60_000;
const MAX_AGE = 86_400_000;

/** Where requests wait that no hook had the time to record. */
const placeIn = (folder: string): string => join(folder, 'hook-pending');

/**
 * Keeps a request for the next hook, with its secrets masked. False if that is not possible. Never
 * throws.
 */
export function keepForLater(folder: string, request: HookRequest): boolean {
  const place = placeIn(folder);
  const name = `${Date.now()}-${process.pid}`;
  const draft = join(place, `.${name}`);
  try {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    if (readdirSync(place).length >= MAX_FILES) return false;
    const input = JSON.stringify(masked(parsed(request.input)));
    const text = JSON.stringify({
      ...request,
      input,
      at: request.at ?? Date.now(),
      late: true,
    } satisfies HookRequest);
    if (text.length > MAX_LENGTH) return false;
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, join(place, name));
    return true;
  } catch {
    rmSync(draft, { force: true });
    return false;
  }
}

/** What hosts name things by is never a secret, and must stay what it is. */
const NAME = /(?:^|_)(?:ids?|name|type|event|cwd|path|timestamp|source)$|(?:Id|ID|Name|Type)$/;

const masked = (value: unknown, key = ''): unknown => {
  if (typeof value === 'string') return NAME.test(key) ? value : redact(value);
  if (Array.isArray(value)) return value.map((each) => masked(each, key));
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, masked(each, name)]))
    : value;
};

/** How many requests wait. */
export function countPending(folder: string): number {
  try {
    return readdirSync(placeIn(folder)).filter((name) => !name.startsWith('.')).length;
  } catch {
    return 0;
  }
}

/**
 * Records what waits, oldest first, by `record`, which says whether that succeeded. Never throws.
 */
export async function recordPending(
  folder: string,
  record: (request: HookRequest) => Promise<boolean>,
): Promise<void> {
  const place = placeIn(folder);
  try {
    for (const name of readdirSync(place).sort()) {
      const taken = join(place, `.${name.replace(/^\./, '')}`);
      if (name.startsWith('.') ? !isLeft(join(place, name)) : !take(join(place, name), taken))
        continue;
      const request = readRequest(taken);
      if (request && !(await record(request)))
        renameSync(taken, join(place, name.replace(/^\./, '')));
      else rmSync(taken, { force: true });
    }
  } catch {
    // There is no such folder, or somebody else was faster.
  }
}

function take(path: string, taken: string): boolean {
  try {
    renameSync(path, taken);
    return true;
  } catch {
    return false;
  }
}

const isLeft = (path: string): boolean =>
  Date.now() - (statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? Date.now()) > MAX_TAKEN;

/** A request as it was kept; nothing if it is damaged, or too old. */
function readRequest(path: string): HookRequest | undefined {
  const request = parsed(readFileSync(path, 'utf8'));
  if (!isObject(request) || typeof request.input !== 'string' || typeof request.at !== 'number')
    return undefined;
  return Date.now() - request.at < MAX_AGE ? (request as unknown as HookRequest) : undefined;
}
