import type { Returned } from '../importer.ts';

/** One thing that happens in a message or an item of a conversation. */
export type Part =
  | { kind: 'person' | 'says' | 'thinks'; text: string }
  | { kind: 'calls'; id?: string; tool: string; args: unknown }
  /** Without an id: of the oldest open call. */
  | { kind: 'returns'; id?: string; returned: Returned }
  | { kind: 'compacted' }
  | { kind: 'unknown'; name: string };

/** A part with an id where there is one: an empty text is none. */
export const withId = <Of extends object>(part: Of, id: unknown): Of & { id?: string } =>
  typeof id === 'string' && id !== '' ? { ...part, id } : part;
