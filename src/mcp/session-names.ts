import type { IncomingHttpHeaders } from 'node:http';
import { hash64 } from '../hash.ts';
import { isObject } from '../json.ts';
import type { Conversation } from './conversation.ts';
import type { Message } from './json-rpc.ts';

const MOST_SESSIONS = 1000;

/** Finds the conversation that an HTTP request belongs to, the least recently used forgotten first. */
export function sessionsByRequest(
  converse: (session: string) => Conversation,
  name: string,
  sessionHeader: string | undefined,
): (headers: IncomingHttpHeaders, messages: readonly Message[]) => Conversation {
  const conversations = new Map<string, Conversation>();
  return (headers, messages) => {
    // Hashed, as what names a session may also open it.
    const session = `${name} ${hash64(sessionKey(headers, messages, sessionHeader))}`;
    const conversation = conversations.get(session) ?? converse(session);
    conversations.delete(session);
    conversations.set(session, conversation);
    if (conversations.size > MOST_SESSIONS) conversations.delete(conversations.keys().next().value!);
    return conversation;
  };
}

/** What tells one client's requests from another's: the user's header, the session, the trace, or else who asks and with which right. */
function sessionKey(headers: IncomingHttpHeaders, messages: readonly Message[], sessionHeader: string | undefined): string {
  const own = sessionHeader === undefined ? undefined : headers[sessionHeader.toLowerCase()];
  const session = own ?? headers['mcp-session-id'];
  if (session !== undefined) return `session ${String(session)}`;
  const params = messages.find((message) => isObject(message.params))?.params as Message | undefined;
  const meta = isObject(params?._meta) ? params._meta : {};
  const trace = /^\w\w-(\w{32})-/.exec(String(meta.traceparent ?? headers.traceparent))?.[1];
  if (trace) return `trace ${trace}`;
  return JSON.stringify(['client', meta['io.modelcontextprotocol/clientInfo'], headers.authorization, headers['user-agent']]);
}
