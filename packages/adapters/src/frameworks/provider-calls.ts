import { type JsonObject, objectOf, textOf } from '@unrut/engine/json';
import { apiParts } from '@unrut/reading/chat/api-parts';
import { itemParts } from '@unrut/reading/chat/responses-items';
import type { Item } from './dialect.ts';
import { itemsIn } from './messages/dialect.ts';

const BLOCK = /^(?:server|mcp)_tool_use$|_tool_result$/;

/**
 * The calls that a provider ran itself, and their results, among the parts of a reply: blocks of
 * Anthropic, items of the Responses API, or the standard blocks of LangChain.
 */
export const providersItems = (parts: readonly JsonObject[], i: number): Item[] =>
  parts.flatMap((part) => readPart(part, i)).map(fixed);

function readPart(part: JsonObject, i: number): Item[] {
  const type = textOf(part.type);
  if (type === 'server_tool_call')
    return [{ kind: 'call', id: textOf(part.id), tool: textOf(part.name), args: part.args }];
  if (type === 'server_tool_call_result') {
    const error = part.status === 'error' ? { error: true } : {};
    const id = textOf(part.toolCallId) || textOf(part.tool_call_id);
    return [{ kind: 'result', id, at: [i], result: part.output, ...error }];
  }
  if (BLOCK.test(type)) return itemsIn(apiParts({ role: 'assistant', content: [part] }), i);
  const items = itemsIn(itemParts(part) ?? [], i);
  return items.some(({ kind }) => kind === 'result') ? items : [];
}

const fixed = (item: Item): Item => (item.kind === 'result' ? { ...item, isFixed: true } : item);

/** An item of the Responses API, as the OpenAI Agents SDK keeps it. */
export const hostedItem = ({ name, id, status, output, providerData }: JsonObject): JsonObject => ({
  ...objectOf(providerData),
  type: name,
  id,
  status,
  ...(output === undefined ? {} : { output }),
});
