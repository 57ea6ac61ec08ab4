import { createStore, type Store } from '../store.ts';

const KEY = 'unrut-token';

/** The token that goes along with each request, kept as long as the tab is open. */
export const token: Store<string> = createStore(sessionStorage.getItem(KEY) ?? '');
token.subscribe(() => sessionStorage.setItem(KEY, token.get()));

/** The server has refused the token, or that there was none. */
export const isTokenWanted: Store<boolean> = createStore(false);

/** The sign-in address of a server with sign-in. */
export const signInAddress: Store<string> = createStore('');

export const withToken = (): Record<string, string> =>
  token.get() === '' ? {} : { authorization: `Bearer ${token.get()}` };
