/** By its words a model can tell what Unrut does. */
const WORDS: Readonly<Record<string, RegExp>> = {
  note: /\bNote: .* (times|consecutive)\b/,
  hint: /This is (still going on|not getting anywhere): /,
  block: /This call was not run: /,
  escalate: /This was reported: |A person is being asked to look at this: /,
};

/** The rungs of what Unrut says in these texts. */
export const heardIn = (texts: readonly string[]): string[] =>
  Object.keys(WORDS).filter((rung) => texts.some((text) => WORDS[rung]!.test(text)));
