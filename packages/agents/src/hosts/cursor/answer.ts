import { type JsonObject, textOf } from '@unrut/engine/json';
import type { HookMeans } from '@unrut/reading/hook-answer';
import { claudeLikeAnswer } from '../claude-code/answer.ts';

const BEFORE: HookMeans = {
  does: ['block'],
  say: (_, { toModel, toHuman }) => ({
    permission: 'deny',
    user_message: toHuman,
    agent_message: toModel,
  }),
};
const AFTER: HookMeans = {
  does: ['note', 'hint'],
  say: (_, { toModel }) => ({ additional_context: toModel }),
};

const HOOKS: Record<string, HookMeans> = {
  preToolUse: BEFORE,
  beforeShellExecution: BEFORE,
  beforeMCPExecution: BEFORE,
  postToolUse: AFTER,
};

const OF_CLAUDE_CODE = claudeLikeAnswer({ PreToolUse: ['block'], PostToolUse: ['note', 'hint'] });

/** After a failed call Cursor ignores answers, and no answer ends a run. */
export function cursorAnswer(payload: JsonObject): HookMeans | undefined {
  const event = textOf(payload.hook_event_name);
  if (Object.hasOwn(HOOKS, event)) return HOOKS[event];
  return OF_CLAUDE_CODE(payload);
}
