import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { KeyScope, LedgerKeys, StoredKey } from '@unrut/ledger/api-key';
import type { Ledger } from '@unrut/ledger/ledger';
import { remembered } from './remembered.ts';

/** Random enough that a slow hash would add no security. */
const SECRET_BYTES = 32;
const ID_BYTES = 6;
const KEY = /^unrut_([0-9a-f]{12})_[\w-]{43}$/;

/** The request for a new key. */
export interface WantedKey extends Pick<StoredKey, 'name' | 'scopes' | 'expires'> {}

/** Creates a key: the text, which its owner sees once, and the stored form. */
export function makeKey(
  { name, scopes, expires }: WantedKey,
  created: number,
): { key: string; stored: StoredKey } {
  const id = randomBytes(ID_BYTES).toString('hex');
  const key = `unrut_${id}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  return {
    key,
    stored: { id, name, hash: tokenDigest(key).toString('hex'), scopes, created, expires },
  };
}

/** The id in a key; undefined for any other text. */
export const keyIdIn = (bearer: string): string | undefined => KEY.exec(bearer)?.[1];

/** Whether a key can still be used. */
export const isValid = (
  { revoked, expires = Number.POSITIVE_INFINITY }: StoredKey,
  now: number,
): boolean => revoked === undefined && now < expires;

/**
 * Returns the scopes of a caller; empty if the key is unknown. Throws if the keys cannot be read.
 */
export type Caller = (bearer: string) => Promise<readonly KeyScope[]>;

/** The credentials that requests need. */
export interface KeysNeeded {
  /** Requests must carry this token as `Authorization: Bearer …`, or a key of the ledger. */
  token?: string | undefined;
  /** Requests must carry a key of the ledger, or the token. Default: only if there is a token. */
  needsKey?: boolean;
}

/** The callers that a server accepts. */
interface CallerOptions {
  /** The token of a single-user server: allows everything. */
  token?: string | undefined;
  keys?: LedgerKeys | undefined;
  now?: () => number;
}

/** The reason why a key is invalid; undefined if it is valid. Updates its last use once an hour. */
export function whyNotKey(
  stored: StoredKey,
  bearer: string,
  now: number,
  used: (at: number) => Promise<void>,
): string | undefined {
  if (!timingSafeEqual(Buffer.from(stored.hash, 'hex'), tokenDigest(bearer))) return 'wrong-secret';
  if (!isValid(stored, now)) return stored.revoked === undefined ? 'expired' : 'revoked';
  if (now - (stored.lastUsed ?? 0) >= HOUR) {
    stored.lastUsed = now;
    used(now).catch(() => undefined);
  }
  return undefined;
}

/** Milliseconds for which the ledger's keys are cached; a revoked key may work for that long. */
const REMEMBERED = 2000;
const HOUR = 3_600_000;
const ALL: readonly KeyScope[] = ['admin'];
const NONE: readonly KeyScope[] = [];

/** Creates the check of callers; undefined if everybody on this machine is allowed. */
export const callerFor = ({
  token,
  needsKey = false,
  ledger,
}: KeysNeeded & { ledger: Pick<Ledger, 'keys'> }): Caller | undefined =>
  token === undefined && !needsKey ? undefined : createCaller({ token, keys: ledger.keys });

/** Identifies callers by the token, or by a key in the ledger. */
export function createCaller({ token, keys, now = Date.now }: CallerOptions): Caller {
  const expected = token === undefined ? undefined : tokenDigest(token);
  const listed = remembered(REMEMBERED, 1, () => keys!.list());

  async function scopesOf(key: string, id: string): Promise<readonly KeyScope[]> {
    const found = (await listed('')).find((each) => each.id === id);
    return found && whyNotKey(found, key, now(), (at) => keys!.used(id, at)) === undefined
      ? found.scopes
      : NONE;
  }

  return async (bearer) => {
    if (expected && timingSafeEqual(expected, tokenDigest(bearer))) return ALL;
    const id = keys ? keyIdIn(bearer) : undefined;
    return id === undefined ? NONE : scopesOf(bearer, id);
  };
}

/** Whether these scopes include the required one. */
export const mayDo = (scopes: readonly KeyScope[], needed: KeyScope): boolean =>
  scopes.includes(needed) || scopes.includes('admin');

/** Hashes a secret, so that comparisons reveal nothing about it. */
export const tokenDigest = (text: string): Buffer => createHash('sha256').update(text).digest();
