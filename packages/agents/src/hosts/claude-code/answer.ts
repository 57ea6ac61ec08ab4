import type { Rung } from '@unrut/engine/event';
import { type JsonObject, textOf } from '@unrut/engine/json';
import { AFTER_CALL, type HookMeans, type HookWords } from '@unrut/reading/hook-answer';
import type { HostHooks } from '../define-host.ts';

/** Blocks a call. The model reads one text, the user the other. */
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

/** Ends the run. Only the user sees the reason. */
export const stopAnswer = ({ toHuman }: HookWords): JsonObject => ({
  continue: false,
  stopReason: toHuman,
});

/** The rungs available at the end of a turn. A text for the model would make it continue. */
export const AT_REST: readonly Rung[] = ['escalate', 'stop'];
const isEndOfTurn = (event: string): boolean => event === 'Stop' || event === 'SubagentStop';

/** The abilities of a host with Claude Code's answer format, for each of the listed hooks. */
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

/** How hosts with Claude Code's answer format show texts to the user. */
export const claudeLikePerson: NonNullable<HostHooks['person']> = {
  starts: ({ hook_event_name: event, source }) => event === 'SessionStart' && source !== 'compact',
  say: ({ hook_event_name: event }, text) =>
    event === 'UserPromptSubmit' ? { decision: 'block', reason: text } : { systemMessage: text },
};

/** Claude Code's abilities at each hook around calls. */
const atHooks = claudeLikeAnswer({
  PreToolUse: ['note', 'hint', 'block', 'escalate', 'stop'],
  PostToolUse: AFTER_CALL,
  PostToolUseFailure: AFTER_CALL,
  PostToolBatch: AFTER_CALL,
  // The end of a background agent arrives as a prompt.
  UserPromptSubmit: ['note'],
  Stop: AT_REST,
  SubagentStop: AT_REST,
});

/** After a compaction the agent reads what the hook adds. */
const afterCompaction = claudeLikeAnswer({ SessionStart: ['note', 'hint', 'escalate'] });

/**
 * With `--output-format stream-json`, system messages appear in the output, but a hook's reason for
 * stopping does not.
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
