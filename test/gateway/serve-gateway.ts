import { createGateway, type GatewayOptions } from '@unrut/adapters/gateway/gateway';
import { gatewayRoute } from '@unrut/server/gateway-route';
import { createCaller } from '@unrut/server/keys';
import { startServer } from '@unrut/server/start-server';
import { Hono } from 'hono';
import { onTestFinished } from 'vitest';

type Options = Omit<GatewayOptions, 'upstreams'>;

/** A gateway on loopback. */
export async function serveUpstreams(
  upstreams: ReadonlyMap<string, URL>,
  options: Options = {},
  token?: string,
): Promise<string> {
  const gateway = createGateway({ upstreams, ...options });
  const app = new Hono().use(
    gatewayRoute(gateway, token === undefined ? {} : { caller: createCaller({ token }) }),
  );
  const { url, close } = await startServer({ app, host: '127.0.0.1', port: 0 });
  // Not waited for: a client that was cut off may have opened a connection that it does not use for
  // some seconds.
  onTestFinished(() => void close());
  return url;
}

/** A gateway before one upstream. Returns the address that takes the upstream's place. */
export const serveGateway = async (
  upstream: string,
  options: Options = {},
  token?: string,
): Promise<string> =>
  `${await serveUpstreams(new Map([['up', new URL(upstream)]]), options, token)}/up`;
