import { isObject, type JsonObject, objectOf, parsed, textOf } from '@unrut/engine/json';
import { keepIn } from '@unrut/engine/recent';
import type { ImportedRun, Importer, Returned, Source } from '@unrut/reading/importer';
import { contentBlocks, messageText } from '@unrut/reading/message-content';
import { readTime } from '@unrut/reading/moment';
import { heldResponse } from './held-response.ts';
import { codexCost, codexEnd, codexReturned } from './result.ts';
import { scriptCall } from './script.ts';

/** Lines of a rollout that hold no step. */
const NO_STEPS = new Set([
  'turn_context',
  'world_state',
  'inter_agent_communication',
  'inter_agent_communication_metadata',
]);
/** Items that hold no step. Compactions have their own lines. */
const NO_STEP_ITEMS = new Set([
  'additional_tools',
  'agent_message',
  'compaction',
  'compaction_summary',
  'compaction_trigger',
  'context_compaction',
  'ghost_snapshot',
  'other',
]);
/** Tools of the model's server, which return no output. */
const WITHOUT_OUTPUT = new Set(['web_search_call', 'image_generation_call']);
/** Separate events about the ends of calls. All others repeat them, or are about the program. */
const ENDS = new Set(['exec_command_end', 'mcp_tool_call_end', 'patch_apply_end']);
/** Max number of ends that wait for their outputs. */
const MAX_ENDS = 256;

/**
 * Codex's rollouts: lines `{timestamp, type, payload}`; bare items before September 2025; one
 * document before that.
 */
export const codexTranscript: Importer = {
  name: 'codex',
  reads: 'rollouts of OpenAI Codex (`~/.codex/sessions`), also older ones',
  sample: 'recorded, 0.166; older shapes after public samples',
  version: { tried: '0.166', at: 'payload.cli_version' },
  recognises: (first) =>
    first.some(
      (record) =>
        isObject(record) &&
        (isEnvelope(record) ||
          record.record_type === 'state' ||
          isHeader(record) ||
          isDocument(record)),
    ),
  open: readRollout,
};

const isEnvelope = ({ type, payload }: JsonObject): boolean =>
  isObject(payload) &&
  (type === 'session_meta' ||
    type === 'response_item' ||
    type === 'event_msg' ||
    NO_STEPS.has(textOf(type)));
const isHeader = ({ type, id, timestamp, ...rest }: JsonObject): boolean =>
  type === undefined &&
  typeof id === 'string' &&
  typeof timestamp === 'string' &&
  'instructions' in rest;
const isDocument = ({ session, items }: JsonObject): boolean =>
  isObject(session) && Array.isArray(items);

function readRollout(source: Source): ReturnType<Importer['open']> {
  let run: ImportedRun | undefined;
  let isNested = false;
  let hasUsageRecords = false;
  let total: unknown;
  let copied: ReturnType<typeof copiedHistory>;
  const ends = new Map<string, Returned>();
  const response = heldResponse();

  /** The first header names the run; a forked session repeats its parent's header. */
  function begin(meta: JsonObject): void {
    if (run) return;
    const own = textOf(meta.id) || undefined;
    const session = textOf(meta.session_id) || own;
    const parent = parentOf(meta);
    const root = session === own ? (parent ?? session) : session;
    isNested = root !== own || meta.thread_source === 'subagent';
    run = source.run(root, root === own ? undefined : own);
  }

  function item(payload: JsonObject, at: unknown): void {
    run ??= source.run();
    const to = run;
    const type = textOf(payload.type);
    const id = textOf(payload.call_id) || textOf(payload.id) || undefined;
    if (type === 'message') message(to, payload, at);
    else if (type === 'reasoning') {
      const text = messageText(payload.content) || messageText(payload.summary);
      if (text.trim() !== '') response.model((cost) => to.thinks(text, { at, ...cost }));
    } else if (type.endsWith('_call')) {
      response.model((cost, batch) => {
        const known = id ?? (WITHOUT_OUTPUT.has(type) ? type : undefined);
        to.calls({ id: known, ...calledBy(payload), batch }, { at, ...cost });
        if (WITHOUT_OUTPUT.has(type)) to.returns(known, {}, { at });
      });
    } else if (type.endsWith('_output')) {
      const output = payload.output ?? payload.tools;
      response.answer(
        (cost) => void to.returns(id, codexReturned(output, ends.get(id ?? '')), { at, ...cost }),
      );
    } else if (!NO_STEP_ITEMS.has(type)) source.unknown(`item: ${type.slice(0, 40)}`);
  }

  function message(to: ImportedRun, payload: JsonObject, at: unknown): void {
    if (payload.role === 'assistant') {
      const text = messageText(payload.content);
      if (text.trim() !== '') response.model((cost) => to.says(text, { at, ...cost }));
    } else if (payload.role === 'user' && !isNested) {
      const typed = codexTyped(payload);
      if (typed === undefined) return;
      response.release();
      to.person(typed, { at });
    }
  }

  function event(payload: JsonObject): void {
    if (payload.type === 'token_count') {
      const info = objectOf(payload.info);
      const now = objectOf(info.total_token_usage).total_tokens;
      // Counts are repeated when only rate limits have changed.
      if (!hasUsageRecords && now !== total) response.spent(codexCost(info.last_token_usage));
      total = now ?? total;
    }
    const ended =
      payload.type === 'item_completed'
        ? payload.item
        : ENDS.has(textOf(payload.type))
          ? payload
          : undefined;
    if (!isObject(ended)) return;
    keepIn(ends, ...codexEnd(ended), MAX_ENDS);
  }

  function line(type: string, payload: JsonObject, at: unknown): void {
    if (type === 'session_meta') {
      copied = run ? copied : copiedHistory(payload, at);
      begin(payload);
    } else if (copied?.(payload, at)) return;
    else if (type === 'response_item') item(payload, at);
    else if (type === 'event_msg') event(payload);
    else if (type === 'token_usage_record') {
      hasUsageRecords = true;
      response.spent(codexCost(payload.usage));
    } else if (type === 'compacted') {
      response.release();
      run ??= source.run();
      run.compacted({ at });
    } else if (!NO_STEPS.has(type)) source.unknown(type.slice(0, 40) || 'line without a type');
  }

  return {
    read(record) {
      if (!isObject(record)) source.unknown(typeof record);
      else if (isObject(record.payload))
        line(textOf(record.type), record.payload, record.timestamp);
      else if (isDocument(record)) {
        begin(record.session as JsonObject);
        for (const each of (record.items as unknown[]).filter(isObject)) item(each, each.timestamp);
      } else if (isHeader(record)) begin(record);
      else if (record.record_type !== 'state') item(record, record.timestamp);
    },
    end: response.release,
  };
}

/** Copied lines are written at once; a model's first response takes longer than this. */
const PAUSE = 1000;
/** The text that Codex adds at the end of a subagent's copied history. */
const END_OF_COPY = 'The prior conversation history was forked from your parent agent';

/**
 * A forked session's file begins with a copy of its parent's history, written at the time of the
 * fork. Returns a function that tells whether a line belongs to the copy; undefined if the session
 * was not forked.
 */
function copiedHistory(
  meta: JsonObject,
  begun: unknown,
): ((payload: JsonObject, at: unknown) => boolean) | undefined {
  let last = textOf(meta.forked_from_id) === '' ? undefined : readTime(begun);
  if (last === undefined) return undefined;
  return (payload, at) => {
    const now = readTime(at);
    const isCopy = last !== undefined && now !== undefined && now - last < PAUSE;
    last = isCopy && !isEndOfCopy(payload) ? now : undefined;
    return isCopy;
  };
}

const isEndOfCopy = ({ output, content }: JsonObject): boolean =>
  textOf(output).includes(END_OF_COPY) || messageText(content).includes(END_OF_COPY);

function parentOf({ parent_thread_id: parent, source }: JsonObject): string | undefined {
  const subagent = objectOf(source).subagent;
  const spawn = objectOf(objectOf(subagent).thread_spawn);
  return textOf(parent) || textOf(spawn.parent_thread_id) || undefined;
}

/** In code mode the only tool is a script that calls the others. */
function calledBy(payload: JsonObject): { tool: string; args: unknown } {
  const tool = toolOf(payload);
  const inside =
    tool === 'exec' && payload.type === 'custom_tool_call' ? scriptCall(payload.input) : undefined;
  return inside ?? { tool, args: argumentsOf(payload) };
}

function toolOf({ type, name, namespace }: JsonObject): string {
  if (typeof name !== 'string') return textOf(type).replace(/_call$/, '');
  const server = textOf(namespace);
  return server.startsWith('mcp__') ? `${server.replace(/_*$/, '')}__${name}` : name;
}

function argumentsOf({
  type,
  arguments: args,
  input,
  action,
  revised_prompt: prompt,
}: JsonObject): unknown {
  if (type === 'custom_tool_call') return { input };
  return args === undefined ? (action ?? (prompt === undefined ? {} : { prompt })) : parsed(args);
}

/** Beginnings of the texts that Codex adds as user messages. */
const HARNESS = [
  '<environment_context>',
  '<user_instructions>',
  '# AGENTS.md instructions',
  '<INSTRUCTIONS>',
  '<turn_aborted>',
  '<subagent_notification>',
  '<skill>',
  '<permissions instructions>',
  '<collaboration_mode>',
  '<model_switch>',
  '<personality_spec>',
  '<hook_prompt',
  'Another language model started to solve this problem',
];

/**
 * The text that the user typed; undefined if Codex wrote the message. Newer versions mark the
 * author of each part.
 */
function codexTyped(message: JsonObject): string | undefined {
  const blocks = contentBlocks(message.content);
  const about = message.internal_chat_message_metadata_passthrough;
  const authors =
    isObject(about) && Array.isArray(about.content_item_metadata)
      ? about.content_item_metadata.map(authorOf)
      : [];
  const typed = blocks.filter((block, i) =>
    authors[i] === undefined
      ? !HARNESS.some((beginning) => textOf(block.text).trimStart().startsWith(beginning))
      : authors[i] === 'user',
  );
  if (typed.length === 0) return undefined;
  return typed
    .map((block) => textOf(block.text))
    .filter((text) => text !== '')
    .join('\n');
}

const authorOf = (about: unknown): unknown =>
  isObject(about) && isObject(about.provenance) ? about.provenance.type : undefined;
