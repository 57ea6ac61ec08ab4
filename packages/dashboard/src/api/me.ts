import type { MeAnswer } from '@unrut/server/api/answers';
import { createStore, type Store } from '../store.ts';
import { ask, request } from './ask.ts';
import { token } from './token.ts';

export const me: Store<MeAnswer | null> = createStore<MeAnswer | null>(null);

export const askWhoIAm = async (): Promise<void> =>
  me.set(await ask<MeAnswer>('/v1/me').catch(() => null));
token.subscribe(() => void askWhoIAm());

/**
 * Changes something on the server, as its own pages may. Throws an `AskError` unless it succeeds.
 */
export async function change<T>(
  method: 'POST' | 'DELETE',
  path: string,
  body?: object,
): Promise<T> {
  const { csrf } = me.get() ?? {};
  const headers = {
    'content-type': 'application/json',
    ...(csrf === undefined ? {} : { 'x-unrut-csrf': csrf }),
  };
  const response = await request(path, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return (await response.json()) as T;
}
