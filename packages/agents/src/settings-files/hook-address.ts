import type { HookReach } from './order.ts';

/** The default address of `unrut serve`. */
export const DEFAULT_SERVER = 'http://127.0.0.1:4717';

/** The server's address for an agent's hooks. */
export const hookAddress = (
  agent: string,
  { server, shadow }: Pick<HookReach, 'server' | 'shadow'>,
): string =>
  `${(server ?? DEFAULT_SERVER).replace(/\/+$/, '')}/v1/hooks/${agent}${shadow ? '?shadow=1' : ''}`;

/** The server of a hook address. */
export const serverOf = (address: string): string => address.replace(/\/v1\/hooks\/.*$/, '');
