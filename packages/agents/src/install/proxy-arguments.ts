/** Options of `unrut mcp` with a value. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  '--url',
  '--listen',
  '--header',
  '--session-header',
  '--notes',
  '--name',
]);

/** The start of the server's command: the first word that is not our option, or after `--`. */
export function commandStart(words: readonly string[]): number {
  let at = 0;
  while (at < words.length && words[at] !== '--' && words[at]!.startsWith('-'))
    at += WITH_VALUE.has(words[at]!) ? 2 : 1;
  return Math.min(at, words.length);
}
