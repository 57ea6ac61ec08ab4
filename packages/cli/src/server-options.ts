import { readUpstreams } from '@unrut/adapters/gateway/upstreams';
import type { Ledger } from '@unrut/ledger/ledger';
import { readLedger } from '@unrut/ledger/views/read-ledger';
import { isValid } from '@unrut/server/keys';
import { wholeNumber } from './arguments.ts';
import { usageError } from './exit.ts';
import { DRIVERS } from './ledger-drivers.ts';

const SHORTEST_TOKEN = 16;
const HIGHEST_PORT = 65_535;

export function portOption(given: string): number {
  const port = wholeNumber('port', given, 0);
  if (port > HIGHEST_PORT)
    throw usageError(`--port takes a whole number up to ${HIGHEST_PORT}; got ${port}.`);
  return port;
}

/** The token of a server, if there is one. */
export function tokenOption(token: string | undefined): string | undefined {
  if (token === undefined || token === '') return undefined;
  if (token.length >= SHORTEST_TOKEN && /^\S+$/.test(token)) return token;
  throw usageError(
    `The token must have at least ${SHORTEST_TOKEN} characters and no spaces; got ${token.length} characters.`,
  );
}

/** A server that other machines can reach must authenticate callers. */
export async function requireKey(token: string | undefined, ledger: string): Promise<void> {
  if (token === undefined && !(await readLedger(ledger, DRIVERS, hasKey)))
    throw usageError(
      'The server would be reachable from other machines, so it needs a token or a key: set UNRUT_TOKEN, or run unrut key add.',
    );
}

const hasKey = async ({ keys }: Ledger): Promise<boolean> =>
  (await keys?.list())?.some((key) => isValid(key, Date.now())) ?? false;

/** The providers that a gateway may pass requests to. */
export function upstreamOptions(given: readonly string[]): ReadonlyMap<string, URL> {
  const upstreams = readUpstreams(given);
  if ('wrong' in upstreams)
    throw usageError(
      `--upstream takes a name and an address such as local=http://127.0.0.1:11434; got ${upstreams.wrong}.`,
    );
  return upstreams;
}
