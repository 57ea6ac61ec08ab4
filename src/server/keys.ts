import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { KeyScope, LedgerKeys, StoredKey } from '../ledger/api-key.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { remembered } from './remembered.ts';

/** Bits that nobody guesses, so that a slow hash would add nothing. */
const SECRET_BYTES = 32;
const ID_BYTES = 6;
const KEY = /^unrut_([0-9a-f]{12})_[\w-]{43}$/;

/** What somebody wants a key for. */
export interface WantedKey extends Pick<StoredKey, 'name' | 'scopes' | 'expires'> {}

/** A new key: what its owner is told once, and what is kept. */
export function makeKey({ name, scopes, expires }: WantedKey, created: number): { key: string; stored: StoredKey } {
  const id = randomBytes(ID_BYTES).toString('hex');
  const key = `unrut_${id}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  return { key, stored: { id, name, hash: digest(key).toString('hex'), scopes, created, ...(expires === undefined ? {} : { expires }) } };
}

/** The id in a key; nothing in any other text. */
export const keyIdIn = (bearer: string): string | undefined => KEY.exec(bearer)?.[1];

/** Whether a key can still be used. */
export const isValid = ({ revoked, expires = Number.POSITIVE_INFINITY }: StoredKey, now: number): boolean =>
  revoked === undefined && now < expires;

/** What somebody who asks may do; nothing where nobody knows him. Throws where that cannot be found out. */
export type Caller = (bearer: string) => Promise<readonly KeyScope[]>;

export interface CallerOptions {
  /** Of a server for one person: may do everything. */
  token?: string | undefined;
  keys?: LedgerKeys | undefined;
  now?: () => number;
}

/** Who may ask a server. */
export interface CallersOptions {
  token?: string | undefined;
  /** Every request must carry a key of the ledger, or the token. Default: only where there is a token. */
  needsKey?: boolean;
  ledger: Pick<Ledger, 'keys'>;
}

/** Milliseconds for which the ledger's keys are remembered: a key that is revoked works no longer than that. */
const REMEMBERED = 2000;
const HOUR = 3_600_000;
const ALL: readonly KeyScope[] = ['admin'];
const NONE: readonly KeyScope[] = [];

/** By whom requests may come; nothing where anybody on this machine may ask. */
export const callerFor = ({ token, needsKey = false, ledger }: CallersOptions): Caller | undefined =>
  token === undefined && !needsKey ? undefined : createCaller({ token, keys: ledger.keys });

/** Knows callers by the token, or by a key in the ledger. */
export function createCaller({ token, keys, now = Date.now }: CallerOptions): Caller {
  const expected = token === undefined ? undefined : digest(token);
  const listed = remembered(REMEMBERED, 1, () => keys!.list());

  async function scopesOf(key: string, id: string): Promise<readonly KeyScope[]> {
    const found = (await listed('')).find((each) => each.id === id);
    if (!found || !isValid(found, now()) || !timingSafeEqual(Buffer.from(found.hash, 'hex'), digest(key))) return NONE;
    if (now() - (found.lastUsed ?? 0) >= HOUR) {
      found.lastUsed = now();
      keys!.used(id, found.lastUsed).catch(() => undefined);
    }
    return found.scopes;
  }

  return async (bearer) => {
    if (expected && timingSafeEqual(expected, digest(bearer))) return ALL;
    const id = keys ? keyIdIn(bearer) : undefined;
    return id === undefined ? NONE : scopesOf(bearer, id);
  };
}

/** Whether somebody with these scopes may do what needs this one. */
export const mayDo = (scopes: readonly KeyScope[], needed: KeyScope): boolean => scopes.includes(needed) || scopes.includes('admin');

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
