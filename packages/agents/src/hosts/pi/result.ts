import { isObject, type JsonObject, objectOf, parsed, textOf } from '@unrut/engine/json';
import { withoutExitLine } from '@unrut/reading/exit-line';
import type { Returned } from '@unrut/reading/importer';
import { contentBlocks } from '@unrut/reading/message-content';
import { returnedWith } from '@unrut/reading/returned-with';

/** The text of a message, without images. */
export const wordsIn = (content: unknown): string =>
  contentBlocks(content)
    .filter(({ type }) => type === 'text')
    .map(({ text }) => textOf(text))
    .join('\n');

/**
 * The end of a failed command's result, in pi, OpenClaw, and OpenClaw's background commands.
 * Commands without output get a placeholder.
 */
const EXIT = /(?:^\(no output\))?\s*Command exited with code (\d+)$/;
const IN_BRACKETS = /(?:^\(no output\))?\s*\(Command exited with code (\d+)\)\s*$/;
const BACKGROUND = /\s*Process exited with (?:code (\d+)|signal \S+?)\.?\s*$/;
/** OpenClaw's answer if it does not know a background command. */
const NO_SESSION = /^No (?:active |finished )?session found for /;
const MAX_STATUS_LENGTH = 65_536;

/** The result of a call, as pi and OpenClaw store it and pass it to extensions. */
export function piResult({ content, isError, toolName, details }: JsonObject): Returned {
  const said = wordsIn(content);
  const exit =
    isError === true
      ? EXIT
      : toolName === 'process'
        ? BACKGROUND
        : toolName === 'exec' || toolName === 'bash'
          ? IN_BRACKETS
          : undefined;
  const { result, exitCode } = exit ? withoutExitLine(said, exit) : { result: said };
  const { status, exitCode: told } = objectOf(details);
  // A command without an exit code was ended by a signal.
  const isKilled = Number.isNaN(exitCode);
  const isGone = toolName === 'process' && NO_SESSION.test(said);
  const isFailed =
    isError === true ||
    isKilled ||
    isGone ||
    status === 'error' ||
    status === 'failed' ||
    tellsError(said);
  // OpenClaw does not flag failed commands, nor checks of background commands.
  const isFine = isError === false && !exitCode && !told && toolName !== 'process';
  return returnedWith({
    result,
    exitCode: isKilled ? undefined : (exitCode ?? told),
    error: isFailed ? true : isFine ? false : undefined,
    refusedBy: isError === true ? refuser(said) : undefined,
  });
}

/** OpenClaw's tools return `{"status": "error", "tool": …, "error": …}` without a flag. */
export function tellsError(text: string): boolean {
  if (!/^\s*\{/.test(text) || text.length > MAX_STATUS_LENGTH) return false;
  const told = parsed(text);
  return isObject(told) && told.status === 'error' && ('tool' in told || 'error' in told);
}

function refuser(message: string): Returned['refusedBy'] {
  if (message.startsWith('Validation failed for tool ')) return 'schema';
  if (/^Tool \S+ not found$/.test(message)) return 'unknown-tool';
  return message === 'Tool execution was blocked' ? 'host' : undefined;
}
