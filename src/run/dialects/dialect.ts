/** What one line of an agent's own JSON tells. */
export interface Told {
  /** What the agent says; the last such text of a run is its answer. */
  says?: string;
  /** `says` goes on where the last one stopped. */
  isMore?: boolean;
  /** What it does, in a few words. */
  does?: string;
  /** Spent since the last line that told. */
  cost?: { tokens?: number; usd?: number };
  /** What the session has cost so far, in place of what was told before. */
  usdSoFar?: number;
  /** Why the agent gave up. */
  failed?: string;
}

/** The JSON of one agent: what a record tells, or nothing when it is not its own. */
export type Dialect = (record: { [key: string]: unknown }) => Told | undefined;
