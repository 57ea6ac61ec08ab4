import type { AgentEvent } from '@unrut/engine/event';
import { contentOf } from '@unrut/engine/fingerprint';
import { maskValue, redact } from '@unrut/engine/redact/redact';

/** Max displayed characters of a text, and how much of it is checked for secrets before cutting. */
const SHOWN = 600;
const LOOKED_AT = 6000;
const MAX_FIELDS = 12;

/** Tools that type into a page or window: the typed text is private. */
const TYPES =
  /(?:^|[^a-z])(?:type|fill|input|keys?|set_value|press_sequentially|send_keys)(?:[^a-z]|$)/i;
const TYPED = new Set(['text', 'value', 'values', 'content', 'keys', 'input_text', 'string']);

/** The beginning of a text, redacted before it is cut. */
export function excerpt(text: string, longest = SHOWN): string {
  const masked = redact(text.slice(0, LOOKED_AT)).trimEnd();
  return masked.length <= longest && text.length <= LOOKED_AT
    ? masked
    : `${masked.slice(0, longest).trimEnd()} …`;
}

/**
 * The input of a step: a call's arguments, or a message. `tool`: a description, if the tool's name
 * alone is not informative.
 */
export function inputOf(event: AgentEvent, tool?: string): string {
  switch (event.type) {
    case 'call-proposed':
    case 'call-finished':
      return argumentsOf(`${event.call.tool} ${tool ?? ''}`, event.call.args);
    case 'text-added':
      return excerpt(event.text);
    case 'user-spoke':
      return excerpt(event.text ?? '');
    default:
      return '';
  }
}

/** The output of a step: the result, and the error message if it differs. */
export function outputOf(event: AgentEvent): string {
  if (event.type !== 'call-finished') return '';
  const parts: string[] = [];
  if (typeof event.error === 'string') parts.push(event.error);
  if (event.result !== undefined)
    parts.push(typeof event.result === 'string' ? event.result : contentOf(event.result).text);
  return excerpt(parts.join('\n'));
}

function argumentsOf(tool: string, args: unknown): string {
  const types = TYPES.test(tool);
  if (typeof args === 'string')
    return types
      ? excerpt(
          args.replace(
            /(["'`])((?:(?!\1).)+)\1/g,
            (_, quote, text) => quote + maskValue(text) + quote,
          ),
        )
      : excerpt(args);
  if (typeof args !== 'object' || args === null)
    return args === undefined || args === null ? '' : String(args);
  const fields = Object.entries(args).slice(0, MAX_FIELDS);
  const lines = fields.map(
    ([name, value]) =>
      `${name}: ${types && TYPED.has(name) && typeof value === 'string' ? maskValue(value) : short(value, types)}`,
  );
  return excerpt(lines.join('\n'));
}

/** A value on one line; nested values are cut before formatting. */
function short(value: unknown, types: boolean): string {
  if (typeof value === 'string') return value.slice(0, LOOKED_AT);
  let left = 200;
  const text = JSON.stringify(value, (name, inner: unknown) => {
    if (left-- <= 0) return undefined;
    if (typeof inner !== 'string') return inner;
    return types && TYPED.has(name) ? maskValue(inner) : inner.slice(0, LOOKED_AT);
  });
  return text ?? '';
}
