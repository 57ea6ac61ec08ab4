import type { JsonObject } from '../../json.ts';
import type { HookMeans, HookWords } from '../hook-answer.ts';
import type { OpencodeAnswer } from './payload.ts';

const refusal = ({ toModel, toHuman }: HookWords): OpencodeAnswer => ({ refuse: toModel, show: toHuman });
const addition = ({ toModel, toHuman }: HookWords): OpencodeAnswer => ({ append: toModel, show: toHuman });

/** Everything can be done by the plugin: before a call a refusal, with its result or failure all the rest. */
export function opencodeMeans({ hook }: JsonObject): HookMeans | undefined {
  if (hook === 'tool.execute.before') return { does: ['block'], say: (_, words) => ({ ...refusal(words) }) };
  if (hook !== 'tool.execute.after' && hook !== 'event') return undefined;
  return {
    does: ['note', 'hint', 'escalate', 'stop'],
    say: (rung, words) => ({ ...addition(words), ...(rung === 'stop' ? { stop: true } : {}) }),
  };
}
