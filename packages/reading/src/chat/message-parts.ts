import { type JsonObject, textOf } from '@unrut/engine/json';
import { apiParts, roleOf } from './api-parts.ts';
import type { Part } from './part.ts';
import { personText } from './person-text.ts';
import { namedCall, textParts, textResults } from './text-calls.ts';

/**
 * The parts of one recorded message in order: a message of a model's API, whose texts may also come
 * from a harness, or a ShareGPT turn.
 */
export function messageParts(message: JsonObject): Part[] {
  const { from, value, content = value } = message;
  const isTurn = from !== undefined;
  const role = roleOf(message);
  if (role === 'call')
    return [namedCall(content) ?? { kind: 'unknown', name: 'call without a name' }];
  if (role === 'result' && isTurn) return textResults(textOf(value));
  return apiParts(
    { ...message, content },
    { said: (text) => textParts(text, isTurn), heard: personText },
  );
}
