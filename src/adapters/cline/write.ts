import { type JsonObject, textOf } from '../../json.ts';
import type { HookMeans } from '../hook-answer.ts';

const HOOKS = new Set(['tool_call', 'PreToolUse', 'tool_result', 'PostToolUse']);

/** To cancel is to end the run, before a call as after it: there is no refusal of one call. */
export function clineMeans({ hookName: name }: JsonObject): HookMeans | undefined {
  if (!HOOKS.has(textOf(name))) return undefined;
  return {
    does: ['note', 'hint', 'stop'],
    say: (rung, { toModel, toHuman }) =>
      rung === 'stop' ? { cancel: true, errorMessage: toHuman } : { cancel: false, contextModification: toModel },
  };
}
