import { type JsonObject, objectOf, objectsOf, textOf } from '@unrut/engine/json';
import {
  called,
  messageImporter,
  type Part,
  returned,
  strange,
  told,
} from '@unrut/reading/message-format';
import { spent } from '@unrut/reading/response-cost';

/** Message histories of PydanticAI: `all_messages_json()`. */
export const pydanticAi = messageImporter({
  name: 'pydantic-ai',
  reads:
    'message histories of PydanticAI (`all_messages_json`): a list, one a line, or `{messages}`',
  sample: 'written after a part of its source, pydantic/pydantic-ai 002cbd4',
  isMessage: ({ kind, parts }) =>
    (kind === 'request' || kind === 'response') &&
    objectsOf(parts).some(({ part_kind: part }) => part),
  lists: ['messages', 'all_messages', 'message_history'],
  ids: ['run_id', 'conversation_id'],
  messageIds: ['conversation_id'],
  parts: ({ parts }) => objectsOf(parts).flatMap(partOf),
  moment: ({ timestamp: at, parts, usage }) => {
    const {
      input_tokens,
      request_tokens,
      cache_read_tokens: cached,
      output_tokens,
      response_tokens,
    } = objectOf(usage);
    const cost = spent({
      input: input_tokens ?? request_tokens,
      cached,
      output: output_tokens ?? response_tokens,
    });
    return { at: at ?? objectsOf(parts)[0]?.timestamp, cost };
  },
});

function partOf(part: JsonObject): Part[] {
  const { content, tool_name: tool, tool_call_id: id, args, outcome } = part;
  switch (part.part_kind) {
    case 'user-prompt':
      return told('person', content);
    case 'text':
      return told('says', content);
    case 'thinking':
      return told('thinks', content);
    case 'tool-call':
    case 'builtin-tool-call':
    case 'native-tool-call':
      return [called(id, tool, args)];
    case 'tool-return':
    case 'builtin-tool-return':
    case 'native-tool-return':
      return [
        returned(
          id,
          content,
          outcome === 'denied' ? { refusedBy: 'user' } : { error: outcome === 'failed' },
        ),
      ];
    case 'retry-prompt':
      // Without a tool it asks the model for another format.
      return tool === undefined || tool === null
        ? []
        : [returned(id, content, { error: true, ...refusal(content) })];
    case 'system-prompt':
    case 'instruction':
    case 'file':
    case 'compaction':
      return [];
    default:
      return [strange(part.part_kind)];
  }
}

/** Details of a validation are a list. */
function refusal(content: unknown): { refusedBy?: 'schema' | 'unknown-tool' } {
  if (Array.isArray(content)) return { refusedBy: 'schema' };
  return textOf(content).startsWith('Unknown tool name') ? { refusedBy: 'unknown-tool' } : {};
}
