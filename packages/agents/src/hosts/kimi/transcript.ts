import { isObject, type JsonObject, objectOf, textOf, valueIn } from '@unrut/engine/json';
import { roleOf } from '@unrut/reading/chat/api-parts';
import { messageParts } from '@unrut/reading/chat/message-parts';
import {
  called,
  messageImporter,
  type Part,
  returned,
  strange,
  told,
} from '@unrut/reading/message-format';
import { spentIn } from '@unrut/reading/response-cost';

/** Wire records that hold no step, or that repeat another record. */
const SILENT =
  /^(?:metadata|(?:runtime|profile|permission|plugin|llm|token_counting|turn|agent|prompt|mcp|hook|skill|session|goal|plan|todo|task|tools?|thinking|notify|background)[._]\w.*)$/;
/** Wire messages of versions before 2 that hold no step. */
const QUIET = new Set(
  'TurnEnd StepBegin StepInterrupted CompactionBegin HookTriggered HookResolved MCPLoadingBegin MCPLoadingEnd StatusUpdate Notification ApprovalRequest ApprovalResponse ApprovalRequestResolved QuestionRequest ToolCallRequest ToolCallPart PlanDisplay'.split(
    ' ',
  ),
);
const isWire = ({ type }: JsonObject): boolean =>
  /^(?:context\.\w+|usage\.record)$/.test(textOf(type));
const isOldWire = ({ message, timestamp }: JsonObject): boolean =>
  isObject(message) &&
  typeof message.type === 'string' &&
  isObject(message.payload) &&
  typeof timestamp === 'number';
/**
 * `context.jsonl` and `--output-format stream-json` contain chat messages, separated by markers.
 */
const isMark = ({ role, type }: JsonObject): boolean =>
  /^_(?:checkpoint|usage|system_prompt)$/.test(textOf(role)) ||
  (role === 'meta' && typeof type === 'string');
const isChat = (value: JsonObject): boolean =>
  roleOf(value) !== undefined && ('content' in value || 'tool_calls' in value);

/** Kimi: the wire files of its sessions, its context, and its JSON output. */
export const kimiTranscript = messageImporter({
  name: 'kimi',
  reads:
    "Kimi's sessions (`wire.jsonl` of 2 and of older versions, `context.jsonl`), and its `--output-format stream-json`",
  sample: 'recorded, 2.1; older files after its source, MoonshotAI/kimi-cli 026ae98',
  isMessage: (value) => isWire(value) || isOldWire(value) || isChat(value),
  isTelling: (value) => isWire(value) || isOldWire(value) || isMark(value),
  parts: (record) =>
    isOldWire(record)
      ? oldParts(record.message as JsonObject)
      : isWire(record)
        ? wireParts(record)
        : messageParts(record),
  moment: ({ type, usage, time, timestamp }) => ({
    at: time ?? timestamp,
    cost:
      type === 'usage.record'
        ? spentIn(usage, { input: 'inputOther', output: ['inputCacheCreation', 'output'] })
        : undefined,
  }),
  isSilent: (value) => isObject(value) && (isMark(value) || SILENT.test(textOf(value.type))),
});

function wireParts({ type, message, event }: JsonObject): Part[] {
  // Reminders are user messages that the user did not write.
  if (type === 'context.append_message')
    return valueIn(message, 'role') === 'user' && valueIn(message, 'origin.kind') === 'user'
      ? told('person', valueIn(message, 'content'))
      : [];
  if (/compact|summar/.test(textOf(type))) return [{ kind: 'compacted' }];
  if (type !== 'context.append_loop_event' || !isObject(event)) return [];
  switch (event.type) {
    case 'content.part':
      return contentParts(event.part);
    case 'tool.call':
      return [called(event.toolCallId, event.name, event.args)];
    case 'tool.result': {
      const { output, isError, durationMs } = objectOf(event.result);
      return [returned(event.toolCallId, output, { error: isError, durationMs })];
    }
    case 'step.begin':
    case 'step.end':
      return [];
    default:
      return [strange(event.type)];
  }
}

function contentParts(part: unknown): Part[] {
  const type = valueIn(part, 'type');
  if (type === 'text') return told('says', part);
  return type === 'think' || type === 'thinking'
    ? told('thinks', valueIn(part, 'think') ?? valueIn(part, 'thinking') ?? valueIn(part, 'text'))
    : [];
}

function oldParts({ type, payload }: JsonObject): Part[] {
  const given = payload as JsonObject;
  switch (type) {
    case 'TurnBegin':
    case 'SteerInput':
      return told('person', given.user_input);
    case 'ContentPart':
      return contentParts(given);
    case 'ToolCall':
      return [
        called(given.id, valueIn(given, 'function.name'), valueIn(given, 'function.arguments')),
      ];
    case 'ToolResult': {
      const value = given.return_value ?? given.result;
      return [
        returned(given.tool_call_id, valueIn(value, 'output') ?? valueIn(value, 'message'), {
          error: valueIn(value, 'is_error'),
        }),
      ];
    }
    case 'CompactionEnd':
      return [{ kind: 'compacted' }];
    case 'SubagentEvent':
      return [];
    default:
      return QUIET.has(textOf(type)) ? [] : [strange(type)];
  }
}
