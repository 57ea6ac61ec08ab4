import { isObject, type JsonObject, textOf } from '@unrut/engine/json';
import { keepIn } from '@unrut/engine/recent';
import { readRpcMessages } from '../mcp/json-rpc.ts';
import { AcpSession, type AcpSides } from './acp-session.ts';

/** The configuration of a guard between an editor and an agent. */
export interface AcpGuard extends Omit<AcpSides, 'toAgent' | 'toEditor' | 'nextId'> {
  fault(error: unknown): void;
}

const MAX_SESSIONS = 200;

/**
 * The messages between an editor and an ACP agent: all pass as they are, but those that a plan
 * changes.
 */
export function createAcpExchange(guard: AcpGuard, send: Pick<AcpSides, 'toAgent' | 'toEditor'>) {
  const sessions = new Map<string, AcpSession>();
  let requests = 0;
  const sides: AcpSides = { ...guard, ...send, nextId: () => `unrut-${++requests}` };

  function sessionOf(params: unknown): AcpSession | undefined {
    const id = isObject(params) ? textOf(params.sessionId) : '';
    return id === ''
      ? undefined
      : (sessions.get(id) ?? keepIn(sessions, id, new AcpSession(id, sides), MAX_SESSIONS));
  }

  /** Returns what passes on in the place of a message: the message itself, another, or nothing. */
  function fromEditor(message: JsonObject): JsonObject | null {
    const { method, id, params } = message;
    if (method === 'session/prompt') sessionOf(params)?.prompted(id, (params as JsonObject).prompt);
    if (method === 'session/cancel') sessionOf(params)?.cancelled();
    if (method === undefined && id !== undefined)
      for (const session of sessions.values())
        if (session.answered(id, message.result)) return null;
    return message;
  }

  function fromAgent(message: JsonObject): JsonObject | null {
    const { method, id, params } = message;
    if (method === 'session/update' && isObject(params) && isObject(params.update))
      sessionOf(params)?.updated(params.update);
    if (method === 'session/request_permission' && isObject(params)) {
      const result = sessionOf(params)?.asked(id, params);
      if (!result) return message;
      send.toAgent({ jsonrpc: '2.0', id, result });
      return null;
    }
    if (method !== undefined || id === undefined) return message;
    for (const session of sessions.values())
      if (session.isTurn(id)) return session.ended(message) ?? null;
    // An answer to a request of ours that the editor never made.
    return textOf(id).startsWith('unrut-') ? null : message;
  }

  const reading =
    (read: (message: JsonObject) => JsonObject | null) =>
    (line: Buffer): Buffer | null => {
      try {
        const [message, ...more] = readRpcMessages(line.toString());
        if (!message || more.length > 0) return line;
        const passed = read(message);
        return passed === message ? line : passed && Buffer.from(`${JSON.stringify(passed)}\n`);
      } catch (error) {
        guard.fault(error);
        return line;
      }
    };

  return { fromClient: reading(fromEditor), fromServer: reading(fromAgent) };
}
