import { isObject, type JsonObject, objectOf, objectsOf, textOf } from '@unrut/engine/json';
import { ownWordsIn } from '@unrut/engine/recoveries/own-words';
import type { Importer, ImportMoment, Source } from '@unrut/reading/importer';
import { contentBlocks, messageText } from '@unrut/reading/message-content';
import { responseCost } from '@unrut/reading/response-cost';
import { besideResult, claudeCodeResult, startedTask } from './result.ts';
import { type ClaudeCodeThread, claudeCodeThreads } from './threads.ts';
import { claudeCodeTyped, endedTasks, writtenByTask } from './typed.ts';

/**
 * Lines that hold no step. Summaries are titles in a list of sessions; progress repeats the
 * subagent's own file.
 */
const NO_STEPS = new Set(
  (
    'agent-color agent-name agent-setting ai-title api-request api-request-blob api-request-shape artifact-autoreact-ledger ' +
    'artifact-comment-monitor atis-latch attribution-snapshot bridge-session content-replacement continued-in cost-state custom-title ' +
    'data-flow-incomplete data-flow-records derived-from dev-mods ended-by-model file-history-delta file-history-snapshot fork-context-ref ' +
    'frame-link history-suppression isolation-latch last-prompt memory-mode mode observer-ref permission-mode pr-link progress ' +
    'queue-operation relocated repl-mode resume-head-vouch session-owner summary tag tools-used worktree-state'
  ).split(' '),
);

/** Transcripts of Claude Code and its subagents, with one content block per line. */
export const claudeCodeTranscript: Importer = {
  name: 'claude-code',
  reads: 'transcripts of Claude Code (`~/.claude/projects`), also of its subagents',
  sample: 'recorded, 2.1.325; older shapes after public samples',
  version: { tried: '2.1', at: 'version' },
  recognises: (first) => first.some((record) => isLine(record) || linesIn(record).some(isLine)),
  open(source) {
    const threadOf = claudeCodeThreads(source);
    return {
      read: function read(record) {
        if (linesIn(record).length > 0) {
          for (const line of linesIn(record)) read(line);
          return;
        }
        if (!isObject(record)) return source.unknown(typeof record);
        const type = textOf(record.type);
        const thread = threadOf(record);
        if (readClaudeLine(source, record, thread)) return;
        if (type === 'attachment') readAttachment(record, thread, { at: record.timestamp });
        else if (!NO_STEPS.has(type)) source.unknown(type.slice(0, 40) || 'line without a type');
      },
    };
  },
};

/**
 * Reads the messages and compactions that transcripts and streams share. False for any other line.
 */
export function readClaudeLine(
  source: Source,
  record: JsonObject,
  thread: ClaudeCodeThread,
): boolean {
  const { type, message } = record;
  const moment = { at: record.timestamp };
  if (type === 'user' && isObject(message)) readUser(record, message, thread, moment);
  else if (type === 'assistant' && isObject(message))
    readAssistant(source, record, message, thread, moment);
  else if (type === 'system') readSystem(record, thread, moment);
  else return false;
  return true;
}

/** Claude on the web exports a session as one document. */
const linesIn = (record: unknown): readonly unknown[] =>
  isObject(record) && Array.isArray(record.loglines) ? record.loglines : [];

function isLine(record: unknown): boolean {
  if (!isObject(record)) return false;
  const { type, message } = record;
  if (type === 'user' || type === 'assistant')
    return (
      isObject(message) &&
      message.content !== undefined &&
      ('sessionId' in record || 'isSidechain' in record)
    );
  if (type === 'summary') return typeof record.leafUuid === 'string';
  if (type === 'file-history-snapshot') return isObject(record.snapshot);
  if (type === 'attachment') return isObject(record.attachment) && 'isSidechain' in record;
  return NO_STEPS.has(textOf(type)) && typeof record.sessionId === 'string';
}

function readUser(
  record: JsonObject,
  message: JsonObject,
  thread: ClaudeCodeThread,
  moment: ImportMoment,
): void {
  const { content } = message;
  const results = contentBlocks(content).filter((block) => block.type === 'tool_result');
  const started = startedTask(record.toolUseResult);
  if (started !== undefined) thread.background.add(started);
  for (const id of endedTasks(messageText(content))) thread.background.delete(id);
  for (const block of results) {
    const returned = claudeCodeResult(block.content, block.is_error === true);
    // Streams include the permission decision of each result.
    const decision = objectsOf(record.tool_result_meta).find(
      ({ id }) => id === block.tool_use_id,
    )?.permission_decision;
    const isOnly = results.length === 1;
    const beside = besideResult(
      decision ?? (isOnly ? record.permissionDecision : undefined),
      isOnly ? record.toolUseResult : undefined,
    );
    thread.run.returns(textOf(block.tool_use_id), { ...beside, ...returned }, moment);
  }
  if (record.isCompactSummary === true) {
    if (!thread.isCompacted) thread.run.compacted(moment);
    thread.isCompacted = false;
  } else readTyped(record, content, thread, moment);
}

function readTyped(
  { isMeta, origin, promptSource }: JsonObject,
  content: unknown,
  thread: ClaudeCodeThread,
  moment: ImportMoment,
): void {
  const kind = objectOf(origin).kind;
  if (
    isMeta === true ||
    promptSource === 'system' ||
    (kind ?? (thread.isNested ? 'agent' : 'human')) !== 'human'
  )
    return;
  const typed = claudeCodeTyped(content);
  if (typed !== undefined) thread.run.person(typed, moment);
}

/**
 * Messages typed while the agent works, hook texts, ends of background tasks and changed files
 * arrive as attachments.
 */
function readAttachment(
  { attachment }: JsonObject,
  thread: ClaudeCodeThread,
  moment: ImportMoment,
): void {
  const said = isObject(attachment) ? ownWordsIn(messageText(attachment.content)) : null;
  if (said) thread.run.guarded(said.rung, moment);
  if (!isObject(attachment)) return;
  if (attachment.type === 'edited_text_file') thread.run.changed([textOf(attachment.filename)]);
  for (const id of endedTasks(attachment.prompt)) thread.background.delete(id);
  const written = writtenByTask(attachment.prompt);
  if (written.length > 0) thread.run.changed(written);
  if (attachment.type !== 'queued_command' || (attachment.commandMode ?? 'prompt') !== 'prompt')
    return;
  readTyped(attachment, attachment.prompt, thread, moment);
}

function readSystem({ subtype }: JsonObject, thread: ClaudeCodeThread, moment: ImportMoment): void {
  if (subtype !== 'compact_boundary' && subtype !== 'microcompact_boundary') return;
  thread.run.compacted(moment);
  thread.isCompacted = subtype === 'compact_boundary';
}

function readAssistant(
  source: Source,
  record: JsonObject,
  message: JsonObject,
  thread: ClaudeCodeThread,
  at: ImportMoment,
): void {
  if (message.model === '<synthetic>' || record.isApiErrorMessage === true) return;
  const { run } = thread;
  const moment = createMoments(record, message, thread, at);
  const batch = textOf(message.id) || undefined;
  for (const block of contentBlocks(message.content)) {
    const type = textOf(block.type);
    if (type === 'text') {
      if (textOf(block.text).trim() !== '')
        run.says(textOf(block.text), { ...moment(), ...restIn(message, thread) });
    } else if (type === 'thinking') {
      if (textOf(block.thinking).trim() !== '') run.thinks(textOf(block.thinking), moment());
    } else if (type.endsWith('tool_use')) {
      run.calls(
        { id: textOf(block.id) || undefined, tool: textOf(block.name), args: block.input, batch },
        moment(),
      );
    } else if (type.endsWith('tool_result'))
      run.returns(
        textOf(block.tool_use_id),
        claudeCodeResult(block.content, block.is_error === true),
        at,
      );
    else if (type !== 'redacted_thinking' && type !== 'fallback')
      source.unknown(`assistant: ${type.slice(0, 40)}`);
  }
}

/** Background work wakes the agent when it ends. */
const restIn = (
  { stop_reason: reason }: JsonObject,
  { background }: ClaudeCodeThread,
): { rest?: 'waiting' } =>
  reason === 'end_turn' && background.size > 0 ? { rest: 'waiting' } : {};

/**
 * The times and costs of a line's events. Each line of a response repeats or increases its usage;
 * the first event gets the uncounted part.
 */
function createMoments(
  record: JsonObject,
  message: JsonObject,
  thread: ClaudeCodeThread,
  at: ImportMoment,
): () => ImportMoment {
  if (message.id === undefined || message.id !== thread.response) {
    thread.response = message.id;
    thread.paid = 0;
  }
  const { tokens = 0 } = responseCost(message.usage) ?? {};
  return () => {
    const due = tokens - thread.paid;
    if (due <= 0) return at;
    const usd =
      thread.paid === 0 && typeof record.costUSD === 'number' ? { usd: record.costUSD } : {};
    thread.paid = tokens;
    thread.told += due;
    return { ...at, cost: { tokens: due, ...usd } };
  };
}
