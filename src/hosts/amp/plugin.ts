import { askHook } from '../reading/ask-hook.ts';
import type { PluginAnswer } from '../reading/plugin-payload.ts';
import type { AmpHook } from './payload.ts';

/** What of Amp's interface to plugins is used. All of it may be missing in another version. */
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

/** The plugin of Amp: hands on what happens to the hook, and refuses what it refuses. Amp hears nothing else from a plugin. */
export function createAmpPlugin(amp: Amp, command: readonly string[]): void {
  async function tell(hook: AmpHook, { thread, ...event }: AmpEvent, context?: Context): Promise<PluginAnswer> {
    if (thread?.id === undefined) return {};
    const answer = await askHook(command, { hook, session: thread.id, cwd: process.cwd(), event }, isAlone());
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
    return refuse === undefined ? { action: 'allow' } : { action: 'reject-and-continue', message: refuse };
  });
  amp.on('tool.result', async (event, context) => void (await quietly(() => tell('tool.result', event, context))));
  amp.on('agent.start', async (event, context) => {
    await quietly(() => tell('agent.start', event, context));
    return {};
  });
}

/** `amp -x`: it works by itself and ends. */
const isAlone = (): boolean => process.argv.some((word) => word === '-x' || word === '--execute');
