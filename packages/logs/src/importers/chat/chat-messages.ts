import { ampTranscript } from '@unrut/agents/hosts/amp/transcript';
import { hermesTranscript } from '@unrut/agents/hosts/hermes/transcript';
import { kimiTranscript } from '@unrut/agents/hosts/kimi/transcript';
import { isObject, type JsonObject, objectOf, textOf } from '@unrut/engine/json';
import { keepIn } from '@unrut/engine/recent';
import { type Chat, createChat } from '@unrut/reading/chat/chat';
import type { Importer, ImportReading, Source } from '@unrut/reading/importer';
import { documentName, kindOf } from '@unrut/reading/run-documents';
import { type Conversation, conversationIn, isMessage, markOf } from './conversations.ts';
import { taggedParts } from './tagged-calls.ts';
import { textCalls } from './text-calls.ts';

/** Chat messages with `tool_calls`, ShareGPT turns and Responses API items, in any container. */
export const openaiMessages: Importer = {
  name: 'openai-messages',
  reads:
    'chat messages with `tool_calls`, items of the Responses API, ShareGPT turns: a list, one a line, or a conversation a line',
  sample: 'SDK types and public samples',
  recognises: (first) => chatDialect(first) === 'openai',
  open: readConversations,
};

/** Messages with `tool_use` and `tool_result` blocks, in any container. */
export const anthropicMessages: Importer = {
  name: 'anthropic-messages',
  reads:
    'messages with `tool_use` and `tool_result` blocks, also of Cline and Roo, with calls as blocks or as tags in text: a list, one a line, or a conversation a line',
  sample: 'SDK types and public samples',
  recognises: (first) => chatDialect(first) === 'anthropic',
  open: readConversations,
};

/** Agents whose messages resemble those of an API, with additional markers. */
const OTHERS = [ampTranscript, hermesTranscript, kimiTranscript];
const MAX_MESSAGES = 64;
const ANTHROPIC = /^(?:\w+_)?tool_(?:use|result)$|^(?:redacted_)?thinking$/;
const OPENAI =
  /^(?:(?:input_|output_|reasoning_)?(?:text|image|audio|file)|image_url|video_url|refusal|document|search_result)?$/;

/**
 * The API of a file's messages, judging by their content blocks. Undefined if most records hold no
 * messages, or if there are unknown blocks, which indicate an agent with its own format.
 */
function chatDialect(first: readonly unknown[]): 'openai' | 'anthropic' | undefined {
  if (
    first.some((record) => isOfCodex(record) || OTHERS.some((other) => other.recognises([record])))
  )
    return undefined;
  if (textCalls.recognises(first)) return undefined;
  const found = first.map(messagesIn);
  const messages = found.flat();
  if (found.filter(({ length }) => length > 0).length * 2 < first.length || messages.length === 0)
    return undefined;
  const types = new Set(messages.flatMap(blockTypes));
  if (![...types].every((type) => ANTHROPIC.test(type) || OPENAI.test(type))) return undefined;
  return [...types].some((type) => ANTHROPIC.test(type)) ? 'anthropic' : 'openai';
}

/** Older rollouts of Codex contain bare items, after a header and between states. */
const isOfCodex = (record: unknown): boolean =>
  isObject(record) &&
  ('record_type' in record ||
    ('instructions' in record && 'timestamp' in record && !('output' in record)));

function messagesIn(record: unknown): readonly unknown[] {
  if (isMessage(record)) return [record];
  return (conversationIn(record)?.messages ?? []).slice(0, MAX_MESSAGES).filter(isMessage);
}

function blockTypes(message: unknown): string[] {
  const content = objectOf(message).content;
  return Array.isArray(content) ? content.filter(isObject).map(typeOf) : [];
}

/** A block without a type is text or unknown: Bedrock uses the content's name. */
const typeOf = (block: JsonObject): string =>
  block.type === undefined && !('text' in block)
    ? `block ${Object.keys(block)[0] ?? ''}`
    : textOf(block.type);

/**
 * Max number of conversations that later records may continue; the one idle longest is dropped
 * first.
 */
const MAX_OPEN = 64;

interface Known {
  name: string;
  chat: Chat;
  marks: readonly string[];
}

/**
 * Reads records that are the messages of one run, or that each hold a whole conversation. A record
 * that repeats and extends an earlier one belongs to the same run: request logs contain the whole
 * history in each record.
 */
function readConversations(source: Source): ImportReading {
  const known = new Map<string, Known>();
  let lines = 0;

  function open(name: string): Known {
    const opened = known.get(name) ?? {
      name,
      chat: createChat(source.run(name), source, `${lines}/`, taggedParts),
      marks: [],
    };
    return keepIn(known, name, opened, MAX_OPEN);
  }

  function read({ id, isSession, messages, answer, moment }: Conversation): void {
    const marks = messages.map(markOf);
    const before = [...known.values()].findLast(
      (each) => (!isSession || each.name === id) && isBeginning(each.marks, marks),
    );
    const isOtherVersion = id !== undefined && known.get(id)?.marks[0] === marks[0];
    const fresh =
      id === undefined
        ? documentName({}, source.name, lines)
        : isOtherVersion
          ? `${id}:${lines}`
          : id;
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

/** A single message is not enough to recognise the beginning of a conversation. */
const isBeginning = (marks: readonly string[], of: readonly string[]): boolean =>
  marks.length > 1 && marks.length < of.length && marks.every((mark, i) => mark === of[i]);
