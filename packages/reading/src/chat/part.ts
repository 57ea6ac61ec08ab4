import { parsed, textOf } from '@unrut/engine/json';
import type { Returned } from '../importer.ts';
import { messageText, oneText, resultContent } from '../message-content.ts';
import { returnedWith, type ToldOfCall } from '../returned-with.ts';

/** One thing that happens in a message or an item of a conversation. */
export type Part =
  | { kind: 'person' | 'says' | 'thinks'; text: string }
  | { kind: 'calls'; id?: string; tool: string; args: unknown }
  /** Without an id: of the oldest open call. */
  | { kind: 'returns'; id?: string; returned: Returned }
  | { kind: 'compacted' }
  | { kind: 'unknown'; name: string };

/** Adds an id to a part, unless the id is empty or no text. */
export const withId = <Of extends object>(part: Of, id: unknown): Of & { id?: string } =>
  typeof id === 'string' && id !== '' ? { ...part, id } : part;

/** A text or thought; undefined if it is empty. */
export function told(kind: 'person' | 'says' | 'thinks', content: unknown): Part[] {
  const text = messageText(content);
  return text.trim() === '' ? [] : [{ kind, text }];
}

/** A call; its arguments may be JSON in a text. */
export const called = (id: unknown, tool: unknown, args: unknown): Part =>
  withId({ kind: 'calls', tool: textOf(tool) || 'unknown', args: parsed(args) ?? {} }, id);

/**
 * The result of a call; it failed if `error` is truthy. An undefined result is kept: it means that
 * the result is unknown.
 */
export function returned(
  id: unknown,
  result: unknown,
  { error, ...more }: Omit<ToldOfCall, 'result'> = {},
): Part {
  const told = {
    ...more,
    result: resultContent(oneText(result ?? undefined)),
    error: error ? true : undefined,
  };
  return withId({ kind: 'returns', returned: returnedWith(told) }, id);
}

/**
 * Calls and results in separate lists of one step. Results may lack ids; they then belong to the
 * last call.
 */
export function callsAndResults(calls: readonly Part[], results: readonly Part[]): Part[] {
  const last = calls.findLast((part) => part.kind === 'calls');
  return [
    ...calls,
    ...results.map((part) =>
      part.kind === 'returns' && part.id === undefined && last?.kind === 'calls'
        ? withId(part, last.id)
        : part,
    ),
  ];
}

/** A part that the format does not know. */
export const strange = (name: unknown): Part => ({ kind: 'unknown', name: textOf(name) || 'part' });
