import { isObject, type JsonObject, textOf } from '@unrut/engine/json';
import { geminiContentParts } from '@unrut/reading/chat/gemini-content-parts';
import { messageImporter } from '@unrut/reading/message-format';
import { GEMINI_COUNTS, spentIn } from '@unrut/reading/response-cost';

const ROLES = new Set(['user', 'model', 'function', 'tool']);
const HOLDS = [
  'text',
  'functionCall',
  'function_call',
  'functionResponse',
  'function_response',
  'inlineData',
  'fileData',
  'executableCode',
];

const isContent = (value: unknown): value is JsonObject =>
  isObject(value) &&
  Array.isArray(value.parts) &&
  (value.role === undefined || ROLES.has(textOf(value.role))) &&
  value.parts.every((part) => isObject(part) && !('type' in part) && !('part_kind' in part)) &&
  value.parts.some((part: unknown) => isObject(part) && HOLDS.some((name) => name in part));

/** Contents of the Gemini API: requests and answers. */
export const geminiContents = messageImporter({
  name: 'gemini-contents',
  reads:
    'contents of the Gemini API (`role`, `parts` with `functionCall` and `functionResponse`): a list, one a line, `{contents}` or `{history}`',
  sample: 'recorded, @google/genai 2.32; code execution after the documentation',
  isMessage: isContent,
  isTelling: (value) => isContent(value) && ROLES.has(textOf(value.role)),
  lists: ['contents', 'history', 'request.contents'],
  parts: (content) => geminiContentParts(content, content.role === 'user'),
});

const SNAKE_COUNTS = {
  input: 'prompt_token_count',
  cached: 'cached_content_token_count',
  output: ['candidates_token_count', 'thoughts_token_count'],
};

/** Sessions and events of Google's Agent Development Kit. */
export const googleAdk = messageImporter({
  name: 'google-adk',
  reads:
    'sessions and events of Google ADK, in camelCase or snake_case: a session, a list of events, or one a line',
  sample: 'recorded, @google/adk 2.0; snake_case after its source',
  isMessage: (value) =>
    typeof value.author === 'string' && ('invocationId' in value || 'invocation_id' in value),
  lists: ['events', 'session.events'],
  ids: ['id', 'session.id'],
  parts: (event) =>
    event.partial === true || !isContent(event.content)
      ? []
      : geminiContentParts(event.content, event.author === 'user'),
  moment: ({ timestamp: at, author, usageMetadata, usage_metadata: usage = usageMetadata }) => {
    const cost = spentIn(usage, GEMINI_COUNTS) ?? spentIn(usage, SNAKE_COUNTS);
    return { at, ...(author === 'user' ? {} : { speaker: textOf(author) }), cost };
  },
});
