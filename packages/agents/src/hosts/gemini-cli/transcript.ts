import { isObject, type JsonObject, objectsOf, textOf } from '@unrut/engine/json';
import { createSeen } from '@unrut/engine/recent';
import type { ImportedRun, Importer, Source } from '@unrut/reading/importer';
import { costOnFirst, spentIn } from '@unrut/reading/response-cost';
import { geminiParts, geminiResult, textOfParts } from './parts.ts';

/** Types of model messages; Qwen Code used this format up to version 0.1. */
const MODEL = new Set(['gemini', 'qwen']);
/** Messages of the program to its user. */
const NO_STEPS = new Set(['info', 'error', 'warning']);
/** Beginnings of the texts that Gemini CLI adds as user messages. */
const HARNESS = [
  '<session_context>',
  '<hook_context>',
  'This is the Gemini CLI. We are setting up the context',
  '[System: ',
];
const URGING = 'Please continue.';
const SNAPSHOT = '<state_snapshot>';
/** More messages than a context holds. */
const MAX_MESSAGES = 20_000;

/**
 * Chats of Gemini CLI: a header, then messages that grow from line to line, and patches; older ones
 * are one document.
 */
export const geminiCliTranscript: Importer = {
  name: 'gemini-cli',
  reads: 'chats of Gemini CLI (`~/.gemini/tmp/*/chats`), and of Qwen Code up to 0.1',
  sample: 'recorded, 0.61; the older document after public samples',
  recognises: (first) =>
    first.some(
      (record) => isObject(record) && (isHeader(record) || isPatch(record) || isMessage(record)),
    ),
  open(source) {
    let chat: Chat | undefined;
    let growing: JsonObject | undefined;

    function release(): void {
      if (!growing) return;
      chat ??= createChat(source, {});
      chat.tell(growing);
      growing = undefined;
    }

    return {
      read(record) {
        if (!isObject(record)) source.unknown(typeof record);
        else if (isMessage(record)) {
          if (record.id !== growing?.id || record.type !== growing?.type) release();
          growing = record;
        } else if (isHeader(record) || isPatch(record)) {
          const patch = isObject(record.$set) ? record.$set : record;
          chat ??= createChat(source, patch);
          if (!Array.isArray(patch.messages)) return;
          release();
          chat.tellAll(patch.messages);
        } else if (typeof record.$rewindTo !== 'string')
          source.unknown(textOf(record.type).slice(0, 40) || 'line of no known form');
      },
      end: release,
    };
  },
};

const isHeader = ({ sessionId, projectHash, messages }: JsonObject): boolean =>
  typeof sessionId === 'string' && (typeof projectHash === 'string' || Array.isArray(messages));
const isPatch = ({ $set }: JsonObject): boolean => isObject($set);
const isMessage = ({ id, type, content }: JsonObject): boolean =>
  typeof id === 'string' &&
  (MODEL.has(textOf(type)) ||
    ((type === 'user' || NO_STEPS.has(textOf(type))) && content !== undefined));

interface Chat {
  /** Emits a message, unless it was emitted before. */
  tell(message: JsonObject): void;
  /** Replaces the history, and emits its new messages. */
  tellAll(messages: readonly unknown[]): void;
}

function createChat(source: Source, header: JsonObject): Chat {
  const run = source.run(textOf(header.sessionId) || undefined);
  const isNested = header.kind === 'subagent';
  const isKnown = createSeen(MAX_MESSAGES);
  let isSummary = false;

  function tell(message: JsonObject): void {
    const type = textOf(message.type);
    if (isKnown(`${type} ${textOf(message.id)}`)) return;
    if (type === 'user') isSummary = tellUser(run, message, isNested) === 'summary';
    else if (MODEL.has(type)) {
      // Each summary is followed by an answer that the program writes in the model's name.
      if (!isSummary) tellModel(run, message);
      isSummary = false;
    } else if (!NO_STEPS.has(type)) source.unknown(`message: ${type.slice(0, 40)}`);
  }

  return {
    tell,
    tellAll(messages) {
      for (const message of messages) if (isObject(message)) tell(message);
      isSummary = false;
    },
  };
}

function tellUser(run: ImportedRun, message: JsonObject, isNested: boolean): 'summary' | undefined {
  const moment = { at: message.timestamp };
  const parts = geminiParts(message.content);
  const answers = parts.filter((part) => isObject(part.functionResponse));
  for (const part of answers) {
    const id = textOf((part.functionResponse as JsonObject).id);
    // With several answers, their other parts cannot be assigned.
    if (id !== '') run.returns(id, geminiResult(answers.length === 1 ? parts : [part]), moment);
  }
  const text = textOfParts(parts).trim();
  if (text.startsWith(SNAPSHOT)) {
    run.compacted(moment);
    return 'summary';
  }
  if (
    parts.length === 0 ||
    answers.length > 0 ||
    isNested ||
    text === URGING ||
    HARNESS.some((beginning) => text.startsWith(beginning))
  )
    return undefined;
  run.person(textOfParts(geminiParts(message.displayContent ?? message.content)), moment);
  return undefined;
}

function tellModel(run: ImportedRun, message: JsonObject): void {
  const cost = spentIn(message.tokens, {
    input: 'input',
    cached: 'cached',
    output: ['output', 'thoughts'],
  });
  const moment = costOnFirst({ at: message.timestamp, cost });
  const parts = geminiParts(message.content);
  const thoughts = objectsOf(message.thoughts);
  const thought = [
    ...thoughts.map(({ subject, description }) =>
      `${textOf(subject)}\n${textOf(description)}`.trim(),
    ),
    ...parts.filter((part) => part.thought === true).map((part) => textOf(part.text)),
  ].join('\n\n');
  if (thought.trim() !== '') run.thinks(thought, moment());
  const text = textOfParts(parts);
  if (text.trim() !== '') run.says(text, moment());
  const batch = textOf(message.id) || undefined;
  const calls = objectsOf(message.toolCalls);
  const idOf = ({ id }: JsonObject, i: number): string =>
    textOf(id) || `${textOf(message.id)} ${i}`;
  for (const [i, call] of [...calls, ...callsAmong(parts, calls)].entries()) {
    run.calls({ id: idOf(call, i), tool: textOf(call.name), args: call.args, batch }, moment());
  }
  for (const [i, call] of calls.entries()) {
    const { result, status, timestamp } = call;
    if (result !== undefined && result !== null)
      run.returns(idOf(call, i), geminiResult(geminiParts(result), status), { at: timestamp });
  }
}

/** Calls that only the content reports. */
const callsAmong = (parts: readonly JsonObject[], told: readonly JsonObject[]): JsonObject[] =>
  parts
    .map((part) => part.functionCall)
    .filter((call): call is JsonObject => isObject(call) && !told.some(({ id }) => id === call.id));
