import type { HookReach } from './order.ts';

/** Where `unrut serve` listens unless told otherwise. */
export const DEFAULT_SERVER = 'http://127.0.0.1:4717';

/** Where the server answers the hooks of an agent. */
export const hookAddress = (
  agent: string,
  { server, shadow }: Pick<HookReach, 'server' | 'shadow'>,
): string =>
  `${(server ?? DEFAULT_SERVER).replace(/\/+$/, '')}/v1/hooks/${agent}${shadow ? '?shadow=1' : ''}`;

/** The server of such an address. */
export const serverOf = (address: string): string => address.replace(/\/v1\/hooks\/.*$/, '');
