import type { Rung } from '@unrut/engine/event';
import { type JsonObject, textOf } from '@unrut/engine/json';
import type { HookMeans } from './hook-answer.ts';
import type { HookDialect, HookTold } from './hook-payload.ts';

/**
 * The message of a plugin, which runs in its host's process, to the hook about one event of the
 * host.
 */
export interface PluginPayload<Hook extends string = string> {
  /** The host's own name of the hook. */
  hook: Hook;
  /** The session that a person speaks to. */
  session: string;
  /** The session of a nested agent. */
  agent?: string;
  /** The project's folder. */
  cwd?: string;
  input?: unknown;
  output?: unknown;
  event?: unknown;
}

/** The hook's answer to the plugin. */
export interface PluginAnswer {
  /** The call is not to run; the model reads this. */
  refuse?: string;
  /** To be added to the result, for the model. */
  append?: string;
  /** For the person. */
  show?: string;
  /** The run ends. */
  stop?: true;
  /** The user's input was meant for Unrut; it is not passed to the model. */
  handled?: true;
}

/**
 * Reads the payloads of a plugin, hook by hook. `rest`: the hook at which the agent's turn ends.
 */
export function pluginDialect<Hook extends string>(
  hooks: Record<Hook, (payload: JsonObject) => HookTold[]>,
  rest?: Hook,
): { isOwn(payload: JsonObject): boolean; payload: HookDialect } {
  const isOwn = ({ hook, session }: JsonObject): boolean =>
    typeof hook === 'string' && typeof session === 'string' && Object.hasOwn(hooks, hook);
  return {
    isOwn,
    payload(payload) {
      const { hook, session, agent } = payload;
      if (!isOwn(payload)) return undefined;
      return {
        session: textOf(session),
        agent: textOf(agent) || undefined,
        told: hooks[hook as Hook](payload),
        ...(hook === rest ? { isRest: true } : {}),
      };
    },
  };
}

/** The abilities of a plugin at each of the listed hooks. */
export const pluginAnswer =
  (hooks: Readonly<Record<string, readonly Rung[]>>) =>
  (payload: JsonObject): HookMeans | undefined => {
    const hook = textOf(payload.hook);
    if (!Object.hasOwn(hooks, hook)) return undefined;
    return {
      does: hooks[hook]!,
      say(rung, { toModel, toHuman }) {
        const said: PluginAnswer = rung === 'block' ? { refuse: toModel } : { append: toModel };
        return { ...said, show: toHuman, ...(rung === 'stop' ? { stop: true } : {}) };
      },
    };
  };
