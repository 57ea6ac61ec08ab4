/** By its words a model can tell what Unrut does. */
const WORDS: Readonly<Record<string, RegExp>> = {
  note: /\bUnrut \(loop guard\): /,
  hint: /\bUnrut \(loop guard\) again: /,
  block: /\bUnrut \(loop guard\) did not run /,
  escalate: /\bUnrut \(loop guard\) (?:has recorded this|asks a human to look at this)/,
  report: /\bUnrut \(loop guard\) is about to stop this run/,
};

/** The rungs of what Unrut says in these texts. */
export const heardIn = (texts: readonly string[]): string[] =>
  Object.keys(WORDS).filter((rung) => texts.some((text) => WORDS[rung]!.test(text)));
