import { objectsOf, textOf } from '@unrut/engine/json';
import { keepIn } from '@unrut/engine/recent';
import type { PluginAnswer } from '@unrut/reading/plugin-payload';
import { askHook } from '../ask-hook.ts';
import type { PiHook } from './payload.ts';

/** The parts of pi's extension interface that we use. Other versions may lack any of them. */
interface Pi {
  on(event: PiHook, handler: (event: PiEvent, context: Context) => Promise<unknown>): unknown;
  registerCommand?(
    name: string,
    command: { description: string; handler(words: string, context: Context): Promise<void> },
  ): unknown;
}

interface Context {
  cwd?: string;
  /** A user can see messages: not with `-p` and `--mode json`. */
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
 * Pi's extension, which runs in its process: passes events to the hook, and applies the answers. pi
 * blocks calls whose handler fails, so handlers never throw.
 */
export function createPiExtension(pi: Pi, command: readonly string[]): void {
  /** Proposed calls without a result so far. */
  const open = new Map<string, unknown>();
  /** The agent's last text, until it is known whether that ended its turn. */
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
    // Calls with invalid arguments or unknown tools are reported only by this event.
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

/** pi joins the parts of a result with newlines. */
const withText = (parts: readonly unknown[], text: string): unknown[] => [
  ...parts,
  { type: 'text', text: `\n${text}` },
];
