/** Options of `unrut mcp` that are followed by a value. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  '--url',
  '--listen',
  '--header',
  '--session-header',
  '--notes',
  '--name',
]);

/**
 * Where the server's command begins: at the first word that is no option of ours, or at `--` before
 * it.
 */
export function commandStart(words: readonly string[]): number {
  let at = 0;
  while (at < words.length && words[at] !== '--' && words[at]!.startsWith('-'))
    at += WITH_VALUE.has(words[at]!) ? 2 : 1;
  return Math.min(at, words.length);
}
