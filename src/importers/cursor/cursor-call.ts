import { isObject, type JsonObject, parsed, textOf } from '../../json.ts';
import type { Returned } from '../importer.ts';

/** Outcomes that are no failure. */
const GOOD = new Set(['success', 'complete', 'stillRunning', 'registered', 'approved', 'async', 'needsConfirmation']);

/** A call as Cursor's stream writes it: the tool is the name of the field that holds it, `shellToolCall` for example. */
export function cursorCall(call: JsonObject): { tool: string; args: unknown; returned: Returned } {
  if (isObject(call.function)) {
    const { name, arguments: args, result } = call.function;
    return { tool: textOf(name), args: parsed(args), returned: outcomeOf(result) };
  }
  const field = Object.keys(call).find((key) => key.endsWith('ToolCall') && isObject(call[key])) ?? '';
  const { args, result } = (call[field] ?? {}) as JsonObject;
  const returned = outcomeOf(result);
  if (field === 'mcpToolCall' && isObject(args)) return { tool: textOf(args.toolName) || textOf(args.name), args: args.args, returned };
  return { tool: field.slice(0, -'ToolCall'.length), args, returned };
}

/** A result is held by the name of its outcome. */
function outcomeOf(result: unknown): Returned {
  if (!isObject(result)) return result === undefined ? {} : { result };
  const outcome = Object.keys(result)[0] ?? 'success';
  const told = result[outcome];
  const { exitCode, isError } = isObject(told) ? told : {};
  const exit = typeof exitCode === 'number' ? { exitCode } : {};
  const isGood = GOOD.has(outcome) && isError !== true;
  // Nobody is there to be asked: it is Cursor that rejects.
  const refusedBy = outcome === 'rejected' ? 'host' : outcome === 'toolNotFound' ? 'unknown-tool' : undefined;
  return { result: wordsOf(told), ...(isGood ? {} : { error: true }), ...exit, ...(refusedBy ? { refusedBy } : {}) };
}

/** The text in it that the model is shown; all of it, when that cannot be told. */
function wordsOf(told: unknown): unknown {
  if (!isObject(told)) return told;
  const { interleavedOutput, stdout, stderr, content, modelVisibleError, errorMessage, error, reason, message } = told;
  if (typeof interleavedOutput === 'string') return interleavedOutput;
  if (typeof stdout === 'string' || typeof stderr === 'string') return `${textOf(stdout)}${textOf(stderr)}`;
  return [content, modelVisibleError, errorMessage, error, reason, message].find((text) => typeof text === 'string' && text !== '') ?? told;
}
