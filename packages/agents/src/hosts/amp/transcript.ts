import {
  isObject,
  type JsonObject,
  objectOf,
  objectsOf,
  textOf,
  valueIn,
} from '@unrut/engine/json';
import { personText } from '@unrut/reading/chat/person-text';
import {
  called,
  messageImporter,
  type Part,
  returned,
  strange,
  told,
} from '@unrut/reading/message-format';
import { spentIn } from '@unrut/reading/response-cost';

const isMessage = ({ role, content }: JsonObject): boolean =>
  (role === 'user' || role === 'assistant' || role === 'info') && Array.isArray(content);

/** Threads of Amp: `~/.local/share/amp/threads`. */
export const ampTranscript = messageImporter({
  name: 'amp',
  reads: "Amp's threads in `~/.local/share/amp/threads`, and `amp threads export`",
  sample: 'written after a public reader, jonathan-kellerai/cross_agent_session_resumer ec0eab9',
  isMessage,
  isTelling: (value) =>
    isMessage(value) &&
    (typeof value.messageId === 'number' ||
      objectsOf(value.content).some((block) => 'toolUseID' in block)),
  lists: ['messages'],
  ids: ['id'],
  parts: ({ role, content }) =>
    objectsOf(content).flatMap((block) => blockParts(block, textOf(role))),
  moment: ({ meta, usage }) => ({
    at: valueIn(meta, 'sentAt'),
    cost: spentIn(usage, { input: 'inputTokens', output: 'outputTokens' }),
  }),
});

function blockParts(block: JsonObject, role: string): Part[] {
  switch (block.type) {
    case 'text':
      return role === 'info'
        ? []
        : told(
            role === 'user' ? 'person' : 'says',
            role === 'user' ? personText([textOf(block.text)]) : block.text,
          );
    case 'thinking':
      return told('thinks', block.thinking);
    case 'tool_use':
      return [called(block.id, block.name, block.input)];
    case 'tool_result':
      return [resultPart(block)];
    case 'image':
    case 'redacted_thinking':
    case 'manual_bash_invocation':
    case 'summary':
      return [];
    default:
      return [strange(`block ${textOf(block.type)}`)];
  }
}

/** Tool runs have a status; an unfinished one has only its progress. */
function resultPart({ toolUseID: id, run }: JsonObject): Part {
  if (!isObject(run)) return returned(id, undefined);
  const { status, result, progress, error, reason } = run;
  if (status === 'rejected-by-user') return returned(id, reason ?? result, { refusedBy: 'user' });
  const message = isObject(error) ? error.message : error;
  const exit = objectOf(result).exitCode;
  const output = isObject(result) && typeof result.output === 'string' ? result.output : result;
  return returned(id, message ?? output ?? progress, {
    error: status === 'error',
    exitCode: exit,
  });
}
