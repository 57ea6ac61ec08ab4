import type { Rung } from '@unrut/engine/event';
import { type JsonObject, textOf } from '@unrut/engine/json';
import { AFTER_CALL, type HookMeans, type HookWords } from '@unrut/reading/hook-answer';
import type { HostHooks } from '../define-host.ts';

/** A refusal before the call. The model reads why, a person sees that. */
export const denyCall = ({ toModel, toHuman }: HookWords): JsonObject => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: toModel,
  },
  systemMessage: toHuman,
});

/** A text next to the result, for the model. */
export const addContext = (hookEventName: string, { toModel, toHuman }: HookWords): JsonObject => ({
  hookSpecificOutput: { hookEventName, additionalContext: toModel },
  systemMessage: toHuman,
});

/** The end of the run. Only a person reads why. */
export const stopAnswer = ({ toHuman }: HookWords): JsonObject => ({
  continue: false,
  stopReason: toHuman,
});

/** What can be done when a turn has ended. A text for the model would make it go on. */
export const AT_REST: readonly Rung[] = ['escalate', 'stop'];
const isEndOfTurn = (event: string): boolean => event === 'Stop' || event === 'SubagentStop';

/** The means of a host that is answered as Claude Code is, and does at each hook what is listed. */
export const claudeLikeAnswer =
  (hooks: Readonly<Record<string, readonly Rung[]>>) =>
  (payload: JsonObject): HookMeans | undefined => {
    const event = textOf(payload.hook_event_name);
    if (!Object.hasOwn(hooks, event)) return undefined;
    return {
      does: hooks[event]!,
      say: (rung, words) =>
        rung === 'stop'
          ? stopAnswer(words)
          : rung === 'block'
            ? denyCall(words)
            : isEndOfTurn(event)
              ? { systemMessage: words.toHuman }
              : addContext(event, words),
    };
  };

/** How those who are answered as Claude Code is tell a person something. */
export const claudeLikePerson: NonNullable<HostHooks['person']> = {
  starts: ({ hook_event_name: event, source }) => event === 'SessionStart' && source !== 'compact',
  say: ({ hook_event_name: event }, text) =>
    event === 'UserPromptSubmit' ? { decision: 'block', reason: text } : { systemMessage: text },
};

/** What Claude Code does at each of its hooks around calls. */
const atHooks = claudeLikeAnswer({
  PreToolUse: ['note', 'hint', 'block', 'escalate', 'stop'],
  PostToolUse: AFTER_CALL,
  PostToolUseFailure: AFTER_CALL,
  PostToolBatch: AFTER_CALL,
  // The end of a nested agent in the background arrives as a prompt.
  UserPromptSubmit: ['note'],
  Stop: AT_REST,
  SubagentStop: AT_REST,
});

/** After a compaction the agent reads what the hook adds. */
const afterCompaction = claudeLikeAnswer({ SessionStart: ['note', 'hint', 'escalate'] });

/**
 * With `--output-format stream-json`, a message of the system is a record of its own; why a hook
 * stopped the run is not.
 */
export const claudeCodeAnswer: HostHooks['answer'] = (payload, _, isAlone) => {
  const means = payload.source === 'compact' ? afterCompaction(payload) : atHooks(payload);
  if (!means || !isAlone) return means;
  return {
    ...means,
    say: (rung, words) =>
      rung === 'stop'
        ? { ...stopAnswer(words), systemMessage: words.toHuman }
        : means.say(rung, words),
  };
};
