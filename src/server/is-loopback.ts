import { isIPv4 } from 'node:net';

/** The name or address reaches only this machine. */
export const isLoopback = (hostname: string): boolean =>
  /^(?:localhost|::1)$/i.test(hostname) || (hostname.startsWith('127.') && isIPv4(hostname));
