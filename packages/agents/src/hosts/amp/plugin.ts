import { readFileSync } from 'node:fs';
import { isObject } from '@unrut/engine/json';
import type { PluginAnswer } from '@unrut/reading/plugin-payload';
import { askHook } from '../ask-hook.ts';
import type { AmpHook } from './payload.ts';

/** The parts of Amp's plugin interface that we use. Other versions may lack any of them. */
interface Amp {
  on(event: AmpHook, handler: (event: AmpEvent, context?: Context) => Promise<unknown>): unknown;
}

interface Context {
  ui?: { notify?(text: string): Promise<unknown> | undefined };
}

interface AmpEvent {
  thread?: { id?: string };
  toolUseID?: string;
  tool?: string;
  input?: unknown;
  status?: string;
  output?: unknown;
  error?: string;
  message?: string;
}

/**
 * Amp's plugin: passes events to the hook, blocks calls and extends results as the hook answers.
 */
export function createAmpPlugin(amp: Amp, command: readonly string[]): void {
  async function tell(
    hook: AmpHook,
    { thread, ...event }: AmpEvent,
    context?: Context,
  ): Promise<PluginAnswer> {
    if (thread?.id === undefined) return {};
    const answer = await askHook(
      command,
      { hook, session: thread.id, cwd: process.cwd(), event },
      isAlone(),
    );
    if (answer.show) void Promise.resolve(context?.ui?.notify?.(answer.show)).catch(() => {});
    return answer;
  }

  const quietly = async (ask: () => Promise<PluginAnswer>): Promise<PluginAnswer> => {
    try {
      return await ask();
    } catch {
      return {};
    }
  };

  amp.on('tool.call', async (event, context) => {
    const { refuse } = await quietly(() => tell('tool.call', event, context));
    return refuse === undefined
      ? { action: 'allow' }
      : { action: 'reject-and-continue', message: refuse };
  });
  amp.on('tool.result', async (event, context) => {
    const { append } = await quietly(() => tell('tool.result', event, context));
    return append === undefined ? undefined : withNote(event, append);
  });
  amp.on('agent.start', async (event, context) => {
    await quietly(() => tell('agent.start', event, context));
    return {};
  });
}

/** Appends a text to a result, keeping its format. */
function withNote({ status, output, error }: AmpEvent, text: string): unknown {
  const below = (given: unknown): string => (given ? `${given}\n\n${text}` : text);
  if (status === 'error')
    return { status, error: below(error), ...(output === undefined ? {} : { output }) };
  if (Array.isArray(output)) return { status, output: [...output, { type: 'text', text }] };
  if (!isObject(output)) return { status, output: below(output) };
  return {
    status,
    output:
      typeof output.output === 'string'
        ? { ...output, output: below(output.output) }
        : { ...output, unrut: text },
  };
}

/**
 * Whether `amp -x` is running, which works unattended. Its plugins run in a child process; the
 * parent is not known on every platform.
 */
function isAlone(): boolean {
  try {
    return readFileSync(`/proc/${process.ppid}/cmdline`, 'utf8')
      .split('\0')
      .some((word) => word === '-x' || word === '--execute');
  } catch {
    return false;
  }
}
