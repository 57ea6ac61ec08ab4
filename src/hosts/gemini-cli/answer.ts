import type { Rung } from '../../event.ts';
import type { JsonObject } from '../../json.ts';
import { addContext, stopAnswer } from '../claude-code/answer.ts';
import type { HookMeans, HookWords } from '../reading/hook-answer.ts';

const deny = ({ toModel, toHuman }: HookWords): JsonObject => ({ decision: 'deny', reason: toModel, systemMessage: toHuman });

const AFTER: readonly Rung[] = ['note', 'hint', 'escalate', 'stop'];

/** A denial after the call would take its result away; what is added stands within the result. */
export function geminiCliAnswer({ hook_event_name: event }: JsonObject): HookMeans | undefined {
  if (event === 'BeforeTool') return { does: ['block'], say: (_, words) => deny(words) };
  if (event !== 'AfterTool') return undefined;
  return { does: AFTER, say: (rung, words) => (rung === 'stop' ? stopAnswer(words) : addContext(event, words)) };
}
