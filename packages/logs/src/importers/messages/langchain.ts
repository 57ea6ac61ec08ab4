import { UnrutError } from '@unrut/engine/errors';
import { isObject, type JsonObject, objectOf, objectsOf, parsed, textOf } from '@unrut/engine/json';
import { databaseOf } from '@unrut/ledger/sqlite/database-of';
import {
  called,
  messageImporter,
  type Part,
  returned,
  strange,
  told,
} from '@unrut/reading/message-format';
import { spentIn } from '@unrut/reading/response-cost';

type Kind = 'person' | 'agent' | 'tool' | 'other';
const KINDS: Readonly<Record<string, Kind>> = {
  human: 'person',
  ai: 'agent',
  tool: 'tool',
  function: 'tool',
  system: 'other',
  developer: 'other',
  remove: 'other',
};

/** LangChain messages: constructors, the format of `messages_to_dict`, or a LangGraph state. */
export const langchainMessages = messageImporter({
  name: 'langchain-messages',
  reads:
    'messages of LangChain and states of LangGraph: `messages_to_dict`, serialized objects, `{messages}`, histories of states, and checkpoints in SQLite (JSON)',
  sample: 'recorded, langchain 1.5, langgraph 1.4',
  isMessage: (value) => kindOf(value) !== undefined,
  isTelling: (value) => !['other', undefined].includes(kindOf(value)),
  lists: [
    'messages',
    'values.messages',
    'channel_values.messages',
    'checkpoint.channel_values.messages',
    'state.messages',
  ],
  ids: ['config.configurable.thread_id', 'metadata.thread_id', 'thread_id'],
  parts: messageParts,
  database: readCheckpoints,
  moment: (message) => {
    const { usage_metadata: usage, name } = fieldsOf(message);
    const cost = spentIn(usage, {
      input: 'input_tokens',
      cached: 'input_token_details.cache_read',
      output: 'output_tokens',
    });
    const isNamed = kindOf(message) === 'agent' && textOf(name) !== '' && name !== 'model';
    return { cost, ...(isNamed ? { speaker: textOf(name) } : {}) };
  },
});

/** The last checkpoint of each thread of LangGraph's SQLite saver. */
function readCheckpoints(path: string): Generator<JsonObject> {
  return databaseOf(path, function* (database) {
    const rows = database.prepare(
      'SELECT thread_id, type, checkpoint, MAX(checkpoint_id) FROM checkpoints GROUP BY thread_id, checkpoint_ns',
    );
    for (const { thread_id, type, checkpoint } of rows.iterate()) {
      if (type !== 'json')
        throw new UnrutError(
          'packed',
          `its checkpoints are packed (${textOf(type)}); give the messages as JSON, such as by messages_to_dict`,
        );
      yield {
        thread_id,
        checkpoint: parsed(
          checkpoint instanceof Uint8Array ? Buffer.from(checkpoint).toString('utf8') : checkpoint,
        ),
      };
    }
  });
}

const fieldsOf = (message: JsonObject): JsonObject =>
  isObject(message.kwargs) ? message.kwargs : isObject(message.data) ? message.data : message;

/** From the constructor's class or the type; chunks are messages, too. */
function kindOf(message: JsonObject): Kind | undefined {
  const isBuilt = Array.isArray(message.id) && isObject(message.kwargs);
  const type = isBuilt ? textOf((message.id as unknown[]).at(-1)) : textOf(message.type);
  if (!('content' in fieldsOf(message)) && type !== 'remove') return undefined;
  const name = type.replace(/Message(?:Chunk)?$/, '').toLowerCase();
  return isBuilt || !/Message$/.test(type) ? KINDS[name] : undefined;
}

function messageParts(message: JsonObject): Part[] {
  const fields = fieldsOf(message);
  const extra = objectOf(fields.additional_kwargs);
  switch (kindOf(message)) {
    case 'person':
      return told('person', fields.content);
    case 'tool':
      return [returned(fields.tool_call_id, fields.content, { error: fields.status === 'error' })];
    case 'agent': {
      const listed = objectsOf(fields.tool_calls).length > 0 ? fields.tool_calls : extra.tool_calls;
      return [
        ...told('thinks', extra.reasoning_content),
        ...contentParts(fields.content),
        ...[...objectsOf(listed), ...objectsOf(fields.invalid_tool_calls)].map(callPart),
      ];
    }
    default:
      return [];
  }
}

function callPart(call: JsonObject): Part {
  const inner = isObject(call.function) ? call.function : call;
  return called(call.id, inner.name, inner.args ?? inner.arguments);
}

/** Call blocks repeat `tool_calls`. */
function contentParts(content: unknown): Part[] {
  if (!Array.isArray(content)) return told('says', content);
  return content.flatMap((block) => {
    if (!isObject(block)) return told('says', block);
    const type = textOf(block.type);
    if (/^(?:thinking|reasoning)$/.test(type))
      return told('thinks', block.thinking ?? block.reasoning ?? block.text);
    if (/text$/.test(type) || type === '') return told('says', block);
    return /tool|function|image|audio|file|redacted|server/.test(type) ? [] : [strange(type)];
  });
}
