import { type IncomingMessage, request } from 'node:http';

/** A message of server-sent events. */
export interface Message {
  event?: string;
  id?: string;
  data?: string;
}

export interface Listening {
  status: number;
  /** All messages so far, without signs of life. */
  messages: Message[];
  /** Comments so far. */
  comments: string[];
  /** When so many messages have come. Rejects when the stream ends before. */
  until(enough: (listening: Listening) => boolean): Promise<void>;
  /** When the server has ended it. */
  ended: Promise<void>;
  /** Stops reading, as a page does that hangs. */
  pause(): void;
  resume(): void;
  close(): void;
}

/** Listens to a stream of a server. */
export function listen(url: string, headers: Record<string, string> = {}): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { headers, agent: false }, (response: IncomingMessage) => {
      let left = '';
      let changed: () => void = () => undefined;
      let isOver = false;
      const listening: Listening = {
        status: response.statusCode!,
        messages: [],
        comments: [],
        async until(enough) {
          while (!enough(listening)) {
            if (isOver)
              throw new Error(`The stream ended after ${listening.messages.length} messages.`);
            await new Promise<void>((done) => {
              changed = done;
            });
          }
        },
        ended: new Promise((done) => response.on('close', done)),
        pause: () => void response.pause(),
        resume: () => void response.resume(),
        close: () => asking.destroy(),
      };
      response.on('close', () => {
        isOver = true;
        changed();
      });
      response.on('error', () => undefined);
      response.setEncoding('utf8').on('data', (piece: string) => {
        const parts = (left + piece).split('\n\n');
        left = parts.pop()!;
        for (const part of parts) {
          const lines = part.split('\n');
          listening.comments.push(...lines.filter((line) => line.startsWith(':')));
          const fields = lines
            .filter((line) => /^(?:event|id|data): /.test(line))
            .map((line) => line.split(/: (.*)/s).slice(0, 2));
          if (fields.length > 0) listening.messages.push(Object.fromEntries(fields));
        }
        changed();
      });
      resolve(listening);
    });
    asking.on('error', reject);
    asking.end();
  });
}
