/** What is known of one iteration's output. */
export interface OutputPrint {
  /** The core action or error; equal signatures are the same outcome. */
  signature: string;
  /** Redacted, head and tail of at most 4,096 characters, for comparing. */
  text: string;
  /** How many failures it reports, where it says. */
  failures: number | null;
}
