import { isObject, type JsonObject, objectsOf, textOf } from '@unrut/engine/json';
import {
  called,
  messageImporter,
  type Part,
  returned,
  strange,
  told,
} from '@unrut/reading/message-format';

/** Messages of Letta (MemGPT), as its API lists them. */
export const letta = messageImporter({
  name: 'letta',
  reads:
    'messages of Letta (`message_type`), as its API lists them: a list, one a line, or `{messages}`',
  sample: 'written after its source, letta-ai/letta 0f6f52c',
  isMessage: ({ message_type: type }) =>
    /^\w+_(?:message|statistics|statistic|reason|return)$|^ping$|^stop_reason$/.test(textOf(type)),
  isTelling: ({ message_type: type }) =>
    /^(?:user|assistant|reasoning|tool_call|tool_return|system|approval_request)_message$/.test(
      textOf(type),
    ),
  lists: ['messages'],
  ids: ['agent_id', 'run_id'],
  messageIds: ['agent_id'],
  parts: messageParts,
  moment: ({ date: at }) => ({ at }),
});

function messageParts(message: JsonObject): Part[] {
  switch (message.message_type) {
    case 'user_message':
      return told('person', message.content);
    case 'assistant_message':
      return told('says', message.content);
    case 'reasoning_message':
      return told('thinks', message.reasoning);
    case 'tool_call_message':
    case 'approval_request_message': {
      const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [message.tool_call];
      return objectsOf(calls).map((call) => called(call.tool_call_id, call.name, call.arguments));
    }
    case 'tool_return_message': {
      const results = Array.isArray(message.tool_returns) ? message.tool_returns : [message];
      return objectsOf(results).map((result) =>
        returned(result.tool_call_id, result.tool_return ?? result.func_response, {
          error: result.status === 'error',
        }),
      );
    }
    case 'approval_response_message':
      return objectsOf(message.approvals).flatMap((each) =>
        each.approve === false
          ? [returned(each.tool_call_id, textOf(each.reason), { refusedBy: 'user' })]
          : [],
      );
    case 'system_message':
    case 'hidden_reasoning_message':
    case 'usage_statistics':
    case 'stop_reason':
    case 'ping':
      return [];
    default:
      return [strange(isObject(message) ? message.message_type : '')];
  }
}
