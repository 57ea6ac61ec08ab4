import { once } from 'node:events';
import { createServer as createHttpServer, request } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** The treatment of bytes: passed on, dropped, or their connection is reset. */
export type TcpMode = 'pass' | 'silent' | 'reset';

/** Stands between a server and its database, and can cut them off from each other. */
export interface TcpProxy {
  port: number;
  set(mode: TcpMode): void;
  /** Connections that were opened so far. */
  readonly opened: number;
  close(): void;
}

/** `target` is asked at each connection, so that a database can move. */
export async function tcpProxy(target: () => number): Promise<TcpProxy> {
  let mode: TcpMode = 'pass';
  let opened = 0;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
  };
  const server = createServer((near) => {
    opened++;
    keep(near);
    if (mode === 'reset') return void near.resetAndDestroy();
    // Dropped bytes are read and discarded.
    if (mode === 'silent') return void near.resume();
    const far = keep(connect(target(), '127.0.0.1'));
    const pass = (from: Socket, to: Socket): void => {
      from.on('data', (data) => {
        if (mode !== 'pass' || to.destroyed) return;
        if (!to.write(data)) from.pause();
      });
      to.on('drain', () => from.resume());
      from.on('close', () => to.destroy());
    };
    pass(near, far);
    pass(far, near);
  });
  const port = await listening(server);
  const close = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    set(next) {
      // Connections that lost something cannot be used any more.
      if (next !== 'silent') for (const socket of sockets) socket.resetAndDestroy();
      mode = next;
    },
    get opened() {
      return opened;
    },
    close,
  };
}

/** Stands before a server, and can swallow its answers. */
export interface HttpProxy {
  url: string;
  /** The next answer to what agents report is swallowed; gives when that was done. */
  swallow(): Promise<void>;
}

/**
 * Passes requests to `target`, which is asked for each by its hash of the session, if it has one.
 */
export async function httpProxy(
  target: (session: string | undefined) => string,
): Promise<HttpProxy> {
  const waiting: (() => void)[] = [];
  const server = createHttpServer((asked, answer) => {
    const session = asked.headers['x-unrut-session'];
    const url = target(typeof session === 'string' ? session : undefined) + asked.url;
    const asking = request(
      url,
      { method: asked.method!, headers: asked.headers, agent: false },
      async (response) => {
        try {
          const body = Buffer.concat(await response.toArray());
          const done =
            asked.method === 'POST' && response.statusCode === 200 ? waiting.shift() : undefined;
          if (done) {
            answer.destroy();
            done();
            return;
          }
          answer
            .writeHead(response.statusCode!, {
              'content-type': response.headers['content-type'] ?? 'application/json',
            })
            .end(body);
        } catch {
          answer.destroy();
        }
      },
    );
    asking.on('error', () => answer.writeHead(502).end());
    asked.pipe(asking);
  });
  const port = await listening(server);
  return {
    url: `http://127.0.0.1:${port}`,
    swallow: () => new Promise((resolve) => void waiting.push(resolve)),
  };
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
