/** Quotes any text as one word for a POSIX shell. */
export const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** The same, but quoted only if necessary. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word);
