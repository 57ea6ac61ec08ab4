/** What a result brought. */
export interface ResultPrint {
  /** False when the host gave no result: it equals another missing one, at half strength. */
  known: boolean;
  /** Equal digests are the same result, noise aside. */
  digest: string;
  /** How many times in a row this call has now brought this same result, this one included. */
  run: number;
  /** 0..1: the share that was never seen in this session. */
  novelty: number;
  /** Characters of text. */
  size: number;
  /** Says nothing: empty, no results. */
  empty: boolean;
  /** A bare acknowledgement: ok, done, created. */
  acknowledgement: boolean;
  error: ErrorPrint | null;
  /** Names a state of waiting: pending, queued, running. */
  pending: boolean;
  /** A quantity with direction is not what it was when this call was last made. */
  moved: boolean;
  /** How many failures it reports, where it says. */
  failures: number | null;
  /** The name of the way in which the call failed, one of `src/failures/`; null when it did not. */
  failure: string | null;
  /** It shows a page that lets nobody pass; null where it shows no page. */
  wall: boolean | null;
}

export interface ErrorPrint {
  /** Tool and kind of error, with paths, numbers and quoted values masked. */
  class: string;
  /** The kind in a few words, for a reader. */
  label: string;
  transient: boolean;
  /** The call itself was at fault, before any tool ran. */
  refusal: 'tool' | 'arguments' | null;
}
