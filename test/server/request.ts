import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

/** One request, with any headers, also those that `fetch` keeps to itself. */
export function ask(
  url: string,
  { method = 'POST', headers = {}, body }: Asked = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, text }),
      );
    });
    asking.on('error', reject);
    asking.end(body);
  });
}

/**
 * What a server answers to bytes as they are; `send` is given a way to write them. Ends when the
 * server hangs up.
 */
export function raw(url: string, send: (write: (text: string) => void) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname: host, port } = new URL(url);
    const socket = connect(Number(port), host, () => send((text) => void socket.write(text)));
    let answer = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      answer += part;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? resolve(answer) : reject(error),
    );
  });
}
