import type { ProblemAnswer } from '@unrut/server/api/answers';
import { isTokenWanted, signInAddress, token, withToken } from './token.ts';

/** Why there is no answer, in a line for people. */
export class AskError extends Error {
  /** The answer's status; 0 if there was none. */
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const GONE = 'The server does not answer. Is unrut serve still running?';

interface RequestOptions {
  signal?: AbortSignal;
  headers?: Record<string, string>;
  method?: 'POST' | 'DELETE';
  body?: string;
}

/** Sends a request with the token. Throws an `AskError` unless it succeeds. */
export async function request(path: string, options: RequestOptions = {}): Promise<Response> {
  const { signal = null, headers, method = 'GET', body = null } = options;
  const given = token.get();
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: { ...headers, ...withToken() },
      signal,
      cache: 'no-store',
      body,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new AskError(0, GONE);
  }
  if (response.ok) return response;
  if (response.status === 401 && token.get() === given) {
    signInAddress.set(response.headers.get('x-unrut-sign-in') ?? '');
    isTokenWanted.set(true);
  }
  const said = (await response.json().catch(() => null)) as ProblemAnswer | null;
  throw new AskError(
    response.status,
    said?.error?.message ?? `The server answered with ${response.status}.`,
  );
}

/** The API's answer to a GET request. */
export async function ask<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await request(path, signal ? { signal } : {});
  return (await response.json()) as T;
}
