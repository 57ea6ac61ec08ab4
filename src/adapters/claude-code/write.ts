import type { Rung } from '../../event.ts';
import { type JsonObject, textOf } from '../../json.ts';
import type { HookMeans, HookWords } from '../hook-answer.ts';

/** A refusal before the call. The model reads why, a person sees that. */
export const denyCall = ({ toModel, toHuman }: HookWords): JsonObject => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: toModel },
  systemMessage: toHuman,
});

/** A text beside the result, for the model. */
export const addContext = (hookEventName: string, { toModel, toHuman }: HookWords): JsonObject => ({
  hookSpecificOutput: { hookEventName, additionalContext: toModel },
  systemMessage: toHuman,
});

/** The end of the run. Only a person reads why. */
export const stopRun = ({ toHuman }: HookWords): JsonObject => ({ continue: false, stopReason: toHuman });

const BEFORE: readonly Rung[] = ['note', 'hint', 'block', 'escalate', 'stop'];
const AFTER: readonly Rung[] = ['note', 'hint', 'escalate', 'stop'];

/** What Claude Code does at each of its hooks around calls. */
const DOES: Record<string, readonly Rung[]> = {
  PreToolUse: BEFORE,
  PostToolUse: AFTER,
  PostToolUseFailure: AFTER,
  PostToolBatch: AFTER,
};

export const claudeCodeMeans = (payload: JsonObject): HookMeans | undefined => claudeLikeMeans(payload, DOES);

/** The means of a host that is answered as Claude Code is, and does at each hook what is listed. */
export function claudeLikeMeans(payload: JsonObject, hooks: Readonly<Record<string, readonly Rung[]>>): HookMeans | undefined {
  const event = textOf(payload.hook_event_name);
  if (!Object.hasOwn(hooks, event)) return undefined;
  return {
    does: hooks[event]!,
    say: (rung, words) => (rung === 'stop' ? stopRun(words) : rung === 'block' ? denyCall(words) : addContext(event, words)),
  };
}
