import { type JsonObject, textOf } from '@unrut/engine/json';
import { withoutExitLine } from '@unrut/reading/exit-line';
import type { Returned } from '@unrut/reading/importer';
import { contentBlocks } from '@unrut/reading/message-content';
import { returnedWith } from '@unrut/reading/returned-with';

/** The text of a message. Pictures are left out. */
export const wordsIn = (content: unknown): string =>
  contentBlocks(content)
    .filter(({ type }) => type === 'text')
    .map(({ text }) => textOf(text))
    .join('\n');

/** A command that prints nothing is said to have no output. */
const EXIT = /(?:^\(no output\))?\s*Command exited with code (\d+)$/;

/** What a call brought, as pi's messages and its extensions are told. */
export function piResult({ content, isError }: JsonObject): Returned {
  const result = wordsIn(content);
  if (isError !== true)
    return returnedWith({ result, error: isError === false ? false : undefined });
  return returnedWith({
    ...withoutExitLine(result, EXIT),
    error: true,
    refusedBy: refuser(result),
  });
}

function refuser(message: string): Returned['refusedBy'] {
  if (message.startsWith('Validation failed for tool ')) return 'schema';
  if (/^Tool \S+ not found$/.test(message)) return 'unknown-tool';
  return message === 'Tool execution was blocked' ? 'host' : undefined;
}
