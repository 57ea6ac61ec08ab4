import type { MeAnswer } from '../../../src/server/api/answers.ts';
import { createStore, type Store } from '../store.ts';
import { AskError, ask } from './ask.ts';
import { token, withToken } from './token.ts';

export const me: Store<MeAnswer | null> = createStore<MeAnswer | null>(null);

/** Asks at the beginning, and whenever there is another token. */
export async function askWhoIAm(): Promise<void> {
  const look = async (): Promise<void> => me.set(await ask<MeAnswer>('/v1/me').catch(() => null));
  token.subscribe(() => void look());
  await look();
}

/** Changes something on the server, as its own pages may. Throws an `AskError` unless it succeeds. */
export async function change<T>(method: 'POST' | 'DELETE', path: string, body?: object): Promise<T> {
  const { csrf } = me.get() ?? {};
  const headers = { 'content-type': 'application/json', ...withToken(), ...(csrf === undefined ? {} : { 'x-unrut-csrf': csrf }) };
  const response = await fetch(path, { method, headers, body: body ? JSON.stringify(body) : null, cache: 'no-store' });
  const said = (await response.json().catch(() => null)) as (T & { detail?: string }) | null;
  if (!response.ok) throw new AskError(response.status, said?.detail ?? `The server answered with ${response.status}.`);
  return said as T;
}
