import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ask, passOn, whenGone } from '@unrut/adapters/http/passage';
import type { AllowedHosts } from './allowed-hosts.ts';

/**
 * A local proxy that limits a browser to some hosts. It sees every request, including redirected
 * ones.
 */
export interface Gatekeeper {
  url: string;
  close(): Promise<void>;
}

/** Starts one. */
export async function startGatekeeper(hosts: AllowedHosts): Promise<Gatekeeper> {
  const sockets = new Set<Duplex>();
  const keep = (socket: Duplex): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
  };

  function pass(request: IncomingMessage, response: ServerResponse): void {
    const upstream = URL.canParse(request.url ?? '') ? new URL(request.url!) : undefined;
    if (
      upstream?.protocol !== 'http:' ||
      !hosts.allows(upstream.hostname, Number(upstream.port || 80))
    ) {
      response
        .writeHead(403, { 'content-type': 'text/plain', connection: 'close' })
        .end('This run is not allowed to access this host.\n');
      return;
    }
    const passage = {
      request,
      response,
      upstream,
      path: upstream.pathname + upstream.search,
      signal: whenGone(response),
    };
    ask(passage, request)
      .then((answered) => passOn(passage, answered))
      .catch(() => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
  }

  /** A tunnel: TLS, and web sockets. */
  function tunnel(asked: IncomingMessage, client: Duplex, head: Buffer): void {
    keep(client);
    const url = URL.canParse(`http://${asked.url}`) ? new URL(`http://${asked.url}`) : undefined;
    const port = Number(/:(\d+)$/.exec(asked.url ?? '')?.[1] ?? 0);
    if (!url || !hosts.allows(url.hostname, port)) {
      client.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
      return;
    }
    const there: Socket = connect(port, bare(url), () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      there.write(head);
      there.pipe(client).pipe(there);
    });
    keep(there);
    there.on('close', () => client.destroy());
    client.on('close', () => there.destroy());
  }

  const server = createServer(pass).on('connect', tunnel).on('connection', keep);
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(0, '127.0.0.1', resolve),
  );
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

const bare = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');
