import { connect, type Socket } from 'node:net';
import { nextEvents } from './server-events.ts';

/** The load of a round. */
export interface Round {
  port: number;
  path: string;
  /** Events in each request. */
  events: number;
  connections: number;
  /** Sessions that the connections take turns with. */
  sessions: number;
  milliseconds: number;
  /** Ends earlier after this many requests. */
  requests?: number;
}

/** Its outcome. */
export interface Load {
  /** Events each second. */
  rate: number;
  /** Milliseconds of a request. */
  p50: number;
  p99: number;
}

function bodyOf(session: number, events: number): string {
  const list = nextEvents(session, events);
  return JSON.stringify(events === 1 ? list[0] : list);
}

/**
 * Sends request after request over each connection until the time is over. Each waits for its
 * answer.
 */
async function run({
  port,
  path,
  events,
  connections,
  sessions,
  milliseconds,
  requests = Number.POSITIVE_INFINITY,
}: Round): Promise<Load> {
  const times: number[] = [];
  let turn = 0;
  const end = performance.now() + milliseconds;
  const start = performance.now();
  const drive = async (): Promise<void> => {
    const socket = connect(port, '127.0.0.1').setNoDelay(true);
    const answers = readAnswers(socket);
    while (performance.now() < end && turn < requests) {
      const body = bodyOf(turn++ % sessions, events);
      const sent = performance.now();
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
      const status = await answers();
      if (status !== 200) throw new Error(`expected 200 from ${path}, got ${status}`);
      times.push(performance.now() - sent);
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: connections }, drive));
  const took = performance.now() - start;
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)]!;
  return { rate: (times.length * events * 1000) / took, p50: at(0.5), p99: at(0.99) };
}

/** Waits for the next answer on a connection, and gives its status. */
function readAnswers(socket: Socket): () => Promise<number> {
  let text = '';
  let settle: ((status: number) => void) | undefined;
  let fail: ((error: Error) => void) | undefined;
  socket.setEncoding('latin1');
  socket.on('data', (part: string) => {
    text = text === '' ? part : text + part;
    const head = text.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1]);
    if (Number.isNaN(length)) fail?.(new Error('expected an answer with its length'));
    if (text.length < head + 4 + length) return;
    const status = Number(text.slice(9, 12));
    text = '';
    settle?.(status);
  });
  socket.on('error', (error) => fail?.(error));
  socket.on('close', () => fail?.(new Error('the server hung up')));
  return () =>
    new Promise((resolve, reject) => {
      settle = resolve;
      fail = reject;
    });
}

process.on('message', (round: Round) => {
  run(round).then(
    (load) => process.send!(load),
    (error: Error) => process.send!({ error: error.message }),
  );
});
