import { type JsonObject, textOf } from '../../json.ts';
import type { Returned } from '../reading/importer.ts';
import { contentBlocks } from '../reading/message-content.ts';

/** The text of a message. Pictures are left out. */
export const wordsIn = (content: unknown): string =>
  contentBlocks(content)
    .filter(({ type }) => type === 'text')
    .map(({ text }) => textOf(text))
    .join('\n');

/** What a call brought, as pi's messages and its extensions are told. */
export function piResult({ content, isError }: JsonObject): Returned {
  const result = wordsIn(content);
  if (isError !== true) return { result, ...(isError === false ? { error: false } : {}) };
  const exit = /Command exited with code (\d+)$/.exec(result.slice(-40));
  const refusedBy = refuser(result);
  return { result, error: true, ...(exit ? { exitCode: Number(exit[1]) } : {}), ...(refusedBy ? { refusedBy } : {}) };
}

function refuser(message: string): Returned['refusedBy'] {
  if (message.startsWith('Validation failed for tool ')) return 'schema';
  if (/^Tool \S+ not found$/.test(message)) return 'unknown-tool';
  return message === 'Tool execution was blocked' ? 'host' : undefined;
}
