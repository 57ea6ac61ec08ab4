import { objectsOf, textOf } from '@unrut/engine/json';
import { keepIn } from '@unrut/engine/recent';
import type { PluginAnswer } from '@unrut/reading/plugin-payload';
import { askHook } from '../ask-hook.ts';
import type { PiHook } from './payload.ts';

/** What of pi's interface to extensions is used. All of it may be missing in another version. */
interface Pi {
  on(event: PiHook, handler: (event: PiEvent, context: Context) => Promise<unknown>): unknown;
  registerCommand?(
    name: string,
    command: { description: string; handler(words: string, context: Context): Promise<void> },
  ): unknown;
}

interface Context {
  cwd?: string;
  /** Somebody can be shown something: not with `-p` and `--mode json`. */
  hasUI?: boolean;
  mode?: string;
  ui?: { notify?(text: string, kind: 'info' | 'warning'): void };
  sessionManager?: { getSessionId?(): string };
  abort?(): void;
}

interface PiEvent {
  toolCallId?: string;
  toolName?: string;
  input?: unknown;
  content?: unknown;
  isError?: boolean;
  text?: string;
  source?: string;
  message?: PiMessage;
  reason?: string;
}

interface PiMessage {
  role?: string;
  content?: unknown;
  toolCallId?: string;
  toolName?: string;
  isError?: boolean;
}

/** Of how many calls something is remembered. */
const MAX = 500;

/**
 * The extension of pi, which runs in its process: hands on what happens to the hook, and does what
 * it answers. pi refuses a call whose handler fails, so none ever does.
 */
export function createPiExtension(pi: Pi, command: readonly string[]): void {
  /** What was to be called, and has not come to an end yet. */
  const open = new Map<string, unknown>();
  /** What the agent said last, until it is known whether it ended its turn with that. */
  let said: PiMessage | undefined;

  async function tell(
    hook: PiHook,
    event: PiEvent,
    { cwd, hasUI, ui, mode, sessionManager, abort }: Context,
  ): Promise<PluginAnswer> {
    const session = sessionManager?.getSessionId?.();
    if (session === undefined) return {};
    const answer = await askHook(
      command,
      { hook, session, ...(cwd === undefined ? {} : { cwd }), event },
      hasUI === false,
    );
    const { show, stop, handled } = answer;
    if (show && hasUI) ui?.notify?.(show, handled ? 'info' : 'warning');
    else if (show && (stop || handled) && mode !== 'rpc') console.error(show);
    if (stop) abort?.();
    return answer;
  }

  async function handOn(context: Context): Promise<void> {
    const message = said;
    said = undefined;
    if (message) await tell('message_end', { message }, context);
  }

  const on = (hook: PiHook, handle: (event: PiEvent, context: Context) => Promise<unknown>): void =>
    void pi.on(hook, async (event, context) => {
      try {
        return await handle(event, context);
      } catch {
        return undefined;
      }
    });

  on('tool_call', async ({ toolCallId, toolName, input }, context) => {
    await handOn(context);
    const { refuse } = await tell('tool_call', { toolCallId, toolName, input }, context);
    // Refused calls are reported as failures too.
    if (refuse !== undefined) open.delete(toolCallId ?? '');
    return refuse === undefined ? undefined : { block: true, reason: refuse };
  });

  on('tool_result', async ({ toolCallId, toolName, input, content, isError }, context) => {
    const parts = objectsOf(content);
    const texts = parts.filter(({ type }) => type === 'text');
    open.delete(toolCallId ?? '');
    const { append } = await tell(
      'tool_result',
      { toolCallId, toolName, input, content: texts, isError },
      context,
    );
    return append === undefined ? undefined : { content: withText(parts, append) };
  });

  on('input', async ({ text, source }, context) => {
    await handOn(context);
    const { handled } = await tell('input', { text, source }, context);
    return handled ? { action: 'handled' } : undefined;
  });

  on('message_end', async ({ message = {} }, context) => {
    const { role, content, toolCallId: id, toolName, isError } = message;
    const parts = objectsOf(content);
    if (role === 'assistant') {
      for (const part of parts)
        if (part.type === 'toolCall' && part.id !== undefined)
          keepIn(open, textOf(part.id), part.arguments, MAX);
      const words = parts.filter(({ type }) => type === 'text' || type === 'thinking');
      await handOn(context);
      if (words.length > 0) said = { role, content: words };
    }
    // Of a call with wrong arguments, or of no tool that there is, no other event tells.
    if (role !== 'toolResult' || id === undefined || !open.has(id)) return undefined;
    const { append } = await tell(
      'tool_result',
      { toolCallId: id, toolName, input: open.get(id), content, isError },
      context,
    );
    open.delete(id);
    return append === undefined
      ? undefined
      : { message: { ...message, content: withText(parts, append) } };
  });

  on('agent_end', async (_, context) => {
    const message = said;
    said = undefined;
    await tell('agent_end', message ? { message } : {}, context);
  });

  on('session_compact', async (_, context) => void (await tell('session_compact', {}, context)));

  on('session_shutdown', async ({ reason }, context) => {
    if (reason !== 'reload') await tell('session_shutdown', { reason }, context);
  });

  pi.registerCommand?.('unrut', {
    description: 'Unrut (loop guard): status, off [1h], on, why, false-alarm [tool | project]',
    handler: async (words, context) =>
      void (await tell(
        'input',
        { text: `/unrut ${words}`.trim(), source: 'interactive' },
        context,
      )),
  });
}

/** pi puts the parts of a result below each other. */
const withText = (parts: readonly unknown[], text: string): unknown[] => [
  ...parts,
  { type: 'text', text: `\n${text}` },
];
