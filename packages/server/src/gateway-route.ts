import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Gateway } from '@unrut/adapters/gateway/gateway';
import { Hono, type MiddlewareHandler } from 'hono';
import { checkHost, type HostCheck } from './check-host.ts';
import type { Caller } from './keys.ts';
import { problem, shown } from './problem.ts';
import { checkOrigin, type Protection } from './protect.ts';

interface GatewayProtection extends Protection {
  /** Identifies callers; without it, everybody on this machine is allowed. */
  caller?: Caller | undefined;
}

/** `/token/TOKEN/openai/v1`, for programs in which only the URL can be configured. */
const IN_PATH = /^\/token\/([^/?]+)(?=\/)/;

/**
 * Forwards requests to the gateway. `Authorization` holds the provider's key, so the token is sent
 * elsewhere.
 */
export function gatewayRoute(
  gateway: Gateway,
  { caller, publicUrl }: GatewayProtection,
): MiddlewareHandler {
  const isOwn = checkOrigin({ publicUrl });
  return async (context, next) => {
    const { incoming, outgoing } = (context.env ?? {}) as Partial<HttpBindings>;
    const [prefix = '', inPath = ''] = IN_PATH.exec(incoming?.url ?? '') ?? [];
    const path = incoming?.url?.slice(prefix.length) ?? '';
    if (!incoming || !outgoing || !gateway.knows(path)) return next();
    const refused = await isOwn(context, async () => undefined);
    if (refused) return refused;
    if (
      caller &&
      (await caller(inPath || (context.req.header('x-unrut-token') ?? ''))).length === 0
    )
      return problem(
        context,
        401,
        'wrong-token',
        'Expected the token of Unrut, or a key of unrut key add, in the header x-unrut-token, or as /token/TOKEN before the path.',
      );
    await gateway.handle(
      incoming as Parameters<Gateway['handle']>[0],
      outgoing as Parameters<Gateway['handle']>[1],
      path,
    );
    return RESPONSE_ALREADY_SENT;
  };
}

/** A server with only a gateway. */
export function gatewayApp(gateway: Gateway, options: GatewayProtection & HostCheck): Hono {
  const app = new Hono();
  app.use(checkHost(options));
  app.use(gatewayRoute(gateway, options));
  app.notFound((context) =>
    problem(
      context,
      404,
      'not-found',
      `No upstream for ${shown(context.req.path)}. Paths begin with one of: ${gateway.names.map((name) => `/${name}`).join(', ')}.`,
    ),
  );
  return app;
}
