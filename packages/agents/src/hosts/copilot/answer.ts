import { isObject, type JsonObject } from '@unrut/engine/json';
import type { HookMeans, HookWords } from '@unrut/reading/hook-answer';
import type { HookPayload } from '@unrut/reading/hook-payload';

const deny = ({ toModel }: HookWords): JsonObject => ({
  permissionDecision: 'deny',
  permissionDecisionReason: toModel,
});
const context = ({ toModel }: HookWords): JsonObject => ({ additionalContext: toModel });

const BEFORE: HookMeans = { does: ['block'], say: (_, words) => deny(words) };
const AFTER: HookMeans = { does: ['note', 'hint'], say: (_, words) => context(words) };
/** After a failed call only a text is listened to, and only with this exit code. */
const AFTER_FAILURE: HookMeans = {
  does: ['note', 'hint'],
  say: (_, { toModel }) => toModel,
  exitCode: 2,
};

/**
 * Before a call any exit code but 0 refuses it. No hook has anything to show to a person, or to end
 * the run with.
 */
export function copilotAnswer(
  payload: JsonObject,
  { told: [first] }: HookPayload,
): HookMeans | undefined {
  const { hook_event_name: event } = payload;
  if (event === undefined) {
    if (first?.what === 'calls') return BEFORE;
    if (first?.what !== 'returned') return undefined;
    return isObject(payload.toolResult) ? AFTER : AFTER_FAILURE;
  }
  if (event === 'PreToolUse') return alsoInside(event, BEFORE);
  if (event === 'PostToolUse') return alsoInside(event, AFTER);
  return event === 'PostToolUseFailure' ? AFTER_FAILURE : undefined;
}

/**
 * Hooks with capital names are those of VS Code too, which looks for the same fields one level
 * down.
 */
const alsoInside = (hookEventName: string, { does, say }: HookMeans): HookMeans => ({
  does,
  say(rung, words) {
    const said = say(rung, words) as JsonObject;
    return { ...said, hookSpecificOutput: { hookEventName, ...said } };
  },
});
