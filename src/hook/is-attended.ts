const NO = new Set(['', '0', 'false']);

/** Whether a person can be asked, as far as the environment of a hook tells. Where it tells nothing, somebody is taken to be there. */
export function isAttended({
  UNRUT_ATTENDED: said = '',
  CLAUDE_CODE_ENTRYPOINT: entry = '',
  CI: onServer = '',
}: Readonly<Record<string, string | undefined>>): boolean {
  if (said !== '') return !NO.has(said.toLowerCase());
  // Claude Code says `sdk-cli` when it was started with -p, and `sdk-ts` or `sdk-py` when a program started it.
  return NO.has(onServer.toLowerCase()) && !entry.startsWith('sdk');
}
