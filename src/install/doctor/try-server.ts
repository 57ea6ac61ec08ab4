import { serverOf } from '../hook-address.ts';
import { TOKEN_VARIABLE } from '../http-handler.ts';
import type { Fault } from './fault.ts';

const PATIENCE = 2000;

/** Asks the server of HTTP hooks whether it is up, with the token that the agent would send. Gives what is wrong, or nothing. */
export async function tryServer(url: string, sendsToken: boolean): Promise<Fault | undefined> {
  const token = process.env[TOKEN_VARIABLE]?.replace(/[\r\n]/g, '') ?? '';
  const headers = sendsToken && token !== '' ? { authorization: `Bearer ${token}` } : {};
  try {
    const { ok, status } = await fetch(`${serverOf(url)}/healthz`, { headers, signal: AbortSignal.timeout(PATIENCE) });
    return ok ? undefined : status === 401 ? whyRefused(sendsToken, token) : { what: `the server there answers with ${status}` };
  } catch {
    return { what: 'no server answers there', todo: 'Type unrut serve to start it, or install without --http to do without' };
  }
}

function whyRefused(sendsToken: boolean, token: string): Fault {
  if (!sendsToken) return { what: 'the server there wants a token (401), and the hooks send none' };
  const todo = `Set ${TOKEN_VARIABLE} to what unrut serve was started with, here and where the agent is started`;
  return token === ''
    ? { what: `the server there wants a token (401), and ${TOKEN_VARIABLE} is not set`, todo }
    : { what: `the server there refuses the token in ${TOKEN_VARIABLE} (401)`, todo };
}
