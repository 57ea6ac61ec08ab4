import { isObject, type JsonObject, objectsOf, textOf } from '@unrut/engine/json';
import type { Plan } from '@unrut/engine/policy/plan';
import type { CheckedOptions, SessionName } from '../options.ts';
import { createToolRuns, type Ended } from '../tool-run.ts';

/** The used parts of `@strands-agents/sdk`, whose events are recognised by class. */
export interface StrandsSdk {
  MessageAddedEvent: unknown;
  ModelMessageEvent: unknown;
  BeforeToolsEvent: unknown;
  BeforeToolCallEvent: unknown;
  AfterToolCallEvent: unknown;
  AfterToolsEvent: unknown;
  TextBlock: new (text: string) => unknown;
  ToolResultBlock: new (data: object) => unknown;
}

/** An agent, as far as it is read. */
interface StrandsAgent {
  sessionId?: unknown;
  messages?: readonly unknown[];
  toolRegistry?: { get?(name: string): unknown };
  addHook(event: unknown, callback: (event: StrandsEvent) => void | Promise<void>): unknown;
}

/** The used fields of all events. */
interface StrandsEvent {
  message?: { role?: unknown; content?: unknown };
  toolUse?: { name: string; toolUseId: string; input: unknown };
  result?: unknown;
  cancel?: boolean | string;
  endTurn?: unknown;
}

/** A plugin of Strands. */
export interface UnrutStrandsPlugin {
  readonly name: 'unrut';
  // biome-ignore lint/suspicious/noExplicitAny: the types of Strands would have to be imported.
  initAgent(agent: any): Promise<void>;
}

/** The tool by which Strands asks for an answer that matches a schema. */
const STRUCTURED_OUTPUT = 'strands_structured_output';

const blocksOf = ({ content }: { content?: unknown }): JsonObject[] => objectsOf(content);
const textIn = (blocks: readonly JsonObject[]): string =>
  blocks
    .flatMap(({ type, text }) => (type === 'textBlock' ? textOf(text) : []))
    .filter((text) => text !== '')
    .join('\n');

/** The plugin; it receives the parts of Strands when it is added to an agent. */
export function pluginWith(
  load: () => Promise<StrandsSdk>,
  options: CheckedOptions,
): UnrutStrandsPlugin {
  const runs = createToolRuns('strands', options);

  function follow(agent: StrandsAgent, sdk: StrandsSdk): void {
    const of: SessionName = { session: options.session ?? `strands ${textOf(agent.sessionId)}` };
    const refused = new Map<string, string>();
    let stop: Plan | undefined;
    const on = (event: unknown, callback: (event: StrandsEvent) => Promise<void>): void => {
      agent.addHook(event, async (given) => {
        try {
          await callback(given);
        } catch (error) {
          runs.fault(error);
        }
      });
    };
    on(sdk.MessageAddedEvent, async ({ message }) => {
      const blocks = blocksOf(message ?? {});
      if (message?.role !== 'user' || blocks.some(({ type }) => type === 'toolResultBlock')) return;
      stop = undefined;
      await runs.user(of, textIn(blocks));
    });
    on(sdk.ModelMessageEvent, async ({ message }) =>
      runs.said(of, textIn(blocksOf(message ?? {}))),
    );
    // All calls of a response are reported before one of them runs.
    on(sdk.BeforeToolsEvent, async ({ message }) => {
      refused.clear();
      for (const { type, toolUseId, name, input } of blocksOf(message ?? {})) {
        if (type !== 'toolUseBlock') continue;
        const id = textOf(toolUseId);
        const before = await runs.propose(of, { id, tool: textOf(name), args: input });
        stop ??= before.stop;
        const why = before.refuse ?? before.stop;
        if (why) refused.set(id, why.toModel);
      }
    });
    on(sdk.BeforeToolCallEvent, async (event) => {
      const why = refused.get(event.toolUse!.toolUseId);
      if (why !== undefined) event.cancel = why;
    });
    on(sdk.AfterToolCallEvent, async (event) => {
      const { toolUseId: id, name, input } = event.toolUse!;
      if (refused.has(id) || !isObject(event.result)) return;
      const { result } = event;
      const after = await runs.finish(of, { id, tool: name, args: input }, endOf(result));
      stop ??= after.stop;
      if (!after.note) return;
      const content = [...(result.content as unknown[]), new sdk.TextBlock(after.note.toModel)];
      event.result = new sdk.ToolResultBlock({
        toolUseId: result.toolUseId,
        status: result.status,
        error: result.error,
        content,
      });
    });
    agent.addHook(sdk.AfterToolsEvent, (event) => {
      if (!stop) return;
      const hasSchema = agent.toolRegistry?.get?.(STRUCTURED_OUTPUT) !== undefined;
      runs.end(stop, { session: of.session, messages: agent.messages ?? [] }, hasSchema);
      event.endTurn = stop.toHuman;
    });
  }

  return {
    name: 'unrut',
    async initAgent(agent: StrandsAgent) {
      try {
        follow(agent, await load());
      } catch (error) {
        runs.fault(error);
      }
    },
  };
}

/** How a call ended: what the model sees of it. */
function endOf(result: JsonObject): Ended {
  const blocks = blocksOf(result);
  const texts = blocks.map(({ type, text, json }) => (type === 'textBlock' ? text : json));
  return {
    result: texts.length === 1 ? texts[0] : texts,
    ...(result.status === 'error' ? { error: true } : {}),
  };
}
