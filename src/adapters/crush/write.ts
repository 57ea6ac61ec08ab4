import { type JsonObject, textOf } from '../../json.ts';
import type { HookMeans } from '../hook-answer.ts';

/** Everything is said before the call: a text to go with its result, a refusal, or the end of the turn. */
export function crushMeans({ event }: JsonObject): HookMeans | undefined {
  if (textOf(event).replaceAll('_', '').toLowerCase() !== 'pretooluse') return undefined;
  return {
    does: ['note', 'hint', 'block', 'stop'],
    say(rung, { toModel, toHuman }) {
      if (rung === 'stop') return { halt: true, reason: toHuman };
      return rung === 'block' ? { decision: 'deny', reason: toModel } : { context: toModel };
    },
  };
}
