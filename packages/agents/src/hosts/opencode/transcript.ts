import { isObject, type JsonObject, objectOf, objectsOf, parsed, textOf } from '@unrut/engine/json';
import { databaseOf } from '@unrut/ledger/sqlite/database-of';
import type { ImportedRun, Importer } from '@unrut/reading/importer';
import { kindOf } from '@unrut/reading/run-documents';
import { callNumbering, costOf, tellResponse } from './response.ts';

/** OpenCode's introduction of commands that the user ran with `!`. */
const RUN_BY_HAND = 'The following tool was executed by the user';

const isMessage = (value: unknown): value is JsonObject & { info: JsonObject } =>
  isObject(value) &&
  isObject(value.info) &&
  typeof value.info.role === 'string' &&
  Array.isArray(value.parts);

const isSession = (
  value: unknown,
): value is JsonObject & { info: JsonObject; messages: unknown[] } =>
  isObject(value) &&
  isObject(value.info) &&
  Array.isArray(value.messages) &&
  (value.messages.some(isMessage) || textOf(value.info.id).startsWith('ses_'));

/**
 * The output of `opencode export`, one session per document; also its bare messages, as its server
 * lists them.
 */
export const opencodeTranscript: Importer = {
  name: 'opencode',
  reads: "OpenCode's sessions: `opencode export`, its server's lists of messages, and its database",
  sample: 'recorded, 1.18',
  version: { tried: '1.18', at: 'info.version' },
  database: readOpencodeDatabase,
  recognises: (first) => first.some((record) => isSession(record) || isMessage(record)),
  open(source) {
    let runByHand = '';
    const numbered = callNumbering();

    function tell(
      run: ImportedRun,
      { info, parts }: JsonObject & { info: JsonObject },
      isNested: boolean,
    ): void {
      const time = objectOf(info.time);
      const id = textOf(info.id);
      const told = objectsOf(parts);
      if (info.role === 'user') {
        if (told.some(({ text }) => text === RUN_BY_HAND)) runByHand = id;
        // The prompt of a nested agent comes from its parent agent.
        else if (!isNested && told.some(isTyped))
          run.person(wordsOf(told.filter(isTyped)), { at: time.created });
      } else if (info.role !== 'assistant') source.unknown(`message of ${textOf(info.role)}`);
      else if (info.summary === true)
        run.compacted({ at: time.completed ?? time.created, cost: costOf(told) });
      else if (runByHand !== '' && info.parentID === runByHand)
        run.person(told.map(commandOf).join('\n'), { at: time.created });
      else
        responsesOf(told).forEach(
          (response, index) => void tellResponse(run, `${id}#${index}`, response, source, numbered),
        );
    }

    return {
      read(record) {
        if (isSession(record)) {
          const { id, parentID } = record.info;
          const isNested = typeof parentID === 'string';
          const session = textOf(id) || source.name;
          const run = isNested ? source.run(parentID, session) : source.run(session);
          for (const message of record.messages) {
            if (isMessage(message)) tell(run, message, isNested);
            else source.unknown('message');
          }
        } else if (isMessage(record))
          tell(source.run(textOf(record.info.sessionID) || source.name), record, false);
        else source.unknown(kindOf(record));
      },
    };
  },
};

/** Text or files from the user; not what OpenCode adds for the model. */
const isTyped = ({ type, synthetic, ignored }: JsonObject): boolean =>
  (type === 'text' && synthetic !== true && ignored !== true) ||
  type === 'subtask' ||
  type === 'file' ||
  type === 'agent';

const wordsOf = (parts: readonly JsonObject[]): string =>
  parts
    .map(({ type, text, prompt }) => textOf(type === 'subtask' ? prompt : text))
    .filter((words) => words !== '')
    .join('\n');

const commandOf = ({ state }: JsonObject): string =>
  isObject(state) && isObject(state.input) && typeof state.input.command === 'string'
    ? `!${state.input.command}`
    : '';

/** Old versions stored all responses of a turn in one message; each begins with `step-start`. */
function responsesOf(parts: readonly JsonObject[]): JsonObject[][] {
  const responses: JsonObject[][] = [[]];
  for (const part of parts) {
    if (part.type === 'step-start' && responses.at(-1)!.length > 0) responses.push([]);
    responses.at(-1)!.push(part);
  }
  return responses;
}

/**
 * The sessions of OpenCode's database in the format of `opencode export`, oldest first. Other
 * tables, such as those with credentials, are not read.
 */
export function readOpencodeDatabase(path: string): Generator<JsonObject> {
  return databaseOf(path, function* (database) {
    const sessions = database.prepare(
      'SELECT id, parent_id, directory, title, version, time_created FROM session ORDER BY time_created, id',
    );
    const messages = database.prepare(
      'SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id',
    );
    const parts = database.prepare(
      'SELECT id, message_id, data FROM part WHERE session_id = ? ORDER BY id',
    );
    for (const { id, parent_id, directory, title, version, time_created } of sessions.all()) {
      const session = textOf(id);
      const partsOf = new Map<string, JsonObject[]>();
      for (const row of parts.iterate(session)) {
        const message = textOf(row.message_id);
        if (!partsOf.has(message)) partsOf.set(message, []);
        partsOf
          .get(message)!
          .push({ ...dataOf(row), id: row.id, sessionID: session, messageID: message });
      }
      yield {
        info: {
          id,
          ...(parent_id === null ? {} : { parentID: parent_id }),
          directory,
          title,
          version,
          time: { created: time_created },
        },
        messages: messages.all(session).map((row) => ({
          info: { ...dataOf(row), id: row.id, sessionID: session },
          parts: partsOf.get(textOf(row.id)) ?? [],
        })),
      };
    }
  });
}

/** A row's JSON; an empty object if it is invalid. */
const dataOf = ({ data }: { data?: unknown }): JsonObject => objectOf(parsed(data));
