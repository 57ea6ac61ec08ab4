import type { Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { UnrutError } from '@unrut/engine/errors';
import type { Hono } from 'hono';
import type { Certificate } from './certificate.ts';

export interface ServerOptions {
  app: Hono;
  host: string;
  /** 0 takes one that is free. */
  port: number;
  /** Milliseconds within which a request must arrive completely. Default: 10,000. */
  patience?: number;
  /** Speaks TLS with it. */
  certificate?: Certificate | undefined;
  /**
   * Once aborted, every answer closes its connection, so that the next request goes to another
   * server.
   */
  draining?: AbortSignal | undefined;
}

export interface RunningServer {
  url: string;
  /** Stops accepting requests, and waits up to twenty seconds for those in progress. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
const MAX_GOODBYE = 20_000;
const LOOK_FOR_IDLE = 100;

/** Default security headers: no caching, framing or type sniffing. */
const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['cache-control', 'no-store'],
];

/** Starts to listen. Throws if the address is unavailable. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { app, host, port, patience = TIMEOUT_MS, certificate, draining } = options;
  const limits = {
    requestTimeout: patience,
    headersTimeout: patience,
    connectionsCheckingInterval: Math.min(1000, patience),
  };
  const server = createAdaptorServer(
    certificate
      ? {
          fetch: app.fetch,
          createServer: createTlsServer,
          serverOptions: { ...limits, ...certificate.current },
        }
      : { fetch: app.fetch, serverOptions: limits },
  ) as Server;
  certificate?.onChange((changed) => (server as TlsServer).setSecureContext(changed));
  server.prependListener('request', (_, response) => {
    for (const [name, value] of HEADERS) response.setHeader(name, value);
    if (draining?.aborted) response.setHeader('connection', 'close');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(toServerError(error, host, port)),
    );
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http${certificate ? 's' : ''}://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    close: () => closeInOrder(server),
  };
}

async function closeInOrder(server: Server): Promise<void> {
  const hurry = setTimeout(() => server.closeAllConnections(), MAX_GOODBYE);
  // A connection with a request in progress becomes idle later, so idle ones are closed repeatedly.
  const idle = setInterval(() => server.closeIdleConnections(), LOOK_FOR_IDLE);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(hurry);
  clearInterval(idle);
}

function toServerError(error: NodeJS.ErrnoException, host: string, port: number): UnrutError {
  const [reason, advice] = REASONS[error.code ?? ''] ?? [
    error.message,
    'Choose another address with --host and --port.',
  ];
  return new UnrutError(
    'cannot-listen',
    `Cannot listen on ${host}, port ${port}: ${reason}. ${advice}`,
    { cause: error },
  );
}

const REASONS: Record<string, [reason: string, advice: string]> = {
  EADDRINUSE: [
    'the port is in use, perhaps by another unrut serve',
    'Stop that one, or choose another port with --port.',
  ],
  EACCES: ['permission denied', 'Choose a port of 1024 or higher with --port.'],
  EADDRNOTAVAIL: ['this machine does not have that address', 'Choose another with --host.'],
  ENOTFOUND: ['unknown host name', 'Choose an address of this machine with --host.'],
};
