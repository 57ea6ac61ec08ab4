import { type EventType, RUNGS } from '@unrut/engine/event';
import * as v from 'valibot';

/**
 * What an event is, in the words of the schema library. `whyNotAnEvent` decides the same ten times
 * as fast; a property ties the two together. Fields that are not named here may hold anything.
 */
const text = v.pipe(
  v.string(),
  v.check((given) => given.isWellFormed() && !/[\0\u0001]/.test(given)),
);
const said = v.nullish(v.pipe(v.string(), v.maxLength(100)));
const name = v.pipe(text, v.nonEmpty());
const origin = v.pipe(
  v.custom<object>((given) => !Array.isArray(given)),
  v.looseObject({ host: said, model: said, release: said, repo: said, team: said, person: said }),
);
const base = {
  session: name,
  at: v.pipe(v.number(), v.finite()),
  parent: v.optional(name),
  agent: v.optional(text),
  speaker: v.optional(v.string()),
  id: v.optional(v.string()),
  batch: v.optional(v.string()),
  origin: v.optional(origin),
};
const call = v.looseObject({ id: v.string(), tool: v.string() });
const action = v.looseObject({ type: v.string() });
const event = <const Type extends EventType, Entries extends v.ObjectEntries>(
  type: Type,
  entries: Entries,
) => v.looseObject({ ...base, type: v.literal(type), ...entries });

export const eventSchema = v.variant('type', [
  event('call-proposed', { call }),
  event('call-finished', { call }),
  event('text-added', { text: v.string(), channel: v.picklist(['answer', 'thinking']) }),
  event('iteration-started', { iteration: v.pipe(v.number(), v.finite()) }),
  event('output-finished', { output: v.string() }),
  event('action-proposed', { action }),
  event('action-finished', { action }),
  event('task-attempted', {
    task: v.string(),
    status: v.string(),
    blockers: v.array(v.string()),
    work: v.array(v.string()),
    attemptSession: v.string(),
  }),
  event('idle', { reason: v.string() }),
  event('plan-performed', { plan: v.string(), rung: v.picklist(RUNGS) }),
  event('user-spoke', {}),
  event('tools-listed', { tools: v.array(v.looseObject({ name: v.string() })) }),
  event('context-compacted', {}),
  event('session-ended', {}),
]);
