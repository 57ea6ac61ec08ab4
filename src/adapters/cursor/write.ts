import { type JsonObject, textOf } from '../../json.ts';
import { claudeLikeMeans } from '../claude-code/write.ts';
import type { HookMeans } from '../hook-answer.ts';

const BEFORE: HookMeans = {
  does: ['block'],
  say: (_, { toModel, toHuman }) => ({ permission: 'deny', user_message: toHuman, agent_message: toModel }),
};
const AFTER: HookMeans = { does: ['note', 'hint'], say: (_, { toModel }) => ({ additional_context: toModel }) };

const HOOKS: Record<string, HookMeans> = {
  preToolUse: BEFORE,
  beforeShellExecution: BEFORE,
  beforeMCPExecution: BEFORE,
  postToolUse: AFTER,
};

/** After a failed call Cursor listens to nothing, and nothing ends a run. */
export function cursorMeans(payload: JsonObject): HookMeans | undefined {
  const event = textOf(payload.hook_event_name);
  if (Object.hasOwn(HOOKS, event)) return HOOKS[event];
  return claudeLikeMeans(payload, { PreToolUse: ['block'], PostToolUse: ['note', 'hint'] });
}
