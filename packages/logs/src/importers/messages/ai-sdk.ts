import { isObject, type JsonObject, objectOf, objectsOf, textOf } from '@unrut/engine/json';
import {
  called,
  messageImporter,
  type Part,
  returned,
  strange,
  told,
} from '@unrut/reading/message-format';

const ROLES = new Set(['system', 'user', 'assistant', 'tool']);
const isOfRole = ({ role }: JsonObject): boolean => ROLES.has(textOf(role));
const MODEL_PART = /^tool-(?:call|result|error|approval-re(?:quest|sponse))$/;

/** AI SDK messages in the model's format. */
export const aiSdkMessages = messageImporter({
  name: 'ai-sdk-messages',
  reads:
    'messages of the AI SDK for a model (`ModelMessage`, `CoreMessage`): a list, one a line, `{messages}` or a response',
  sample: 'recorded, ai 7.0',
  isMessage: (value) => isOfRole(value) && 'content' in value,
  isTelling: (value) =>
    isOfRole(value) &&
    objectsOf(value.content).some(
      ({ type, toolCallId }) => MODEL_PART.test(textOf(type)) && toolCallId,
    ),
  lists: ['messages', 'response.messages', 'responseMessages', 'prompt'],
  ids: ['id', 'threadId', 'chatId'],
  parts: ({ role, content }) => {
    if (role === 'system') return [];
    if (typeof content === 'string') return told(role === 'user' ? 'person' : 'says', content);
    return objectsOf(content).flatMap((part) => modelPart(part, role === 'user'));
  },
});

function modelPart(part: JsonObject, isUser: boolean): Part[] {
  switch (part.type) {
    case 'text':
      return told(isUser ? 'person' : 'says', part.text);
    case 'reasoning':
      return told('thinks', part.text);
    case 'tool-call':
      return [called(part.toolCallId, part.toolName, part.input ?? part.args)];
    case 'tool-result':
      return [outputPart(part)];
    case 'tool-error':
      return [returned(part.toolCallId, part.error, { error: true })];
    case 'file':
    case 'image':
    case 'custom':
    case 'redacted-reasoning':
    case 'reasoning-file':
    case 'tool-approval-request':
    case 'tool-approval-response':
      return [];
    default:
      return [strange(part.type)];
  }
}

/** The output's type marks errors; versions before 5 have a result and a flag. */
function outputPart({ toolCallId: id, output, result, isError }: JsonObject): Part {
  if (!isObject(output)) return returned(id, result ?? output, { error: isError });
  const type = textOf(output.type);
  if (type === 'execution-denied')
    return returned(id, output.reason, { error: true, refusedBy: 'user' });
  return returned(id, output.value, { error: type.startsWith('error') });
}

/** AI SDK messages as chats show and store them; also Mastra's. */
export const aiSdkUi = messageImporter({
  name: 'ai-sdk-ui',
  reads:
    'messages of the AI SDK for a chat (`UIMessage`), also as Mastra stores them: a list, one a line, or `{messages}`',
  sample: 'recorded, ai 7.0; older parts and Mastra after their types',
  isMessage: (value) => isOfRole(value) && Array.isArray(partsIn(value)),
  isTelling: (value) =>
    isOfRole(value) &&
    objectsOf(partsIn(value)).every((part) => !('data' in part)) &&
    objectsOf(partsIn(value)).some(({ type }) =>
      /^(?:step-start$|dynamic-tool$|tool-|text$|reasoning$)/.test(textOf(type)),
    ),
  lists: ['messages', 'chat.messages'],
  ids: ['chatId', 'threadId', 'id'],
  messageIds: ['threadId'],
  isManyResponses: true,
  parts: (message) =>
    message.role === 'system'
      ? []
      : responsesIn(message).flatMap((parts) => inOrder(parts, message.role === 'user')),
  moment: ({ createdAt: at, metadata }) => ({ at: at ?? objectOf(metadata).createdAt }),
});

const partsIn = ({ parts, content }: JsonObject): unknown => parts ?? objectOf(content).parts;

/** A message may contain several responses, each begun by a marker. */
function responsesIn(message: JsonObject): JsonObject[][] {
  const responses: JsonObject[][] = [[]];
  for (const part of objectsOf(partsIn(message))) {
    if (part.type === 'step-start') responses.push([]);
    else responses.at(-1)!.push(part);
  }
  return responses;
}

/** The calls of one response were made together, though each is followed by its result. */
function inOrder(response: readonly JsonObject[], isUser: boolean): Part[] {
  const parts = response.flatMap((part) => uiPart(part, isUser));
  return [
    ...parts.filter(({ kind }) => kind !== 'returns'),
    ...parts.filter(({ kind }) => kind === 'returns'),
  ];
}

function uiPart(part: JsonObject, isUser: boolean): Part[] {
  const type = textOf(part.type);
  if (type === 'text') return told(isUser ? 'person' : 'says', part.text);
  if (type === 'reasoning') return told('thinks', part.text ?? part.reasoning);
  if (type === 'tool-invocation' && isObject(part.toolInvocation)) {
    const { toolCallId, toolName, args, state, result } = part.toolInvocation;
    return [
      called(toolCallId, toolName, args),
      ...(state === 'result' ? [returned(toolCallId, result)] : []),
    ];
  }
  if (type.startsWith('tool-') || type === 'dynamic-tool')
    return toolParts(part, textOf(part.toolName) || type.slice('tool-'.length));
  return /^(?:step-start|file|source|source-url|source-document|data-.*)$/.test(type)
    ? []
    : [strange(type)];
}

function toolParts(
  { toolCallId: id, state, input, rawInput, output, errorText, approval }: JsonObject,
  tool: string,
): Part[] {
  const call = called(id, tool, input ?? rawInput);
  if (state === 'output-available') return [call, returned(id, output)];
  if (state === 'output-error') return [call, returned(id, errorText, { error: true })];
  if (state === 'output-denied')
    return [call, returned(id, objectOf(approval).reason, { refusedBy: 'user' })];
  return [call];
}
