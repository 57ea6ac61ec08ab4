import { isObject, parsed, textOf } from '@unrut/engine/json';
import type { Returned } from '@unrut/reading/importer';
import { returnedWith } from '@unrut/reading/returned-with';

const MAX_LENGTH = 262_144;
/** The messages of its tool registry, and of its main loop. */
const UNKNOWN_TOOL = /^(?:Unknown tool: |Tool '[^'\n]{1,200}' does not exist\. Available tools: )/;

/**
 * The result of a tool: mostly JSON text, `{"output", "exit_code", "error"}` for commands and
 * `{"error"}` for failures.
 */
export function hermesResult(result: unknown, status?: unknown): Returned {
  const text = textOf(result);
  const told = text.length <= MAX_LENGTH && /^\s*\{/.test(text) ? parsed(text) : undefined;
  const { output, exit_code: exitCode, error } = isObject(told) ? told : {};
  const isUnknown = UNKNOWN_TOOL.test(textOf(error) || text);
  const isFailed = textOf(error) !== '' || status === 'error' || isUnknown;
  return returnedWith({
    result: typeof output === 'string' && output !== '' ? output : (result ?? ''),
    exitCode,
    error: isFailed ? true : undefined,
    refusedBy: isUnknown ? 'unknown-tool' : undefined,
  });
}
