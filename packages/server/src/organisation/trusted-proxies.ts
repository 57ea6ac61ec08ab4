import { BlockList, isIP, isIPv4 } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import { MAX_GROUPS, personName, type SignedIn } from './open-id.ts';

const NAMES = ['x-forwarded-user', 'x-forwarded-email', 'x-forwarded-groups'] as const;
const FORWARDED = 'forwarded';

/** Parses a list such as `10.0.0.0/8, ::1`; returns the first invalid item, if any. */
export function readProxies(given: string): BlockList | { wrong: string } {
  const proxies = new BlockList();
  for (const each of given.split(',').map((text) => text.trim())) {
    if (each === '') continue;
    const [address = '', bits, ...more] = each.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    const most = family === 'ipv4' ? 32 : 128;
    if (
      isIP(address) === 0 ||
      more.length > 0 ||
      (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most))
    )
      return { wrong: each };
    if (bits === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(bits), family);
  }
  return proxies;
}

/** The address of the client; undefined if unknown. */
const addressOf = (context: Context): string | undefined =>
  ((context.env ?? {}) as Partial<HttpBindings>).incoming?.socket?.remoteAddress;

const isIn = (proxies: BlockList, address: string): boolean => {
  // On a dual-stack socket, IPv4 addresses have this prefix.
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(plain) !== 0 && proxies.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
};

/**
 * Reads the headers of a trusted proxy, and removes them from all requests, so that later handlers
 * cannot trust forged ones.
 */
export function readForwarded(proxies: BlockList): MiddlewareHandler {
  return async (context, next) => {
    const given = NAMES.map((name) => context.req.header(name)?.trim() ?? '');
    if (given.some((value) => value !== '')) {
      const address = addressOf(context);
      const forwarded =
        address !== undefined && isIn(proxies, address) ? personIn(given) : undefined;
      if (forwarded) context.set(FORWARDED, forwarded);
      remove(context);
    }
    return next();
  };
}

export const forwardedIn = (context: Context): SignedIn | undefined => context.get(FORWARDED);

function personIn([user = '', email = '', groups = '']: readonly string[]): SignedIn | undefined {
  const person = personName(user || email);
  const names = groups.split(',').map((name) => name.trim());
  return person === undefined
    ? undefined
    : { person, groups: names.filter((name) => name !== '').slice(0, MAX_GROUPS) };
}

function remove(context: Context): void {
  const { incoming } = (context.env ?? {}) as Partial<HttpBindings>;
  for (const name of NAMES) {
    context.req.raw.headers.delete(name);
    if (incoming) delete incoming.headers[name];
  }
  if (!incoming) return;
  for (let i = incoming.rawHeaders.length - 2; i >= 0; i -= 2)
    if ((NAMES as readonly string[]).includes(incoming.rawHeaders[i]!.toLowerCase()))
      incoming.rawHeaders.splice(i, 2);
}
