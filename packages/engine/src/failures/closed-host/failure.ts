import { isLoopback } from '../../text/loopback.ts';
import { CLOSED, closedPort } from '../closed-port/failure.ts';
import { defineFailure } from '../failure.ts';

const ADDRESS = closedPort.names!;

/** Whether an error names an address of another machine. */
function isElsewhere(said: string): boolean {
  const host = ADDRESS.exec(said)?.[1]?.replace(/(?: port |:)\d+$/, '');
  return host !== undefined && !isLoopback(host);
}

export const closedHost = defineFailure({
  name: 'closed-host',
  means: 'another machine does not accept the connection',
  recognises: ({ error, said }) => error && CLOSED.test(said) && isElsewhere(said),
  names: ADDRESS,
  moves: [
    {
      name: 'check-host-and-port',
      base: 0.95,
      risk: 'read_only',
      does: 'check the host and the port',
      reason: 'the port may be closed on purpose, or the machine may be starting',
    },
    {
      name: 'go-on-without-host',
      base: 0.85,
      risk: 'read_only',
      does: 'note that it does not answer, and go on with what does not need it',
      reason: '',
    },
  ],
});
