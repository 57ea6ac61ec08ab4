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

/** Max number of waiting requests, so that an overloaded machine's disk does not fill up. */
const MAX_FILES = 1000;
const MAX_LENGTH = 1 << 20;
/**
 * Milliseconds after which a claimed request counts as not recorded, and after which a request
 * expires.
 */
const MAX_TAKEN = 60_000;
const MAX_AGE = 86_400_000;

/** The folder of requests that hooks had no time to record. */
const placeIn = (folder: string): string => join(folder, 'hook-pending');

/**
 * Stores a request for the next hook, with its secrets masked. False if that fails. Never throws.
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

/** Fields with names and ids: they are never secret and must not be masked. */
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
 * Passes the stored requests to `record`, oldest first; it returns whether it succeeded. Never
 * throws.
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
    // The folder does not exist, or another process was faster.
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

/** A stored request; undefined if it is damaged or too old. */
function readRequest(path: string): HookRequest | undefined {
  const request = parsed(readFileSync(path, 'utf8'));
  if (!isObject(request) || typeof request.input !== 'string' || typeof request.at !== 'number')
    return undefined;
  return Date.now() - request.at < MAX_AGE ? (request as unknown as HookRequest) : undefined;
}
