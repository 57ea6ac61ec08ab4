import { type JsonObject, parsed, textOf } from '@unrut/engine/json';
import type { HookDialect } from '@unrut/reading/hook-payload';

/** The event's name, which may have any case and underscores. */
export const eventOf = ({ event }: JsonObject): string =>
  textOf(event).replaceAll('_', '').toLowerCase();

export const isOfCrush = (payload: JsonObject): boolean =>
  payload.hook_event_name === undefined &&
  payload.working_dir === undefined &&
  typeof payload.session_id === 'string' &&
  /^pre(?:tooluse|compact)$/.test(eventOf(payload));

/**
 * Crush's payloads. It has hooks only before calls, so results are unknown: each call counts as
 * made, and plans apply to that same call.
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
