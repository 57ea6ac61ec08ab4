import type { AgentEvent } from '../../event.ts';
import { hash32 } from '../../hash.ts';
import { baseOf } from '../../hosts/reading/hook-events.ts';
import type { Imported } from '../../importers/source.ts';
import { safeName } from '../../redact/safe-name.ts';

/** Ids that only count, as some models give them in each response, and importers where there is none: they name a call only with its time. */
const COUNTED = /^(?:call[_-]?)?\d{1,6}$|#\d+/i;

/** An event with an id by which it counts once, however often and by whomever it is told: hooks name calls in the same way. */
export function namedEvent({ event, told = event.at }: Imported): AgentEvent {
  const { session, at, type } = event;
  const agent = event.agent === undefined ? {} : { agent: safeName(event.agent) };
  return { ...withoutEmptyError(event), ...baseOf(type, { session, ...agent, at, turn: undefined }, nameIn(event, told)) };
}

/** What Claude Code says of every command that failed, unless it is asked to tell what tools gave back. */
const SAYS_NOTHING = 'Shell command failed';

/** Failures of which nothing is told would all look alike, whatever failed: their results are not known. */
function withoutEmptyError(event: AgentEvent): AgentEvent {
  if (event.type !== 'call-finished' || event.result !== undefined || (event.error !== true && event.error !== SAYS_NOTHING)) return event;
  const { error: _, ...rest } = event;
  return rest;
}

function nameIn(event: AgentEvent, told: number): string {
  if ('call' in event) return COUNTED.test(event.call.id) ? `${told} ${event.call.id}` : event.call.id;
  return `${told} ${'text' in event && event.text !== undefined ? hash32(event.text) : ''}`;
}
