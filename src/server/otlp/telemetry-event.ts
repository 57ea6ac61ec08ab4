import { baseOf } from '../../adapters/hook-events.ts';
import type { AgentEvent } from '../../event.ts';
import { hash32, hash64 } from '../../fingerprint/hash.ts';
import type { Imported } from '../../importers/source.ts';
import { redact } from '../../redact.ts';

/** Some models count their calls anew in each response: such an id names a call only together with its time. */
const COUNTED = /^(?:call[_-]?)?\d{1,6}$/i;

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

const PLAIN_ID = /^[0-9a-f-]{1,64}$/i;
const LONGEST_NAME = 200;

/** A session's or an agent's own name, or a hash in its place where it looks like a secret or is endless: names are kept as they are. */
export const safeName = (name: string): string =>
  PLAIN_ID.test(name) || (name.length <= LONGEST_NAME && redact(name) === name) ? name : hash64(name);
