import type { RefusedBy } from '@unrut/engine/event';
import { isObject, type JsonObject, objectOf, parsed, textOf } from '@unrut/engine/json';
import type { ImportMoment, Returned } from '@unrut/reading/importer';
import { resultContent } from '@unrut/reading/message-content';
import { spentIn } from '@unrut/reading/response-cost';
import { returnedWith } from '@unrut/reading/returned-with';

/** Beginnings of the texts that Codex uses as the result of a call that did not run. */
const REFUSALS: readonly (readonly [beginning: string, by: RefusedBy])[] = [
  ['unsupported call: ', 'unknown-tool'],
  ['unsupported custom tool call: ', 'unknown-tool'],
  ['failed to parse function arguments', 'schema'],
  ['Command blocked by PreToolUse hook', 'host'],
  ['Tool call blocked by PreToolUse hook', 'host'],
  ['rejected by user approval settings', 'host'],
  ['approval policy is ', 'host'],
  ['approval required by policy', 'host'],
  ['exec command rejected by user', 'user'],
  ['patch rejected by user', 'user'],
  ['rejected by user', 'user'],
  ['aborted by user', 'user'],
];
/** Newer versions nest the reason in an error about starting the command. */
const NESTED =
  /^exec_command failed for `[\s\S]{0,65536}?`: CreateProcess \{ message: "Rejected\(\\*"([^"\\]{1,300})/;
const VERIFICATION = 'apply_patch verification failed';

/** The outcome of a call, by the output that the model sees. */
export function codexResult(output: unknown): Returned {
  if (output === undefined || output === null) return {};
  if (typeof output === 'string') return output.startsWith('{') ? inJson(output) : inText(output);
  if (isObject(output) && 'success' in output)
    return { result: output.content, ...(output.success === false ? { error: true } : {}) };
  return (
    ofScript(output) ?? {
      result: resultContent(Array.isArray(output) ? output.map(asText) : output),
    }
  );
}

/** The header of a script's result in code mode. */
const SCRIPT =
  /^Script (completed|failed|terminated|running)[^\n]*\n(?:Wall time [^\n]*\n)?(?:Output:\n)?/;

function ofScript(output: unknown): Returned | undefined {
  const texts = Array.isArray(output)
    ? output.map((part) =>
        isObject(part) && part.type === 'input_text' ? textOf(part.text) : undefined,
      )
    : [];
  const ended = texts.includes(undefined) ? null : SCRIPT.exec(texts[0] ?? '');
  if (!ended) return undefined;
  const shown = [texts[0]!.slice(ended[0].length), ...texts.slice(1)]
    .filter((text) => text !== '')
    .join('\n');
  return ended[1] === 'failed'
    ? { result: shown, error: true }
    : shown.startsWith('{')
      ? inJson(shown)
      : { result: shown };
}

const asText = (part: unknown): unknown =>
  isObject(part) && part.type === 'input_text' ? { type: 'text', text: part.text } : part;

/**
 * `{"output": …, "metadata": {"exit_code": …, "duration_seconds": …}}` in versions up to 2025; in
 * code mode, a command's result as the script sees it.
 */
function inJson(text: string): Returned {
  const json = parsed(text);
  const metadata = isObject(json)
    ? (json.metadata ?? (typeof json.exit_code === 'number' ? json : undefined))
    : undefined;
  if (!isObject(json) || !isObject(metadata)) return { result: text };
  const { exit_code: exitCode, duration_seconds: seconds = metadata.wall_time_seconds } = metadata;
  return returnedWith({
    result: json.output,
    exitCode,
    durationMs: typeof seconds === 'number' ? Math.round(seconds * 1000) : undefined,
  });
}

/**
 * Names of the header lines before a command's output, in any order. Their values vary from run to
 * run, or are stored separately.
 */
const HEADER =
  /^(?:Chunk ID|Wall time|Process exited with code|Exit code|Original token count|Total output lines)\b:? ?(-?[\d.]*)/;
/** Versions 0.118 to 0.120 repeat the command, possibly on several lines. */
const COMMAND =
  /(?:^|(?<=\n))Command: [\s\S]*?\n(?=(?:Chunk ID|Wall time|Process |Exit code|Original token count|Total output lines)\b|Output:\n)/;
/** Without the command. */
const MAX_HEADER_LENGTH = 400;
const MAX_COMMAND_LENGTH = 65_536;
const PRINTED = '\nOutput:\n';
/** The result while a command is still running; a later `write_stdin` call returns the rest. */
const RUNNING = /^Process running with session ID \d+$/m;

function inText(text: string): Returned {
  const { lines, printed } = headerOf(text);
  if (!HEADER.test(lines[0] ?? '')) {
    const refusedBy = refusalIn(text);
    return {
      result: text,
      ...(refusedBy || text.startsWith(VERIFICATION) ? { error: true } : {}),
      ...(refusedBy ? { refusedBy } : {}),
    };
  }
  const returned: Returned = {};
  const kept: string[] = [];
  for (const line of lines) {
    const value = Number(HEADER.exec(line)?.[1]);
    if (/^(?:Process exited|Exit code)/.test(line)) returned.exitCode = value;
    else if (line.startsWith('Wall time')) returned.durationMs = Math.round(value * 1000);
    else if (!HEADER.test(line)) kept.push(line);
  }
  return { result: [...kept, printed].join('\n'), ...returned };
}

/** Who rejected the call; undefined if it ran. */
function refusalIn(text: string): RefusedBy | undefined {
  const nested = NESTED.exec(text)?.[1];
  const reason = nested ?? text;
  const known = REFUSALS.find(([beginning]) => reason.startsWith(beginning))?.[1];
  return known ?? (nested === undefined ? undefined : 'host');
}

/** The header lines before a command's output, without the command, and the output. */
function headerOf(text: string): { lines: string[]; printed: string } {
  const head = text.slice(0, MAX_COMMAND_LENGTH);
  const found = HEADER.test(text) || text.startsWith('Command: ') ? COMMAND.exec(head) : null;
  const command = found && !head.slice(0, found.index).includes(PRINTED) ? found : null;
  const bare = command
    ? text.slice(0, command.index) + text.slice(command.index + command[0].length)
    : text;
  const end = bare.slice(0, MAX_HEADER_LENGTH).indexOf(PRINTED);
  return end < 0
    ? { lines: [], printed: text }
    : { lines: bare.slice(0, end).split('\n'), printed: bare.slice(end + PRINTED.length) };
}

/**
 * The outcome of a call, from its output and from a separate event about its end. The end of a
 * running command belongs to the call that waits for it.
 */
export function codexReturned(output: unknown, ended: Returned = {}): Returned {
  const returned = codexResult(output);
  if (returned.exitCode === undefined && RUNNING.test(textOf(returned.result).slice(0, 200)))
    return returned;
  return { ...ended, ...returned };
}

/** The cost of a response, by Codex's own counts. */
export const codexCost = (usage: unknown): ImportMoment['cost'] =>
  spentIn(usage, { input: 'input_tokens', cached: 'cached_input_tokens', output: 'output_tokens' });

/** A separate event about the end of a call: its id and outcome. */
export function codexEnd(item: JsonObject): [id: string, ended: Returned] {
  const { exit_code: exitCode, status, success } = item;
  const { secs, nanos = 0 } = objectOf(item.duration);
  const { Err: failure, Ok: answer } = objectOf(item.result);
  const isBad = failure !== undefined || objectOf(answer).isError === true;
  const ended = returnedWith({
    exitCode,
    durationMs:
      typeof secs === 'number' ? secs * 1000 + Math.round(Number(nanos) / 1e6) : undefined,
    error:
      (status === 'failed' && exitCode === undefined) || success === false || isBad
        ? true
        : undefined,
    refusedBy: status === 'declined' ? 'user' : undefined,
  });
  return [textOf(item.call_id) || textOf(item.id), ended];
}
