import { isObject, type JsonObject, objectsOf, textOf } from '@unrut/engine/json';
import { messageParts } from '@unrut/reading/chat/message-parts';
import { called, messageImporter, type Part, returned, told } from '@unrut/reading/message-format';

const SILENT = new Set([
  'session_start',
  'todo_state',
  'compaction_state',
  'session_end',
  'system',
]);
const isStored = ({ type, message }: JsonObject): boolean =>
  type === 'message' && isObject(message) && Array.isArray(message.content);
const isStreamed = ({ type, role, text, toolName, toolId, finalText }: JsonObject): boolean =>
  (type === 'message' && typeof role === 'string' && typeof text === 'string') ||
  (type === 'tool_call' && typeof toolName === 'string') ||
  (type === 'tool_result' && (typeof toolName === 'string' || typeof toolId === 'string')) ||
  (type === 'completion' && typeof finalText === 'string');

/** Factory's Droid: its sessions, and the output of `droid exec --output-format stream-json`. */
export const factoryTranscript = messageImporter({
  name: 'factory',
  reads:
    "sessions of Factory's Droid in `~/.factory/sessions`, and `droid exec --output-format stream-json`",
  sample: 'written after a public reader, robertpelloni/borg 612f1c8',
  isMessage: (value) => isStored(value) || isStreamed(value),
  isTelling: (value) =>
    (isStored(value) &&
      objectsOf((value.message as JsonObject).content).some(({ type }) =>
        /^tool_(?:use|result)$/.test(textOf(type)),
      )) ||
    (value.type === 'session_start' && 'sessionTitle' in value) ||
    (isStreamed(value) && (value.type === 'tool_call' || value.type === 'completion')),
  messageIds: ['session_id', 'sessionId'],
  parts: entryParts,
  moment: ({ timestamp: at }) => ({ at }),
  isSilent: (value) => isObject(value) && SILENT.has(textOf(value.type)),
});

function entryParts(entry: JsonObject): Part[] {
  const { type, role, text, message } = entry;
  if (isObject(message)) return messageParts(message);
  const id = entry.toolCallId ?? entry.id;
  if (type === 'tool_call') return [called(id, entry.toolName, entry.parameters ?? entry.input)];
  if (type === 'tool_result')
    return [
      returned(id, entry.value ?? entry.result ?? entry.output ?? entry.error, {
        error: entry.isError,
      }),
    ];
  // The completion repeats the last message.
  return type === 'completion' ? [] : told(role === 'user' ? 'person' : 'says', text);
}
