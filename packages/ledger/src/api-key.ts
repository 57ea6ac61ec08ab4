/** The scopes of a key. `admin` includes the other two. */
export const KEY_SCOPES = ['ingest', 'read', 'admin'] as const;

export type KeyScope = (typeof KEY_SCOPES)[number];

/** A stored key: enough to recognise the key, but not to use it. Times are epoch milliseconds. */
export interface StoredKey {
  /** The public part of the key, used to name it in lists and logs. */
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

/** The keys of a server on this ledger. `forget` and retention do not delete them. */
export interface LedgerKeys {
  add(key: StoredKey): Promise<void>;
  /** The oldest first. */
  list(): Promise<StoredKey[]>;
  /** False if there is no valid key with this id. */
  revoke(id: string, at: number): Promise<boolean>;
  used(id: string, at: number): Promise<void>;
}
