import { objectOf, textOf } from '@unrut/engine/json';
import { type GuardableModel, guardedModel, isModel } from '../ai-sdk/guarded-model.ts';
import { createConversations } from '../conversation.ts';
import type { Asked } from '../known-conversations.ts';
import type { FrameworkOptions } from '../options.ts';

export { type EventJudge, type FrameworkOptions, LoopError, type SessionName } from '../options.ts';

/** A processor of Mastra, which is asked before each step. */
export interface UnrutProcessor {
  readonly id: 'unrut';
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: Mastra's own types would have to be imported.
  processInputStep(args: any): any;
}

/** The used parts of a processor's input before a step. */
interface StepArgs {
  model?: unknown;
  requestContext?: { get?(name: string): unknown };
}

/**
 * For `inputProcessors` of an agent: the model of each step is asked under guard, whether it was
 * given by its name or as an object.
 */
export function unrutProcessor(options: FrameworkOptions = {}): UnrutProcessor {
  const conversations = createConversations('mastra', options);
  return {
    id: 'unrut',
    name: 'Unrut',
    processInputStep({ model, requestContext }: StepArgs): { model?: GuardableModel } {
      try {
        // Inside Mastra every model gives streams.
        return isModel(model)
          ? {
              model: guardedModel(model, conversations, {
                asked: threadOf(requestContext),
                onlyStreams: true,
              }),
            }
          : {};
      } catch (error) {
        conversations.fault(error);
        return {};
      }
    },
  };
}

/** The agent's memory thread, if it has one. */
function threadOf(context: StepArgs['requestContext']): Asked {
  const { thread } = objectOf(context?.get?.('MastraMemory'));
  return {
    session: textOf(objectOf(thread).id) || textOf(context?.get?.('mastra__threadId')) || undefined,
  };
}
