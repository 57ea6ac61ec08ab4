/** Where Claude Code says how it was started; only the first is a person at a terminal. */
const BY_PERSON: ReadonlySet<string> = new Set(['cli', 'claude-vscode', 'claude-desktop']);

/** Whether a person can be asked, as far as the environment of a hook tells. Where it tells nothing, somebody is taken to be there. */
export function isAttended({ CLAUDE_CODE_ENTRYPOINT: entry, CI: onServer }: Readonly<Record<string, string | undefined>>): boolean {
  if (onServer !== undefined && onServer !== '' && onServer !== 'false' && onServer !== '0') return false;
  return entry === undefined || entry === '' || BY_PERSON.has(entry);
}
