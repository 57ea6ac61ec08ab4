import { type Chat, createChat } from '../../hosts/reading/chat/chat.ts';
import type { ImportReading, Source } from '../../hosts/reading/importer.ts';
import { documentName, kindOf } from '../../hosts/reading/run-documents.ts';
import { keepIn } from '../../recent.ts';
import { type Conversation, conversationIn, isMessage, markOf } from './conversations.ts';
import { taggedParts } from './tagged-calls.ts';

/** Conversations that later records may go on from; the one that rested longest is given up first. */
const MAX_OPEN = 64;

interface Known {
  name: string;
  chat: Chat;
  marks: readonly string[];
}

/**
 * Reads records that are the messages of one run, or that each hold a whole conversation. A record that repeats an earlier one and
 * goes on from there is the same run: a log of requests holds the whole history in every record.
 */
export function readConversations(source: Source): ImportReading {
  const known = new Map<string, Known>();
  let lines = 0;

  function open(name: string): Known {
    const opened = known.get(name) ?? { name, chat: createChat(source.run(name), source, `${lines}/`, taggedParts), marks: [] };
    return keepIn(known, name, opened, MAX_OPEN);
  }

  function read({ id, isSession, messages, answer, moment }: Conversation): void {
    const marks = messages.map(markOf);
    const before = [...known.values()].findLast((each) => (!isSession || each.name === id) && isBeginning(each.marks, marks));
    const isOtherVersion = id !== undefined && known.get(id)?.marks[0] === marks[0];
    const fresh = id === undefined ? documentName({}, source.name, lines) : isOtherVersion ? `${id}:${lines}` : id;
    const opened = open(before?.name ?? fresh);
    for (let i = before?.marks.length ?? 0; i < messages.length; i++) {
      opened.chat.read(messages[i], i < answer ? {} : i === answer ? moment : { at: moment.at });
    }
    opened.marks = marks;
  }

  return {
    read(record) {
      lines++;
      const conversation = conversationIn(record);
      if (conversation) read(conversation);
      else if (isMessage(record)) open(source.name).chat.read(record);
      else source.unknown(kindOf(record));
    },
  };
}

/** A single message says too little to be the beginning of anything. */
const isBeginning = (marks: readonly string[], of: readonly string[]): boolean =>
  marks.length > 1 && marks.length < of.length && marks.every((mark, i) => mark === of[i]);
