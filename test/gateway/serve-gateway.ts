import { Hono } from 'hono';
import { onTestFinished } from 'vitest';
import { createGateway, type GatewayOptions } from '../../src/gateway/gateway.ts';
import { gatewayRoute } from '../../src/server/gateway-route.ts';
import { startServer } from '../../src/server/start-server.ts';

/** A gateway on loopback before one upstream. Gives the address that takes the upstream's place. */
export async function serveGateway(upstream: string, options: Omit<GatewayOptions, 'upstreams'> = {}, token?: string): Promise<string> {
  const gateway = createGateway({ upstreams: new Map([['up', new URL(upstream)]]), ...options });
  const app = new Hono().use(gatewayRoute(gateway, token === undefined ? {} : { token }));
  const { url, close } = await startServer({ app, host: '127.0.0.1', port: 0 });
  onTestFinished(close);
  return `${url}/up`;
}
