import { isObject, type JsonObject } from '../json.ts';

/** The blocks of a message's content; a bare text is one block of text. */
export const contentBlocks = (content: unknown): JsonObject[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : Array.isArray(content) ? content.filter(isObject) : [];
