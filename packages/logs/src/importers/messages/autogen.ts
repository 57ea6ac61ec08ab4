import { isObject, type JsonObject, objectOf, objectsOf, textOf } from '@unrut/engine/json';
import { called, messageImporter, type Part, returned, told } from '@unrut/reading/message-format';
import { responseCost } from '@unrut/reading/response-cost';

const NO_STEPS =
  /^(?:SystemMessage|ToolCallSummaryMessage|ModelClientStreamingChunkEvent|MemoryQueryEvent|UserInputRequestedEvent|SelectSpeakerEvent|SelectorEvent|StopMessage)$/;
const SAYS = /^(?:TextMessage|MultiModalMessage|HandoffMessage|StructuredMessage.*)$/;
const CONTEXT = /^(?:UserMessage|AssistantMessage|FunctionExecutionResultMessage)$/;
const EVENTS =
  /^(?:ToolCallRequestEvent|ToolCallExecutionEvent|ThoughtEvent|CodeGenerationEvent|CodeExecutionEvent)$/;

const isMessage = ({ type, source, content, code_blocks: code, result }: JsonObject): boolean => {
  const name = textOf(type);
  const isKnown = NO_STEPS.test(name) || SAYS.test(name) || CONTEXT.test(name) || EVENTS.test(name);
  return (
    isKnown &&
    (content !== undefined || code !== undefined || result !== undefined) &&
    (typeof source === 'string' || CONTEXT.test(name) || name === 'SystemMessage')
  );
};

/** AutoGen AgentChat: messages and events of a task, a team's thread, or an agent's context. */
export const autogen = messageImporter({
  name: 'autogen',
  reads:
    'messages of AutoGen AgentChat (`TaskResult`, the saved state of a team or an agent): a list, one a line, or in their document',
  sample: 'written after a part of its source, microsoft/autogen 002bd92',
  isMessage,
  isTelling: (value) => isMessage(value) && value.type !== 'SystemMessage',
  lists: [
    'messages',
    'message_thread',
    'llm_context.messages',
    'agent_state.llm_context.messages',
    'inner_messages',
  ],
  parts: messageParts,
  moment: ({ created_at: at, source, models_usage: usage }) => {
    const isAgent = typeof source === 'string' && source !== 'user';
    return { at, ...(isAgent ? { speaker: source } : {}), cost: responseCost(usage) };
  },
  isSilent: (value) => isObject(value) && NO_STEPS.test(textOf(value.type)),
});

function messageParts(message: JsonObject): Part[] {
  const { type, source, content } = message;
  switch (type) {
    case 'ToolCallRequestEvent':
      return callsIn(content);
    case 'ToolCallExecutionEvent':
    case 'FunctionExecutionResultMessage':
      return objectsOf(content).map((result) =>
        returned(result.call_id, result.content, { error: result.is_error }),
      );
    case 'ThoughtEvent':
      return told('thinks', content);
    case 'AssistantMessage':
      return [
        ...told('thinks', message.thought),
        ...(Array.isArray(content) ? callsIn(content) : told('says', content)),
      ];
    case 'UserMessage':
      return told('person', content);
    case 'CodeGenerationEvent':
      return objectsOf(message.code_blocks).map(({ code, language }) =>
        called(undefined, 'execute_code', { code, language }),
      );
    case 'CodeExecutionEvent': {
      const { output, exit_code: exitCode } = objectOf(message.result);
      return [returned(undefined, output, { exitCode })];
    }
    default:
      if (!SAYS.test(textOf(type))) return [];
      return told(
        source === 'user' ? 'person' : 'says',
        isObject(content) ? JSON.stringify(content) : content,
      );
  }
}

const callsIn = (content: unknown): Part[] =>
  objectsOf(content).map((call) => called(call.id, call.name, call.arguments));
