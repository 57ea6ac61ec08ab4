import { UnrutError } from '@unrut/engine/errors';
import type { AgentEvent, Capability } from '@unrut/engine/event';
import type { EventOrigin } from '@unrut/engine/event-parts';
import { combineRules } from '@unrut/engine/guard-rules';
import { whyNotAnOrigin } from '@unrut/engine/read-event';
import type { RecordedGuard } from '@unrut/ledger/recorder';
import { type ClientVerdict, noVerdict } from './client-verdict.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import type { Destination } from './send-events.ts';

export interface ClientOptions {
  /** The address of `unrut serve`. Default: `http://127.0.0.1:4717`. */
  url?: string;
  /** The server's token, if it requires one. */
  token?: string;
  /** The host's abilities. Default: note, hint, block, escalate, stop. */
  can?: readonly Capability[];
  /** Default origin of every event: the release, the team, the person. */
  origin?: EventOrigin;
  /** Record only: the verdict's `shadow` holds what would have been done. */
  shadow?: boolean;
  /**
   * Whether your program asks a user on `escalate`. Default: the server's config, otherwise whether
   * the server sends notifications.
   */
  attended?: boolean;
  /** Milliseconds to wait for an answer before the agent continues without. Default: 2,000. */
  timeout?: number;
  /** Events kept while the server is away, the oldest dropped first. Default: 10,000. */
  most?: number;
  /**
   * The first pause in milliseconds after a server could not be reached; each one after it is twice
   * as long, up to 30 seconds. Default: 500.
   */
  pause?: number;
}

/** A guard in another process: the same events, the same verdicts. */
export interface Client extends RecordedGuard {
  /**
   * Never throws: if the server does not answer, the verdict contains only a fault, and the event
   * is sent later.
   */
  observe: (event: Parameters<RecordedGuard['observe']>[0]) => Promise<ClientVerdict>;
  /** As `guard.with`. It shares `flush`, `close`, `waiting` and `dropped` with this client. */
  with: (...rules: Parameters<RecordedGuard['with']>) => Client;
  /** Sends the waiting events. Returns the number of events that still wait. */
  flush(): Promise<number>;
  /**
   * Accepts no more events, and tries once to send the waiting ones. Returns the number of lost
   * events.
   */
  close(): Promise<number>;
  /** Events that are waiting to be sent. */
  readonly waiting: number;
  /**
   * Events that were dropped: there were too many while the server was away, or it refused them.
   */
  readonly dropped: number;
}

/** A guard that asks a server of Unrut. Throws only here, when an option makes no sense. */
export function createClient(options: ClientOptions = {}): Client {
  const { most = 10_000, pause = 500, origin } = options;
  const wrong = whyNotAnOrigin(origin);
  if (wrong !== undefined) throw new UnrutError('bad-option', `[client] ${wrong}.`);
  const outboxes: Outbox[] = [];
  const name = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) =>
    part.toString(36),
  ).join('');
  let count = 0;
  let isClosed = false;
  const total = (of: 'waiting' | 'dropped'): number =>
    outboxes.reduce((sum, outbox) => sum + outbox[of](), 0);
  const flush = async (): Promise<number> => {
    for (const outbox of outboxes) await outbox.flush();
    return total('waiting');
  };

  const clientUnder = (rules: ClientOptions): Client => {
    const outbox = createOutbox({ destination: destinationOf(rules), most, pause });
    outboxes.push(outbox);
    return {
      observe: (event) => observeBy(outbox, event),
      // The server knows whether it sends notifications, so the client's default does not apply.
      with: (more) => clientUnder({ ...rules, ...combineRules(rules, more) }),
      flush,
      close() {
        isClosed = true;
        return flush().finally(() => {
          for (const each of outboxes) each.stop();
        });
      },
      get waiting() {
        return total('waiting');
      },
      get dropped() {
        return total('dropped');
      },
    };
  };

  async function observeBy(outbox: Outbox, event: AgentEvent): Promise<ClientVerdict> {
    if (isClosed) return noVerdict('client', 'The client has been closed. Create another one.');
    try {
      // An id, so that sending it again counts once.
      const json = JSON.stringify({
        ...withOrigin(event, origin),
        id: event?.id ?? `${name}-${count++}`,
      });
      return await outbox.send({
        json,
        family: String(event?.parent ?? event?.session),
        isPiece: isPiece(event),
      });
    } catch (error) {
      return noVerdict(
        'event',
        `The event cannot be written as JSON: ${(error as Error).message.split('\n')[0]}`,
      );
    }
  }

  return clientUnder(options);
}

/** The event's own values take precedence. */
const withOrigin = (event: AgentEvent, origin: EventOrigin | undefined): AgentEvent =>
  origin === undefined ? event : { ...event, origin: { ...origin, ...event?.origin } };

/** A piece of a message that is still being written. */
const isPiece = (event: AgentEvent): boolean => event?.type === 'text-added' && event.done !== true;

function destinationOf({
  url = 'http://127.0.0.1:4717',
  token: given,
  can,
  shadow = false,
  attended,
  timeout = 2000,
}: ClientOptions): Destination {
  const { username = '', password = '' } = URL.canParse(url) ? new URL(url) : {};
  if (username + password !== '')
    throw new UnrutError(
      'bad-option',
      '[client] url: expected one without a password, got one with it. Use token.',
    );
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new UnrutError(
      'bad-option',
      `[client] url: expected something like http://127.0.0.1:4717, got ${url}.`,
    );
  // Files and variables that hold one often end in a line feed.
  const token = given?.trim();
  if (token !== undefined && !/^[!-~]*$/.test(token))
    throw new UnrutError(
      'bad-option',
      '[client] token: expected letters, digits and signs of ASCII in one line, got something else.',
    );
  const query = new URLSearchParams({
    ...(can ? { can: can.join() } : {}),
    ...(shadow ? { shadow: '1' } : {}),
    ...(attended === undefined ? {} : { attended: attended ? '1' : '0' }),
  });
  return {
    url: `${url.replace(/\/+$/, '')}/v1/events${query.size > 0 ? `?${query}` : ''}`,
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    timeout,
  };
}
