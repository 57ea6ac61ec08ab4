import { readUpstreams } from '../gateway/upstreams.ts';
import { isLoopback } from '../server/is-loopback.ts';
import { wholeNumber } from './arguments.ts';
import { usageError } from './exit.ts';

const SHORTEST_TOKEN = 16;
const HIGHEST_PORT = 65_535;

export function portOption(given: string): number {
  const port = wholeNumber('port', given, 0);
  if (port > HIGHEST_PORT) throw usageError(`--port takes a whole number up to ${HIGHEST_PORT}; got ${port}.`);
  return port;
}

/** The token of a server on this address; only on loopback may there be none. */
export function tokenOption(host: string, token: string | undefined): string | undefined {
  if (token === undefined || token === '') {
    if (isLoopback(host)) return undefined;
    throw usageError(`--host ${host} is reachable from other machines, so it needs a token: set UNRUT_TOKEN, or omit --host.`);
  }
  if (token.length >= SHORTEST_TOKEN && /^\S+$/.test(token)) return token;
  throw usageError(`The token must have at least ${SHORTEST_TOKEN} characters and no spaces; got ${token.length} characters.`);
}

/** The providers that a gateway may pass requests to. */
export function upstreamOptions(given: readonly string[]): ReadonlyMap<string, URL> {
  const upstreams = readUpstreams(given);
  if ('wrong' in upstreams)
    throw usageError(`--upstream takes a name and an address such as local=http://127.0.0.1:11434; got ${upstreams.wrong}.`);
  return upstreams;
}
