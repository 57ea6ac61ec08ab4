import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { isObject, parsed, textOf } from '@unrut/engine/json';
import { SESSION_HEADER, sessionHash } from '@unrut/engine/session-header';
import { recogniseHost } from '../hosts/recognise.ts';
import { hookAddress } from '../settings-files/hook-address.ts';
import { unusableText } from './answer-hook.ts';
import { breakerFor } from './away.ts';
import type { HookResponse } from './hook-request.ts';

/** The media type of a complete reply: standard output, error output and exit code. */
export const REPLY_TYPE = 'application/vnd.unrut.reply+json';

export interface ServerToAsk {
  /** Where `unrut serve` is. */
  server: string;
  token?: string | undefined;
  /** Record only. */
  shadow: boolean;
  /** The host named in the hook's command. */
  said?: string | undefined;
  /** The folder in which hooks share that the server hangs. */
  folder: string;
}

/** Milliseconds that an agent waits for a server. */
const PATIENCE = 2000;
/** An empty answer: the agent continues. */
const SILENCE: HookResponse = { stdout: '', exitCode: 0 };

/** The server's answer to a hook's payload; undefined if there is none. Never throws. */
export async function askServer(
  input: string,
  { server, token, shadow, said, folder }: ServerToAsk,
): Promise<HookResponse> {
  const breaker = breakerFor(folder, server);
  try {
    const payload = parsed(input);
    const host = recogniseHost(payload, process.env, said);
    const session = host?.understand(payload)?.session;
    if (!host || session === undefined || !breaker.mayAsk()) return SILENCE;
    const answer = await post(hookAddress(host.name, { server, shadow }), input, {
      'content-type': 'application/json',
      accept: REPLY_TYPE,
      [SESSION_HEADER]: sessionHash(session),
      ...(token ? { authorization: `Bearer ${token.trim()}` } : {}),
    });
    breaker.answered();
    return readReply(parsed(answer)) ?? SILENCE;
  } catch (error) {
    if (error instanceof Hung) breaker.hung();
    else breaker.answered();
    return error instanceof RefusedKey
      ? { ...SILENCE, stdout: unusableText(input, process.env, error.message, said) }
      : SILENCE;
  }
}

/** Nothing came in time. */
class Hung extends Error {}

/** Unlike an outage, this does not pass by itself: the user is warned at the start of a session. */
class RefusedKey extends Error {}

function refusal(server: string, status: number | undefined): Error {
  if (status === 401)
    return new RefusedKey(`${server} does not know the key in UNRUT_TOKEN (401).`);
  if (status === 403)
    return new RefusedKey(
      `the key in UNRUT_TOKEN is not for hooks (403): ${server} needs one with the scope ingest.`,
    );
  return new Error(`refused with ${status}`);
}

function readReply(given: unknown): HookResponse | undefined {
  if (!isObject(given) || !Number.isInteger(given.exitCode)) return undefined;
  const { stderr } = given;
  return {
    stdout: textOf(given.stdout),
    ...(typeof stderr === 'string' ? { stderr } : {}),
    exitCode: given.exitCode as number,
  };
}

/** The body of an answer that is one. */
function post(url: string, body: string, headers: Record<string, string>): Promise<string> {
  const request = url.startsWith('https:') ? requestTls : requestPlain;
  const signal = AbortSignal.timeout(PATIENCE);
  return new Promise((resolve, rejectWith) => {
    const reject = (error: Error): void =>
      rejectWith(signal.aborted ? new Hung(error.message) : error);
    const asking = request(url, { method: 'POST', headers, signal }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('error', reject);
      response.on('end', () =>
        response.statusCode === 200
          ? resolve(text)
          : reject(refusal(new URL(url).origin, response.statusCode)),
      );
    });
    asking.on('error', reject);
    asking.end(body);
  });
}
