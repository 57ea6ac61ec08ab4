import {
  called,
  failed,
  messageImporter,
  objectsIn,
  type Part,
  returned,
  strange,
  told,
  valueIn,
} from '../../hosts/reading/message-format.ts';
import { tokenCost } from '../../hosts/reading/response-cost.ts';
import { isObject, type JsonObject, textOf } from '../../json.ts';

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

/** Contents of the Gemini API: what a model is asked, and what it answers. */
export const geminiContents = messageImporter({
  name: 'gemini-contents',
  reads:
    'contents of the Gemini API (`role`, `parts` with `functionCall` and `functionResponse`): a list, one a line, `{contents}` or `{history}`',
  sample: 'recorded, @google/genai 2.32; code execution after the documentation',
  isMessage: isContent,
  isTelling: (value) => isContent(value) && ROLES.has(textOf(value.role)),
  lists: ['contents', 'history', 'request.contents'],
  parts: (content) => contentParts(content, content.role === 'user'),
});

/** Sessions and events of Google's Agent Development Kit. */
export const googleAdk = messageImporter({
  name: 'google-adk',
  reads: 'sessions and events of Google ADK, in camelCase or snake_case: a session, a list of events, or one a line',
  sample: 'recorded, @google/adk 2.0; snake_case after its source',
  isMessage: (value) => typeof value.author === 'string' && ('invocationId' in value || 'invocation_id' in value),
  lists: ['events', 'session.events'],
  ids: ['id', 'session.id'],
  parts: (event) => (event.partial === true || !isContent(event.content) ? [] : contentParts(event.content, event.author === 'user')),
  moment: ({ timestamp: at, author, usageMetadata, usage_metadata: usage = usageMetadata }) => {
    const count = (camel: string, snake: string): unknown => valueIn(usage, camel) ?? valueIn(usage, snake);
    const cost = tokenCost(
      count('promptTokenCount', 'prompt_token_count'),
      count('cachedContentTokenCount', 'cached_content_token_count'),
      count('candidatesTokenCount', 'candidates_token_count'),
      count('thoughtsTokenCount', 'thoughts_token_count'),
    );
    return { at, ...(author === 'user' ? {} : { speaker: textOf(author) }), ...(cost === undefined ? {} : { cost }) };
  },
});

function contentParts({ parts }: JsonObject, isUser: boolean): Part[] {
  return objectsIn(parts).flatMap((part) => {
    const call = [part.functionCall, part.function_call].find(isObject);
    const response = [part.functionResponse, part.function_response].find(isObject);
    const code = [part.executableCode, part.executable_code].find(isObject);
    const ran = [part.codeExecutionResult, part.code_execution_result].find(isObject);
    if (call) return [called(call.id, call.name, call.args)];
    if (response) return [returned(response.id, response.response, failed(isFailed(response.response)))];
    if (code) return [called(undefined, 'code_execution', { code: code.code })];
    if (ran) return [returned(undefined, ran.output, failed(ran.outcome !== 'OUTCOME_OK'))];
    if (typeof part.text === 'string') return told(part.thought === true ? 'thinks' : isUser ? 'person' : 'says', part.text);
    return 'inlineData' in part || 'inline_data' in part || 'fileData' in part || 'file_data' in part || 'thoughtSignature' in part
      ? []
      : [strange(Object.keys(part)[0])];
  });
}

/** Tools say in what they give back that they failed. */
const isFailed = (response: unknown): boolean =>
  isObject(response) &&
  ((response.error !== undefined && response.error !== null) || response.status === 'error' || response.isError === true);
