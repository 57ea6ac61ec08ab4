import { type JsonObject, parsed, textOf } from '@unrut/engine/json';
import type { HookDialect } from '@unrut/reading/hook-payload';

/** The name of an event, which may be spelled in any case, with or without underscores. */
export const eventOf = ({ event }: JsonObject): string =>
  textOf(event).replaceAll('_', '').toLowerCase();

export const isOfCrush = (payload: JsonObject): boolean =>
  payload.hook_event_name === undefined &&
  payload.working_dir === undefined &&
  typeof payload.session_id === 'string' &&
  /^pre(?:tooluse|compact)$/.test(eventOf(payload));

/**
 * The payloads of Crush, which has hooks before calls only. No hook tells what a call brought, so
 * it is told as made, with a result that is not known: whatever is planned then can still be done
 * to this very call.
 */
export const crushPayload: HookDialect = (payload) => {
  if (!isOfCrush(payload)) return undefined;
  const { session_id: session, tool_name: tool, tool_input: args } = payload;
  const call = { tool: textOf(tool), args: parsed(args) };
  return {
    session: textOf(session),
    told: [
      eventOf(payload) === 'precompact'
        ? { what: 'compacted' }
        : { what: 'returned', call, returned: {} },
    ],
  };
};
