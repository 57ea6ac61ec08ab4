import { isObject, type JsonObject, objectsOf, textOf, valueIn } from '@unrut/engine/json';
import {
  called,
  messageImporter,
  type Part,
  returned,
  strange,
  told,
} from '@unrut/reading/message-format';
import { spentIn } from '@unrut/reading/response-cost';

/** Files of Strands for Python nest the message in `message`. */
const inner = (value: JsonObject): JsonObject =>
  isObject(value.message) && 'message_id' in value ? value.message : value;

const isBlocks = (content: unknown): boolean =>
  Array.isArray(content) && content.every((block) => isObject(block) && !('type' in block));
const isMessage = (value: JsonObject): boolean => {
  const { role, content } = inner(value);
  return (role === 'user' || role === 'assistant') && isBlocks(content);
};

/** Messages of Amazon Bedrock's Converse API, also as Strands Agents stores them. */
export const bedrockConverse = messageImporter({
  name: 'bedrock-converse',
  reads:
    'messages of Bedrock Converse (`toolUse`, `toolResult`), logs of invocations, and sessions of Strands Agents',
  sample: 'recorded, @strands-agents/sdk 1.19; logs after the documentation',
  isMessage,
  isTelling: (value) =>
    isMessage(value) &&
    objectsOf(inner(value).content).some((block) => 'toolUse' in block || 'toolResult' in block),
  lists: ['messages', 'data.messages', 'request.messages', 'input.inputBodyJson.messages'],
  ids: ['session_id', 'sessionId', 'requestId'],
  parts: (message) => {
    const { role, content } = inner(message);
    return objectsOf(content).flatMap((block) => blockParts(block, role === 'user'));
  },
  moment: (message) => {
    const usage = valueIn(inner(message), 'metadata.usage');
    return {
      at: message.created_at,
      cost: spentIn(usage, {
        input: 'inputTokens',
        cached: 'cacheReadInputTokens',
        output: 'outputTokens',
      }),
    };
  },
});

const SILENT = [
  'image',
  'document',
  'video',
  'audio',
  'cachePoint',
  'guardContent',
  'citationsContent',
  'searchResult',
];

function blockParts(block: JsonObject, isUser: boolean): Part[] {
  const { text, toolUse, toolResult, reasoningContent } = block;
  if (typeof text === 'string') return told(isUser ? 'person' : 'says', text);
  if (isObject(toolUse)) return [called(toolUse.toolUseId, toolUse.name, toolUse.input)];
  if (isObject(toolResult)) {
    const content = objectsOf(toolResult.content).map((part) =>
      'json' in part ? { text: JSON.stringify(part.json) } : part,
    );
    return [returned(toolResult.toolUseId, content, { error: toolResult.status === 'error' })];
  }
  if (isObject(reasoningContent))
    return told(
      'thinks',
      valueIn(reasoningContent, 'reasoningText.text') ?? textOf(reasoningContent.text),
    );
  return SILENT.some((name) => name in block) ? [] : [strange(Object.keys(block)[0])];
}
