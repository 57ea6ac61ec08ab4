/** What a key is for. `admin` may do all that the others may, and more. */
export const KEY_SCOPES = ['ingest', 'read', 'admin'] as const;

export type KeyScope = (typeof KEY_SCOPES)[number];

/**
 * A key as it is kept: who has it can be known by it, and nobody can be who reads it. Times are
 * epoch milliseconds.
 */
export interface StoredKey {
  /** Part of the key itself, so that it can be named without being told. */
  id: string;
  /** What people call it. */
  name: string;
  /** SHA-256 of the whole key, in hexadecimal. */
  hash: string;
  scopes: KeyScope[];
  created: number;
  expires?: number;
  revoked?: number;
  /** To the hour. */
  lastUsed?: number;
}

/** The keys of those who may ask a server on this ledger. They outlive `forget` and retention. */
export interface LedgerKeys {
  add(key: StoredKey): Promise<void>;
  /** The oldest first. */
  list(): Promise<StoredKey[]>;
  /** False where there is none that is still valid. */
  revoke(id: string, at: number): Promise<boolean>;
  used(id: string, at: number): Promise<void>;
}
