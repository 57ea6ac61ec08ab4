import { keepIn } from '@unrut/engine/recent';
import type { PluginAnswer, PluginPayload } from '@unrut/reading/plugin-payload';
import { askHook } from '../ask-hook.ts';
import type { OpencodeHook } from './payload.ts';

/** The parts of OpenCode's plugin input that we use. Other versions may lack any of them. */
interface Host {
  directory?: string;
  client?: {
    session?: { abort?(options: { path: { id: string } }): Promise<unknown> };
    tui?: {
      showToast?(options: {
        body: { title: string; message: string; variant: string };
      }): Promise<unknown>;
    };
  };
}

interface Called {
  sessionID: string;
  callID: string;
}

interface Part {
  type: string;
  callID?: string;
  sessionID?: string;
  state?: { status: string; error?: string };
}

interface BusEvent {
  type: string;
  properties?: { sessionID?: string; part?: Part; info?: { id?: string; parentID?: string } };
}

/** Max number of remembered calls and sessions. */
const MAX = 500;

/**
 * OpenCode's plugin, which runs in its process: passes events to the hook, and applies the answers.
 * OpenCode's runtime has no `node:sqlite`, so the hook is a Node process. Only blocks are thrown.
 */
export function createOpencodePlugin({ client, directory }: Host, command: readonly string[]) {
  const parents = new Map<string, string>();
  const refused = new Map<string, true>();
  /**
   * Notes for failed calls, which no hook can change: they are added whenever the failures are sent
   * to the model.
   */
  const notes = new Map<string, string>();
  /** An agent's last text, until it is known whether that ended its turn. */
  const said = new Map<string, string>();
  let underWay: Promise<unknown> = Promise.resolve();

  async function tell(
    payload: Omit<PluginPayload<OpencodeHook>, 'session'>,
    id: string,
  ): Promise<PluginAnswer> {
    let session = id;
    for (let parent = parents.get(id); parent !== undefined; parent = parents.get(parent))
      session = parent;
    const place = {
      session,
      ...(session === id ? {} : { agent: id }),
      ...(directory === undefined ? {} : { cwd: directory }),
    };
    const answer = await askHook(command, { ...payload, ...place }, isRun());
    const { show, stop } = answer;
    if (show)
      void attempt(() =>
        client?.tui?.showToast?.({ body: { title: 'Unrut', message: show, variant: 'warning' } }),
      );
    // Without its own screen OpenCode reports only an abort, so the reason is printed last.
    if (stop && show && isRun()) process.once('exit', () => console.error(show));
    if (stop) await attempt(() => client?.session?.abort?.({ path: { id } }));
    return answer;
  }

  async function handOn(id: string): Promise<void> {
    const text = said.get(id);
    if (said.delete(id)) await tell({ hook: 'experimental.text.complete', output: { text } }, id);
  }

  return {
    async 'tool.execute.before'(input: Called, { args }: { args: unknown }): Promise<void> {
      await handOn(input.sessionID);
      const { refuse } = await tell(
        { hook: 'tool.execute.before', input, output: { args } },
        input.sessionID,
      );
      if (refuse === undefined) return;
      keepIn(refused, input.callID, true, MAX);
      throw new Error(refuse);
    },

    async 'tool.execute.after'(
      input: Called,
      result: { output?: unknown; content?: unknown; metadata?: { exit?: number } },
    ): Promise<void> {
      const { output, content, metadata } = result;
      const shown = { output, content, metadata: { exit: metadata?.exit } };
      const { append } = await tell(
        { hook: 'tool.execute.after', input, output: shown },
        input.sessionID,
      );
      if (append === undefined) return;
      if (Array.isArray(content) && output === undefined)
        content.push({ type: 'text', text: append });
      else result.output = `${String(output ?? '').trimEnd()}\n\n${append}`;
    },

    async event({ event }: { event: BusEvent }): Promise<void> {
      const { part, info, sessionID: session } = event.properties ?? {};
      if (info?.id !== undefined && info.parentID !== undefined)
        keepIn(parents, info.id, info.parentID, MAX);
      const { callID: call = '' } = part ?? {};
      const isFailure =
        event.type === 'message.part.updated' &&
        part?.type === 'tool' &&
        part.state?.status === 'error';
      const id = session ?? part?.sessionID ?? info?.id;
      if (id !== undefined && event.type === 'session.idle') {
        const text = said.get(id) ?? '';
        said.delete(id);
        await tell({ hook: 'session.idle', output: { text } }, id);
        return;
      }
      if (
        id === undefined ||
        !(isFailure || event.type === 'session.compacted' || event.type === 'session.deleted')
      )
        return;
      if (isFailure && refused.has(call)) return;
      const told = tell({ hook: 'event', event }, id).then(
        ({ append }) => append !== undefined && keepIn(notes, call, append, MAX),
      );
      underWay = Promise.all([underWay, told]);
      await told;
    },

    async 'chat.message'(input: { sessionID: string }, output: { parts?: unknown }): Promise<void> {
      await handOn(input.sessionID);
      await tell({ hook: 'chat.message', output: { parts: output.parts } }, input.sessionID);
    },

    async 'experimental.text.complete'(
      input: { sessionID: string },
      { text }: { text?: string },
    ): Promise<void> {
      await handOn(input.sessionID);
      keepIn(said, input.sessionID, text ?? '', MAX);
    },

    async 'experimental.chat.messages.transform'(
      _: unknown,
      { messages = [] }: { messages?: { parts?: Part[] }[] },
    ): Promise<void> {
      await underWay;
      for (const { callID = '', state } of messages.flatMap(({ parts = [] }) => parts)) {
        const note = notes.get(callID);
        if (note !== undefined && state?.error !== undefined && !state.error.endsWith(note))
          state.error = `${state.error}\n\n${note}`;
      }
    },
  };
}

async function attempt(act: () => Promise<unknown> | undefined): Promise<void> {
  try {
    await Promise.race([act(), new Promise((resolve) => setTimeout(resolve, 1000).unref())]);
  } catch {
    // Ignored: OpenCode continues.
  }
}

/** Whether `opencode run` is running, which has no screen and no user. */
const isRun = (): boolean => process.argv.slice(1, 4).includes('run');
