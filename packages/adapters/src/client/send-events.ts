import { objectOf, parsed } from '@unrut/engine/json';
import { SESSION_HEADER, sessionHash } from '@unrut/engine/session-header';
import { asVerdict, type ClientVerdict } from './client-verdict.ts';

/** The server's address, and the timeout of requests. */
export interface Destination {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Milliseconds. */
  timeout: number;
}

/** The verdicts; or what went wrong, and whether the same events may be taken another time. */
export type Sent = { verdicts: ClientVerdict[] } | { fault: string; again: boolean };

/** Statuses that concern the state of the server, not the events. */
const PASSING = [408, 425, 429];

/** Sends events of one family, each as JSON. Never throws. */
export async function sendEvents(
  events: readonly string[],
  family: string,
  { url, headers, timeout }: Destination,
): Promise<Sent> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, [SESSION_HEADER]: sessionHash(family) },
      body: `[${events.join()}]`,
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    });
    const text = await answer.text();
    if (!answer.ok)
      return {
        fault: refusal(answer.status, text),
        again: answer.status >= 500 || PASSING.includes(answer.status),
      };
    const verdicts = verdictsIn(text);
    if (verdicts?.length === events.length) return { verdicts };
    return {
      fault: `expected ${events.length} verdicts from ${url}, got something else. Is it a server of Unrut?`,
      again: true,
    };
  } catch (error) {
    return { fault: `${url} cannot be reached: ${reasonOf(error, timeout)}.`, again: true };
  }
}

function verdictsIn(text: string): ClientVerdict[] | undefined {
  const { verdicts } = objectOf(parsed(text));
  if (!Array.isArray(verdicts)) return undefined;
  const read = verdicts.map(asVerdict);
  return read.every((verdict) => verdict !== undefined) ? read : undefined;
}

function refusal(status: number, text: string): string {
  const { message } = objectOf(objectOf(parsed(text)).error);
  return `the server refused with ${status}${typeof message === 'string' ? `: ${message}` : '.'}`;
}

function reasonOf(error: unknown, timeout: number): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  return name === 'TimeoutError'
    ? `no answer within ${timeout} milliseconds`
    : (cause?.code ?? cause?.message ?? message);
}
