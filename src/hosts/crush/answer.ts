import type { JsonObject } from '../../json.ts';
import type { HookMeans } from '../reading/hook-answer.ts';
import { eventOf } from './payload.ts';

/** Everything is said before the call: a text to go with its result, a refusal, or the end of the turn. */
export function crushAnswer(payload: JsonObject): HookMeans | undefined {
  if (eventOf(payload) !== 'pretooluse') return undefined;
  return {
    does: ['note', 'hint', 'block', 'stop'],
    say(rung, { toModel, toHuman }) {
      if (rung === 'stop') return { halt: true, reason: toHuman };
      return rung === 'block' ? { decision: 'deny', reason: toModel } : { context: toModel };
    },
  };
}
