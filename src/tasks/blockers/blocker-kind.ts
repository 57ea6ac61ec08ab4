/** A kind of thing that blocks tasks, and what to try first. */
export interface BlockerKind {
  /** Kebab-case, as the file. */
  name: string;
  matches: RegExp;
  /** Ways around it, the most promising first, by a short name under which their outcomes are kept. */
  ways: Readonly<Record<string, string>>;
}
