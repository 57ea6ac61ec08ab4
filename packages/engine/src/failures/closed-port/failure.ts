import { defineFailure } from '../failure.ts';

/** A connection that nobody accepts. */
export const CLOSED: RegExp =
  /econnrefused|connection[ _]refused|failed to connect to \S+ port|couldn't connect to server|\b(?:can't|cannot|could not|unable to|failed to) connect to (?:the |local )?(?:\w+ )?(?:server|daemon|database|redis|host|socket)|\bconnection to (?:the )?server\b[^\n]{0,80}\b(?:failed|refused)|:\d{2,5} - no response\b/i;

export const closedPort = defineFailure({
  name: 'closed-port',
  means: 'nothing answers at this address',
  recognises: ({ error, said }) => error && CLOSED.test(said),
  names: /(?:\/\/|ECONNREFUSED |connect to (?:host )?)([\w.-]+(?::| port )\d{2,5})/i,
  moves: [
    {
      name: 'check-listening',
      base: 0.95,
      risk: 'read_only',
      by: ['shell'],
      does: 'check that a server is running at this address',
      reason: 'if it is not yours to start, ask the user',
      args: () => ({ command: 'ss -ltn' }),
    },
    {
      name: 'start-and-wait',
      base: 0.85,
      risk: 'reversible',
      does: 'start the server, wait until it says that it listens, then try once',
      reason: '',
    },
  ],
});
