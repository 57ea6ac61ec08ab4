const PART = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const LOOPBACK = new RegExp(`^(?:localhost|::1|127(?:\\.${PART}){3})$`, 'i');

/** The name or address reaches only this machine. An address of IPv6 may stand in brackets. */
export const isLoopback = (hostname: string): boolean =>
  LOOPBACK.test(hostname.replace(/^\[(.*)\]$/, '$1'));

/** The name in what `Host` says: without the port. */
export const hostnameIn = (host: string): string => host.replace(/:\d+$/, '');
