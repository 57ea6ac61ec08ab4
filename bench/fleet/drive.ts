import { Agent, request } from 'node:http';
import { nextEvents } from '../speed/server-events.ts';

/** A load on servers. */
export interface Drive {
  /** Which server a session's request goes to. */
  urlOf(session: number, request: number): string;
  /** The number of the first session, and how many there are. */
  first: number;
  sessions: number;
  /** Events in each request. */
  events: number;
  connections: number;
  milliseconds: number;
  /** Ends earlier after this many. */
  requests?: number;
  /** Requests each second. Default: as many as are answered. */
  pace?: number;
}

/** Its outcome. */
export interface Driven {
  events: number;
  /** Events each second. */
  rate: number;
  /** Milliseconds of a request. */
  p50: number;
  p99: number;
  longest: number;
}

/** Sends requests over each connection until the time is over; each waits for its answer. */
export async function drive(given: Drive): Promise<Driven> {
  const {
    urlOf,
    first,
    sessions,
    events,
    connections,
    milliseconds,
    requests = Number.POSITIVE_INFINITY,
    pace,
  } = given;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  const start = performance.now();
  const end = start + milliseconds;
  let turn = 0;
  const work = async (): Promise<void> => {
    while (performance.now() < end && turn < requests) {
      const mine = turn++;
      if (pace)
        await new Promise((resolve) =>
          setTimeout(resolve, Math.max(0, start + (mine * 1000) / pace - performance.now())),
        );
      const session = first + (mine % sessions);
      const body = JSON.stringify(nextEvents(session, events));
      const sent = performance.now();
      await post(urlOf(session, mine), body, agent);
      times.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  const took = performance.now() - start;
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN;
  return {
    events: times.length * events,
    rate: (times.length * events * 1000) / took,
    p50: at(0.5),
    p99: at(0.99),
    longest: times.at(-1) ?? Number.NaN,
  };
}

const post = (url: string, body: string, agent: Agent): Promise<void> =>
  new Promise((resolve, reject) => {
    const asking = request(
      `${url}/v1/events`,
      { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
      (response) => {
        response.resume().on('end', () => {
          if (response.statusCode === 200) resolve();
          else reject(new Error(`expected 200 from ${url}, got ${response.statusCode}`));
        });
      },
    );
    asking.on('error', reject).end(body);
  });
