import { Agent, request } from 'node:http';
import type { AgentEvent } from '@unrut/engine/event';
import { sessionHash } from '@unrut/engine/session-header';
import type { ToldVerdict } from '../../packages/server/src/events/record-events.ts';

/** Agents that send unanswered events again. */
export interface Load {
  /** Events that were answered so far. */
  readonly answered: number;
  /** Resolves when this many more events have been answered. */
  more(count: number): Promise<void>;
  /** Lets every agent finish its request, and returns the answers. */
  stop(): Promise<LoadResult>;
}

export interface LoadResult {
  /** By session, in the order in which they were sent. */
  sent: Map<string, AgentEvent[]>;
  /** By session and id. */
  told: Map<string, Map<string, ToldVerdict>>;
  /** Requests that were answered with an event again. */
  repeated: number;
  /** The most tries that one request took. */
  mostTries: number;
}

export interface LoadOptions {
  /** The servers; an agent without an answer tries the next one. */
  urls: readonly string[];
  sessions: number;
  /** Events of a request, by the number of its session. */
  batch?: (session: number) => number;
  /** Which server a session begins with. Default: each its own. */
  first?: (session: number, request: number) => number;
  /** Puts a name before those of the sessions. */
  prefix?: string;
  /** Milliseconds that an answer may take. Default: 10,000. */
  patience?: number;
}

const PAUSE = 20;

/**
 * The i-th event of a session: every third agent looks the same thing up again and again, the
 * others get on.
 */
export function eventOf(session: string, number: number, i: number): AgentEvent {
  const isStuck = number % 3 === 0 && i % 20 >= 8;
  const order = isStuck ? 7 : i;
  return {
    type: 'call-finished',
    session,
    at: 1_790_000_000_000 + i * 5000,
    id: `${session}-${i}`,
    call: { id: `${session}-c${i}`, tool: 'lookup_order', args: { order } },
    result: isStuck
      ? 'Order 7 was not found.'
      : `Order ${order} was shipped on day ${order}, by truck ${order * 7}.`,
  };
}

export function startLoad({
  urls,
  sessions,
  batch = () => 1,
  first = (s) => s,
  prefix = 's',
  patience = 10_000,
}: LoadOptions): Load {
  const agent = new Agent({ keepAlive: true });
  const result: LoadResult = { sent: new Map(), told: new Map(), repeated: 0, mostTries: 0 };
  let answered = 0;
  let isOver = false;
  let waiting: { until: number; resolve: () => void }[] = [];

  async function sendUntilAnswered(
    session: string,
    events: AgentEvent[],
    start: number,
  ): Promise<ToldVerdict[]> {
    const body = JSON.stringify(events);
    for (let tries = 0; ; tries++) {
      result.mostTries = Math.max(result.mostTries, tries + 1);
      const verdicts = await post(`${urls[(start + tries) % urls.length]}/v1/events`, {
        session,
        body,
        agent,
        patience,
      });
      if (verdicts?.length === events.length) return verdicts;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }

  async function work(number: number): Promise<void> {
    const session = `${prefix}${number}`;
    const sent: AgentEvent[] = [];
    const told = new Map<string, ToldVerdict>();
    result.sent.set(session, sent);
    result.told.set(session, told);
    for (let asked = 0; !isOver; asked++) {
      const events = Array.from({ length: batch(number) }, (_, i) =>
        eventOf(session, number, sent.length + i),
      );
      const verdicts = await sendUntilAnswered(session, events, first(number, asked));
      for (const [i, event] of events.entries()) told.set(event.id!, verdicts[i]!);
      sent.push(...events);
      result.repeated += verdicts.filter(({ repeated }) => repeated).length;
      answered += events.length;
      const ready = waiting.filter(({ until }) => until <= answered);
      waiting = waiting.filter((each) => !ready.includes(each));
      for (const { resolve } of ready) resolve();
    }
  }

  const working = Promise.all(Array.from({ length: sessions }, (_, number) => work(number)));
  return {
    get answered() {
      return answered;
    },
    more: (count) =>
      new Promise((resolve) => void waiting.push({ until: answered + count, resolve })),
    async stop() {
      isOver = true;
      await working;
      agent.destroy();
      return result;
    },
  };
}

/**
 * The verdicts; undefined without an answer, or if the server asks to retry. Throws on any other
 * answer.
 */
function post(
  url: string,
  {
    session,
    body,
    agent,
    patience,
  }: { session: string; body: string; agent: Agent; patience: number },
): Promise<ToldVerdict[] | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-unrut-session': sessionHash(session) };
    const asking = request(
      url,
      { method: 'POST', headers, agent, timeout: patience },
      async (response) => {
        try {
          const text = Buffer.concat(await response.toArray()).toString();
          if (response.statusCode === 200)
            resolve((JSON.parse(text) as { verdicts: ToldVerdict[] }).verdicts);
          else if (response.statusCode! >= 500) resolve(undefined);
          else reject(new Error(`${url} answered ${response.statusCode}: ${text}`));
        } catch {
          resolve(undefined);
        }
      },
    );
    asking.on('timeout', () => asking.destroy());
    asking.on('error', () => resolve(undefined));
    asking.end(body);
  });
}
