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
/** After a failed call only text is accepted, and only with this exit code. */
const AFTER_FAILURE: HookMeans = {
  does: ['note', 'hint'],
  say: (_, { toModel }) => toModel,
  exitCode: 2,
};

/**
 * Before a call, any exit code but 0 blocks it. No hook can show a text to the user or end the run.
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
 * Hooks with capitalised names also run in VS Code, which expects the same fields one level deeper.
 */
const alsoInside = (hookEventName: string, { does, say }: HookMeans): HookMeans => ({
  does,
  say(rung, words) {
    const said = say(rung, words) as JsonObject;
    return { ...said, hookSpecificOutput: { hookEventName, ...said } };
  },
});
