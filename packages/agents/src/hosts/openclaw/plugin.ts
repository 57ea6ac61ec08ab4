import { isObject, objectOf, objectsOf, textOf } from '@unrut/engine/json';
import { keepIn } from '@unrut/engine/recent';
import type { PluginAnswer } from '@unrut/reading/plugin-payload';
import { askHook } from '../ask-hook.ts';
import type { OpenclawHook } from './payload.ts';

/** The parts of OpenClaw's plugin interface that we use. Other versions may lack any of them. */
interface Api {
  logger?: { warn?(text: string): void };
}

/** Max number of remembered calls and runs. */
const MAX = 500;

type Handler = (event: unknown, context: unknown) => Promise<unknown>;

/**
 * The plugin's handlers, by the event for which the installed file registers them. OpenClaw blocks
 * a call or run whose handler fails, so handlers never throw.
 */
export function createOpenclawPlugin(
  { logger }: Api,
  command: readonly string[],
): Record<OpenclawHook, Handler> {
  /** Proposed calls; others never reached a tool. */
  const proposed = new Map<string, true>();
  /** The folder of each session, since not all hooks include it. */
  const folders = new Map<string, string>();
  /** Runs without a user: heartbeats and schedules. */
  const unasked = new Map<string, true>();

  async function tell(hook: OpenclawHook, event: object, context: unknown): Promise<PluginAnswer> {
    const { sessionId, runId, workspaceDir } = objectOf(context);
    const session = textOf(sessionId);
    if (session === '') return {};
    const cwd = textOf(workspaceDir) || (folders.get(session) ?? '');
    if (cwd !== '') keepIn(folders, session, cwd, MAX);
    const answer = await askHook(
      command,
      { hook, session, ...(cwd === '' ? {} : { cwd }), event },
      unasked.has(textOf(runId)),
    );
    if (answer.show && !answer.handled) logger?.warn?.(answer.show);
    return answer;
  }

  const handlers: Record<OpenclawHook, Handler> = {
    async before_tool_call(event, context) {
      const { toolName, toolCallId, params: args } = objectOf(event);
      keepIn(proposed, textOf(toolCallId), true, MAX);
      const { refuse } = await tell('before_tool_call', { toolCallId, toolName, args }, context);
      return refuse === undefined ? undefined : { block: true, blockReason: refuse };
    },
    async tool_result_middleware(event, context) {
      const { toolName, toolCallId, args, isError, result } = objectOf(event);
      const { content, details } = objectOf(result);
      const parts = objectsOf(content);
      const { append } = await tell(
        'tool_result_middleware',
        { toolCallId, toolName, args, isError, ...toldIn(parts, details) },
        context,
      );
      if (append === undefined || !isObject(result)) return undefined;
      return { result: { ...result, content: [...parts, { type: 'text', text: `\n${append}` }] } };
    },
    async after_tool_call(event, context) {
      const { toolName, toolCallId, params: args, error, result } = objectOf(event);
      // Calls with invalid arguments or unknown tools are reported only by this hook.
      if (proposed.has(textOf(toolCallId))) return;
      const { content, details } = objectOf(result);
      await tell(
        'after_tool_call',
        {
          toolCallId,
          toolName,
          args,
          isError: error !== undefined,
          ...toldIn(objectsOf(content), details),
        },
        context,
      );
    },
    async before_agent_run(event, context) {
      const { trigger, runId, inputProvenance } = objectOf(context);
      const isAsked = trigger === undefined || trigger === 'user' || trigger === 'manual';
      const { kind = 'external_user' } = objectOf(inputProvenance);
      if (!isAsked) keepIn(unasked, textOf(runId), true, MAX);
      if (!isAsked || kind !== 'external_user') return undefined;
      const { handled, show } = await tell(
        'before_agent_run',
        { prompt: objectOf(event).prompt },
        context,
      );
      return handled ? { outcome: 'block', reason: 'unrut', message: show } : undefined;
    },
    async llm_output(event, context) {
      await tell('llm_output', { assistantTexts: objectOf(event).assistantTexts }, context);
    },
    async after_compaction(event, context) {
      if (objectOf(event).compactedCount !== 0) await tell('after_compaction', {}, context);
    },
    async session_end(event, context) {
      const { reason } = objectOf(event);
      // The same conversation continues under another id.
      if (reason !== 'compaction') await tell('session_end', { reason }, context);
    },
  };
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [name, harmless(handle)]),
  ) as Record<OpenclawHook, Handler>;
}

/** The text parts of a result; images are omitted. */
function toldIn(parts: readonly object[], details: unknown): object {
  const { status, exitCode } = objectOf(details);
  return {
    content: parts.filter((part) => (part as { type?: unknown }).type === 'text'),
    details: { status, exitCode },
  };
}

const harmless =
  (handle: Handler): Handler =>
  async (event, context) => {
    try {
      return await handle(event, context);
    } catch {
      return undefined;
    }
  };
