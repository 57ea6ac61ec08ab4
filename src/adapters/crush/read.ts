import { parsed, textOf } from '../../json.ts';
import type { HookDialect } from '../hook-payload.ts';

/**
 * The payloads of Crush, which has hooks before calls only. No hook tells what a call brought, so it is told as made, with a result
 * that is not known: whatever is planned then can still be done to this very call.
 */
export const crushHooks: HookDialect = ({ event, session_id: session, tool_name: tool, tool_input: args }) => {
  if (typeof event !== 'string' || typeof session !== 'string') return undefined;
  // Event names may be spelled in any case, with or without underscores.
  const name = event.replaceAll('_', '').toLowerCase();
  if (name === 'pretooluse')
    return { session, told: [{ what: 'returned', call: { tool: textOf(tool), args: parsed(args) }, returned: {} }] };
  if (name === 'precompact') return { session, told: [{ what: 'compacted' }] };
  return { session, told: [], unknown: event.slice(0, 40) };
};
