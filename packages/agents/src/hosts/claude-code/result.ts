import type { RefusedBy } from '@unrut/engine/event';
import { isObject, objectOf, textOf } from '@unrut/engine/json';
import type { Returned } from '@unrut/reading/importer';
import { resultContent } from '@unrut/reading/message-content';
import { returnedWith } from '@unrut/reading/returned-with';

/** Beginnings of the texts that Claude Code uses as the result of a call that did not run. */
const REFUSALS: readonly (readonly [beginning: string, by: RefusedBy])[] = [
  ["The user doesn't want to proceed with this tool use", 'user'],
  ["The user doesn't want to take this action right now", 'user'],
  ['[Request interrupted by user', 'user'],
  ['InputValidationError', 'schema'],
  ['Error: No such tool available', 'unknown-tool'],
  ['Claude requested permissions to ', 'host'],
  ['Permission to use ', 'host'],
  ['This command requires approval', 'host'],
  ['PreToolUse:', 'host'],
  ['Hook PreToolUse:', 'host'],
  ['Cancelled: parallel tool call', 'host'],
  ['Sibling tool call errored', 'host'],
];
const BLOCKED = /^\w+ operation blocked by hook/;
const EXIT = /^(?:Error: )?Exit code (\d{1,3})(?:\n|$)/;
const TAG = '<tool_use_error>';
/** Longer than any beginning above. */
const BEGINNING = 100;

/**
 * The outcome of a call, from the result that the model sees. If the host does not flag failures
 * (`isError` undefined), the text decides.
 */
export function claudeCodeResult(content: unknown, isError?: boolean): Returned {
  const returned: Returned =
    content === undefined || content === null ? {} : { result: resultContent(content) };
  if (isError === false) return { ...returned, error: false };
  const said = beginningOf(content);
  const bare = said.startsWith(TAG) ? said.slice(TAG.length) : said;
  const refusedBy =
    REFUSALS.find(([beginning]) => bare.startsWith(beginning))?.[1] ??
    (BLOCKED.test(bare) ? 'host' : undefined);
  const exit = EXIT.exec(said)?.[1];
  if (refusedBy !== undefined) returned.refusedBy = refusedBy;
  if (exit !== undefined) returned.exitCode = Number(exit);
  if (isError || refusedBy !== undefined || exit !== undefined || bare !== said)
    returned.error = true;
  return returned;
}

function beginningOf(content: unknown): string {
  const first: unknown = Array.isArray(content) ? content[0] : content;
  return textOf(isObject(first) ? first.text : first).slice(0, BEGINNING);
}

/**
 * Claude Code's data about a call besides the model's result: its permission decision, and the
 * tool's own result.
 */
export function besideResult(decision: unknown, toolResult: unknown): Returned {
  const { decision: decided, source } = objectOf(decision);
  const { durationMs, totalDurationMs } = objectOf(toolResult);
  const by = textOf(source).startsWith('user') ? 'user' : 'host';
  return returnedWith({
    durationMs: durationMs ?? totalDurationMs,
    refusedBy: decided === 'reject' ? by : undefined,
  });
}

/**
 * The id of the background command or agent that a call started, from the transcript's metadata.
 */
export function startedTask(toolResult: unknown): string | undefined {
  const { backgroundTaskId, isAsync, agentId } = objectOf(toolResult);
  return textOf(backgroundTaskId) || (isAsync === true && textOf(agentId)) || undefined;
}
