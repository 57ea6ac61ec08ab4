import { isObject, type JsonObject, textOf } from '../../json.ts';
import { contentBlocks } from '../content-blocks.ts';
import type { Returned } from '../importer.ts';

/** What came of a call, by goose's `toolResult`: a result of MCP, in old versions only its content, or an error's text. */
export function gooseResult(toolResult: unknown): Returned {
  if (!isObject(toolResult)) return toolResult === undefined ? {} : { result: toolResult };
  const { status, value, error } = toolResult;
  const { content, isError, structuredContent } = isObject(value) ? value : { content: value };
  const result = status === 'error' && error !== undefined ? error : wordsFor(content);
  const { exit_code: exit } = isObject(structuredContent) ? structuredContent : {};
  const refusedBy = refuser(textOf(result));
  return {
    result,
    ...(status === 'error' || isError === true || refusedBy ? { error: true } : {}),
    ...(typeof exit === 'number' ? { exitCode: exit } : {}),
    ...(refusedBy ? { refusedBy } : {}),
  };
}

/** What is meant for the user alone is not shown to the model. */
const isForModel = ({ annotations }: JsonObject): boolean =>
  !isObject(annotations) || !Array.isArray(annotations.audience) || annotations.audience.includes('assistant');

const wordsFor = (content: unknown): string =>
  contentBlocks(content)
    .filter(isForModel)
    .flatMap(({ text, resource }) => textOf(text) || (isObject(resource) && textOf(resource.text)) || [])
    .join('\n');

/** Errors of MCP begin with their code. */
function refuser(message: string): Returned['refusedBy'] {
  if (message.startsWith('The user has declined to run this tool.')) return 'user';
  if (/^(?:-\d+: )?Tool '[^']*' not found/.test(message)) return 'unknown-tool';
  return message.startsWith('-32602: ') ? 'schema' : undefined;
}
