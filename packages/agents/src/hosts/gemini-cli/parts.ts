import type { RefusedBy } from '@unrut/engine/event';
import { isObject, type JsonObject, textOf } from '@unrut/engine/json';
import type { Returned } from '@unrut/reading/importer';
import { resultContent } from '@unrut/reading/message-content';

/** The parts of a Gemini API content: a text, a part, or a list of either. */
export function geminiParts(content: unknown): JsonObject[] {
  const list = Array.isArray(content) ? content : [content];
  return list.map((part) => (typeof part === 'string' ? { text: part } : part)).filter(isObject);
}

/** The text of parts, without thoughts. */
export const textOfParts = (parts: readonly JsonObject[]): string =>
  parts
    .filter((part) => part.thought !== true)
    .map((part) => textOf(part.text))
    .join('');

/** Beginnings of the texts used as the result of a call that did not run. */
const REFUSALS: readonly (readonly [beginning: RegExp, by: RefusedBy])[] = [
  [/^Tool "[^"]*" not found/, 'unknown-tool'],
  [/^params(?:\/\S*)? must /, 'schema'],
  [
    /^Tool execution (?:blocked:|denied by policy|for "[^"]*" denied)|^Agent execution stopped by hook/,
    'host',
  ],
  [/^\[Operation Cancelled\]|^User rejected this operation/, 'user'],
];
const KINDS: Record<string, RefusedBy> = {
  tool_not_registered: 'unknown-tool',
  invalid_tool_params: 'schema',
  execution_denied: 'host',
};
const EXIT = '\nExit Code: ';

/**
 * The outcome of a call, from the parts that the model sees. `errorType` is the host's name for the
 * error.
 */
export function geminiResult(
  parts: readonly JsonObject[],
  status?: unknown,
  errorType?: unknown,
): Returned {
  const answer = parts.find((part) => isObject(part.functionResponse))?.functionResponse as
    | JsonObject
    | undefined;
  const response = isObject(answer?.response) ? answer.response : {};
  const whole =
    response.error ?? response.output ?? (Object.keys(response).length > 0 ? response : undefined);
  const isShell = answer?.name === 'run_shell_command';
  const said = isShell && typeof whole === 'string' ? printedBy(whole) : whole;
  const pictures = parts.map((part) => part.inlineData).filter(isObject);
  const returned: Returned = {};
  if (pictures.length > 0)
    returned.result = resultContent([
      { type: 'text', text: said },
      ...pictures.map((data) => ({ ...data, type: 'image' })),
    ]);
  else if (said !== undefined) returned.result = said;
  if (response.error !== undefined || status === 'error' || status === 'cancelled') {
    returned.error = true;
    const text = textOf(said).slice(0, 200);
    const refusedBy =
      KINDS[textOf(errorType)] ?? REFUSALS.find(([beginning]) => beginning.test(text))?.[1];
    if (refusedBy !== undefined) returned.refusedBy = refusedBy;
  }
  const exit = isShell ? exitCode(textOf(whole)) : undefined;
  return exit === undefined ? returned : { ...returned, exitCode: exit };
}

/** Qwen Code adds the command and its ending around the output. */
const LISTED =
  /^Command: [\s\S]*?\nDirectory: [^\n]*\nOutput: ([\s\S]*)\nError: ([\s\S]*)\nExit Code: [^\n]*\nSignal: [^\n]*(?:\n[A-Z][\w ]*: [^\n]*)*$/;
const NOTHING = new Set(['(empty)', '(none)', '']);

/** A command's output, without the lines that Gemini CLI adds. */
function printedBy(text: string): string {
  const listed = LISTED.exec(text);
  if (listed)
    return listed
      .slice(1)
      .filter((part) => !NOTHING.has(part))
      .join('\n');
  const [, inside] = /^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>\s*$/.exec(text) ?? [];
  if (inside === undefined || !inside.startsWith('Output: ')) return text;
  const printed = inside
    .slice('Output: '.length)
    .replace(/(?:\n(?:Exit Code|Process Group PGID): \d+)+$/, '');
  return printed === '(empty)' ? '' : printed;
}

function exitCode(text: string): number | undefined {
  const at = text.lastIndexOf(EXIT);
  const code =
    at < 0 ? Number.NaN : Number.parseInt(text.slice(at + EXIT.length, at + EXIT.length + 8), 10);
  return Number.isNaN(code) ? undefined : code;
}
