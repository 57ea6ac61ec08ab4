import { isObject, type JsonObject, listOf, objectOf, textOf } from '@unrut/engine/json';
import type { Returned } from './importer.ts';
import { resultContent } from './message-content.ts';
import { returnedWith } from './returned-with.ts';

/**
 * A tool call of the Agent Client Protocol as it is known after one more update: agents show it
 * before its arguments are known, and complete it bit by bit.
 */
export function acpShown(before: JsonObject, update: JsonObject): JsonObject {
  const told = Object.entries(update).filter(
    ([name, value]) => value !== null && (name !== 'rawInput' || hasFields(value)),
  );
  return { ...before, ...Object.fromEntries(told) };
}

/**
 * The tool and arguments of a call. A tool whose kind is generic is identified by its title, and so
 * is a call whose input is not shown.
 */
export function acpCall({ name, kind, title, rawInput }: JsonObject): {
  tool: string;
  args: unknown;
} {
  const own = textOf(kind) === 'other' ? '' : textOf(kind);
  return {
    tool: textOf(name) || own || textOf(title) || 'unknown',
    args: hasFields(rawInput) ? rawInput : textOf(title) === '' ? {} : { title },
  };
}

const hasFields = (value: unknown): boolean => isObject(value) && Object.keys(value).length > 0;

/**
 * The result of a call that has ended. A command may be `completed` and still have failed: the
 * agent then reports its exit code.
 */
export function acpReturned({ status, rawOutput, content }: JsonObject): Returned {
  const raw = objectOf(rawOutput);
  const { metadata } = raw;
  const exitCode = [objectOf(metadata).exit, raw.exitCode, raw.exit_code].find(
    (each) => typeof each === 'number',
  );
  const output =
    (typeof rawOutput === 'string' ? rawOutput : raw.output) ?? shownIn(content) ?? rawOutput;
  return returnedWith({
    result: output ?? undefined,
    exitCode,
    error: status === 'failed' ? true : undefined,
  });
}

/** The content of a call as an editor shows it; undefined if there is none. */
function shownIn(content: unknown): unknown {
  const parts = listOf(content)
    .filter(isObject)
    .flatMap((part) =>
      part.type === 'content' ? [part.content] : part.type === 'diff' ? [JSON.stringify(part)] : [],
    )
    .map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : part));
  if (parts.length === 0) return undefined;
  return parts.every((part) => typeof part === 'string') ? parts.join('\n') : resultContent(parts);
}
