/** Which hosts runs may reach. */
export interface AllowedHosts {
  /** Whether runs may reach a host and port. */
  allows(hostname: string, port: number): boolean;
  /** Whether an address is one of theirs. */
  allowsUrl(url: URL): boolean;
  /** As they were given. */
  names: readonly string[];
}

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::(\d{1,5}))?$/;

/**
 * Parses `example.com,localhost:3000`; a host without a port has its usual ports. If an item is not
 * a host, returns the first such item.
 */
export function readAllowedHosts(list: string): AllowedHosts | { wrong: string } {
  const names = list
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  const allowed = new Set<string>();
  for (const name of names) {
    const [, hostname, port] = HOST.exec(name) ?? [];
    if (hostname === undefined || Number(port ?? 1) > 65_535) return { wrong: name };
    for (const each of port === undefined ? [80, 443] : [Number(port)])
      allowed.add(`${bare(hostname)} ${each}`);
  }
  const allows = (hostname: string, port: number): boolean =>
    allowed.has(`${bare(hostname.toLowerCase())} ${port}`);
  return {
    names,
    allows,
    allowsUrl: ({ protocol, hostname, port }) =>
      allows(hostname, Number(port) || (USUAL[protocol] ?? 0)),
  };
}

/** Of web sockets too. */
const USUAL: Record<string, number> = { 'http:': 80, 'https:': 443, 'ws:': 80, 'wss:': 443 };

/** Removes the brackets of an IPv6 address and the trailing dot of a fully qualified name. */
const bare = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
