import { isObject, type JsonObject, objectOf, textOf } from '@unrut/engine/json';
import type { ImportedRun, Importer } from '@unrut/reading/importer';
import { costOnFirst, spentIn } from '@unrut/reading/response-cost';
import { geminiParts, geminiResult, textOfParts } from '../gemini-cli/parts.ts';

const TYPES = new Set(['user', 'assistant', 'tool_result', 'system']);

/** Chats of Qwen Code: one record per line; messages consist of Gemini API parts. */
export const qwenCodeTranscript: Importer = {
  name: 'qwen-code',
  reads: 'chats of Qwen Code (`~/.qwen/projects/*/chats`)',
  sample: 'recorded, 0.24',
  version: { tried: '0.24', at: 'version' },
  recognises: (first) => first.some(isRecord),
  open(source) {
    return {
      read(record) {
        if (!isObject(record)) return source.unknown(typeof record);
        const { type, message, sessionId, timestamp } = record;
        const agent =
          record.isSidechain === true
            ? textOf(record.agentId) || textOf(record.agentName) || 'subagent'
            : undefined;
        const run = source.run(textOf(sessionId) || undefined, agent);
        const moment = { at: timestamp };
        if (!TYPES.has(textOf(type)))
          source.unknown(textOf(type).slice(0, 40) || 'record without a type');
        else if (type === 'system') {
          if (record.subtype === 'chat_compression') run.compacted(moment);
        } else if (!isObject(message)) source.unknown(`${textOf(type)} without a message`);
        else if (type === 'assistant') readAssistant(run, record, geminiParts(message.parts));
        else if (type === 'tool_result') readResult(run, record, geminiParts(message.parts));
        else if (agent === undefined && isTyped(record))
          run.person(textOfParts(geminiParts(message.parts)), moment);
      },
    };
  },
};

function isRecord(record: unknown): boolean {
  if (!isObject(record) || typeof record.uuid !== 'string' || typeof record.sessionId !== 'string')
    return false;
  const { type, message, systemPayload } = record;
  return (
    TYPES.has(textOf(type)) &&
    (type === 'system'
      ? isObject(systemPayload)
      : isObject(message) && Array.isArray(message.parts))
  );
}

/** Newer versions mark the author; in older ones, the program's texts have a subtype. */
const isTyped = ({ provenance, subtype }: JsonObject): boolean =>
  provenance === undefined
    ? subtype === undefined || subtype === 'mid_turn_user_message'
    : provenance === 'real_user';

function readAssistant(run: ImportedRun, record: JsonObject, parts: readonly JsonObject[]): void {
  // Thoughts are counted as part of the output.
  const counts = {
    input: 'promptTokenCount',
    cached: 'cachedContentTokenCount',
    output: 'candidatesTokenCount',
  };
  const moment = costOnFirst({ at: record.timestamp, cost: spentIn(record.usageMetadata, counts) });
  const thought = parts.filter((part) => part.thought === true).map((part) => textOf(part.text));
  if (thought.join('').trim() !== '') run.thinks(thought.join('\n\n'), moment());
  const text = textOfParts(parts);
  if (text.trim() !== '') run.says(text, moment());
  const batch = textOf(record.uuid) || undefined;
  for (const { functionCall: call } of parts) {
    if (isObject(call))
      run.calls(
        { id: textOf(call.id) || undefined, tool: textOf(call.name), args: call.args, batch },
        moment(),
      );
  }
}

function readResult(
  run: ImportedRun,
  { toolCallResult, timestamp }: JsonObject,
  parts: readonly JsonObject[],
): void {
  const about = objectOf(toolCallResult);
  const answer = parts.find((part) => isObject(part.functionResponse))?.functionResponse as
    | JsonObject
    | undefined;
  const returned = geminiResult(parts, about.status, about.errorType);
  const shown = objectOf(about.resultDisplay).exitCode;
  if (typeof shown === 'number') returned.exitCode = shown;
  run.returns(textOf(answer?.id) || textOf(about.callId) || undefined, returned, { at: timestamp });
}
