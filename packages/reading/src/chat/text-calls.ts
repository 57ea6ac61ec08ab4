import { isObject, parsed, textOf } from '@unrut/engine/json';
import type { Part } from './part.ts';

/** A call written as JSON: `{"name": …, "arguments": …}`. */
export function namedCall(text: unknown): Extract<Part, { kind: 'calls' }> | undefined {
  const call = parsed(text);
  if (!isObject(call) || textOf(call.name) === '') return undefined;
  return {
    kind: 'calls',
    tool: textOf(call.name),
    args: parsed(call.arguments ?? call.parameters) ?? {},
  };
}

/**
 * The parts of one text of a model: reasoning in `<think>` marks first, and if `withCalls` is set,
 * calls in `<tool_call>` marks.
 */
export function textParts(text: string, withCalls: boolean): Part[] {
  const parts: Part[] = [];
  let rest = text;
  const thought = between(rest, '<think>', '</think>');
  if (thought?.before.trim() === '') {
    if (thought.inside.trim() !== '') parts.push({ kind: 'thinks', text: thought.inside.trim() });
    rest = thought.after.trimStart();
  }
  const calls: Part[] = [];
  let said = '';
  for (
    let mark = withCalls && between(rest, '<tool_call>', '</tool_call>');
    mark;
    mark = between(rest, '<tool_call>', '</tool_call>')
  ) {
    const call = namedCall(mark.inside);
    if (call) calls.push(call);
    said += call ? mark.before : rest.slice(0, rest.length - mark.after.length);
    rest = mark.after;
  }
  said += rest;
  if (said.trim() !== '') parts.push({ kind: 'says', text: calls.length > 0 ? said.trim() : said });
  return [...parts, ...calls];
}

/**
 * The results in `<tool_response>` tags, in the order of their calls; without tags, the whole text.
 */
export function textResults(text: string): Part[] {
  const parts: Part[] = [];
  let rest = text;
  for (
    let mark = between(rest, '<tool_response>', '</tool_response>');
    mark;
    mark = between(rest, '<tool_response>', '</tool_response>')
  ) {
    const inside = mark.inside.trim();
    const response = parsed(inside);
    const result =
      isObject(response) && textOf(response.name) !== '' && 'content' in response
        ? response.content
        : inside;
    parts.push({ kind: 'returns', returned: { result } });
    rest = mark.after;
  }
  return parts.length > 0 ? parts : [{ kind: 'returns', returned: { result: text } }];
}

function between(
  text: string,
  open: string,
  close: string,
): { before: string; inside: string; after: string } | undefined {
  const start = text.indexOf(open);
  const end = start === -1 ? -1 : text.indexOf(close, start + open.length);
  if (end === -1) return undefined;
  return {
    before: text.slice(0, start),
    inside: text.slice(start + open.length, end),
    after: text.slice(end + close.length),
  };
}
