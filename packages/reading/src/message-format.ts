import { hash32 } from '@unrut/engine/hash';
import { isObject, type JsonObject, objectOf, textOf, valueIn } from '@unrut/engine/json';
import { type Chat, createChat } from './chat/chat.ts';
import type { Part } from './chat/part.ts';
import type { Importer, ImportMoment } from './importer.ts';
import { documentName, kindOf } from './run-documents.ts';

/**
 * A format whose runs are lists of messages, described: how a message is known, and what happens in
 * it.
 */
export interface MessageFormat
  extends Pick<Importer, 'name' | 'reads' | 'sample' | 'database' | 'version'> {
  isMessage(value: JsonObject): boolean;
  /** Whether no other format has such a message. Default: any of its messages. */
  isTelling?(value: JsonObject): boolean;
  /**
   * The parts of a message in order. `kept` is for parts that a later message of the file
   * completes.
   */
  parts(message: JsonObject, kept: Map<string, JsonObject>): Part[];
  /** The time, agent and cost of a message. */
  moment?(message: JsonObject): ImportMoment;
  /** Paths of the messages in a document, such as `values.messages`. */
  lists?: readonly string[];
  /** Paths of a run's id, in a document and in a message. */
  ids?: readonly string[];
  messageIds?: readonly string[];
  /** The parts of a document that come before its messages: the task. */
  before?(document: JsonObject): Part[];
  /** The cost and the outcome that a document states about the whole run. */
  ends?(document: JsonObject): ImportMoment & { outcome?: string };
  /** Documents of nested agents in it, by their names. */
  nested?(document: JsonObject): readonly (readonly [agent: string, document: JsonObject])[];
  /** A message holds several responses of the model, each with its calls and then their results. */
  isManyResponses?: true;
  /**
   * Messages are streamed pieces: an utterance or a thought continues until another kind of part
   * follows.
   */
  isStreamed?: true;
  /** Records that are known and hold no step. */
  isSilent?(record: unknown): boolean;
}

/** The importer of a described format. */
export function messageImporter(format: MessageFormat): Importer {
  const {
    name,
    reads,
    sample,
    isMessage,
    isTelling = isMessage,
    lists = [],
    ids = [],
    messageIds = [],
  } = format;
  const some = (list: readonly unknown[], is: (value: JsonObject) => boolean): boolean =>
    list.some((each) => isObject(each) && is(each));
  const listsIn = (record: unknown): readonly unknown[][] =>
    Array.isArray(record)
      ? [record]
      : lists.map((path) => valueIn(record, path)).filter((list) => Array.isArray(list));
  const listIn = (record: unknown): readonly unknown[] | undefined => {
    const all = listsIn(record);
    return all.find((list) => some(list, isMessage)) ?? all.find(({ length }) => length === 0);
  };
  return {
    name,
    reads,
    sample,
    ...(format.database ? { database: format.database } : {}),
    ...(format.version ? { version: format.version } : {}),
    recognises: (first) =>
      first.some(
        (record) =>
          some([record], isTelling) || listsIn(record).some((list) => some(list, isTelling)),
      ),
    open(source) {
      const chats = new Map<string, Chat>();
      const known = new Map<string, readonly number[]>();
      const kept = new Map<string, JsonObject>();
      /** The cost of a message without a step is added to the next step. */
      const owed = new Map<Chat, ImportMoment['cost']>();
      let spoken:
        | { chat: Chat; part: { kind: 'says' | 'thinks'; text: string }; moment: ImportMoment }
        | undefined;
      let records = 0;
      let batches = 0;

      function chatOf(session: string, agent?: string): Chat {
        const key = JSON.stringify([session, agent]);
        const chat = chats.get(key) ?? createChat(source.run(session, agent), source);
        chats.set(key, chat);
        return chat;
      }
      function tell(chat: Chat, message: unknown, agent?: string): void {
        if (isObject(message) && isMessage(message)) {
          // Messages to a nested agent come from its parent agent.
          const parts = format
            .parts(message, kept)
            .filter(({ kind }) => agent === undefined || kind !== 'person');
          const { cost = owed.get(chat), ...moment } = format.moment?.(message) ?? {};
          if (parts.length === 0) owed.set(chat, cost);
          else owed.delete(chat);
          add(chat, parts, { ...moment, cost });
        } else if (!format.isSilent?.(message)) source.unknown(kindOf(message));
      }
      function add(chat: Chat, parts: readonly Part[], moment: ImportMoment): void {
        const [piece, more] = parts;
        if (
          format.isStreamed &&
          more === undefined &&
          (piece?.kind === 'says' || piece?.kind === 'thinks')
        ) {
          const { kind, text } = piece;
          if (spoken?.chat === chat && spoken.part.kind === kind) spoken.part.text += text;
          else {
            flush();
            spoken = { chat, part: { kind, text }, moment };
          }
          return;
        }
        if (parts.length > 0) flush();
        chat.tell(parts, moment, format.isManyResponses ? undefined : `${++batches}`);
      }
      function flush(): void {
        if (spoken) spoken.chat.tell([spoken.part], spoken.moment);
        spoken = undefined;
      }
      function readDocument(
        document: JsonObject,
        messages: readonly unknown[],
        session: string,
        agent?: string,
      ): void {
        const marks = messages.map((message) => hash32(JSON.stringify(message) ?? ''));
        const before = known.get(session) ?? [];
        const isSame = before.slice(0, marks.length).every((mark, i) => mark === marks[i]);
        // A history of states has the same messages in every record; another document under the
        // same name is another run.
        const isAgain = agent === undefined && before.length > 0 && isSame;
        const run =
          agent !== undefined || before.length === 0 || isSame ? session : `${session}:${records}`;
        if (isAgain && marks.length <= before.length) return;
        if (agent === undefined) known.set(run, marks);
        const chat = chatOf(run, agent);
        if (!isAgain) chat.tell(format.before?.(document) ?? [], {});
        for (const message of messages.slice(isAgain ? before.length : 0))
          tell(chat, message, agent);
        for (const [id, inner] of format.nested?.(document) ?? [])
          readDocument(inner, listIn(inner) ?? [], run, id);
        const end = format.ends?.(document);
        if (end && agent === undefined) source.run(run).ends(end);
      }
      return {
        read(record) {
          records++;
          const list = listIn(record);
          const document = objectOf(record);
          if (list)
            readDocument(
              document,
              list,
              idIn(document, ids) ?? documentName(document, source.name, records),
            );
          else if (isObject(record) && isMessage(record))
            tell(chatOf(idIn(record, messageIds) ?? source.name), record);
          else tell(chatOf(source.name), record);
        },
        end: flush,
      };
    },
  };
}

const idIn = (record: JsonObject, paths: readonly string[]): string | undefined =>
  paths.map((path) => textOf(valueIn(record, path))).find((id) => id !== '');

export { called, callsAndResults, type Part, returned, strange, told } from './chat/part.ts';
