/** Why a call of ours does not work. */
export interface Fault {
  what: string;
  /** What to do about it. Missing: connecting the agent again mends it. */
  todo?: string;
}
