import { createStore, useStore } from '../store.ts';

const now = createStore(Date.now());
const EVERY = 5000;
setInterval(() => document.hidden || now.set(Date.now()), EVERY);

/** The time, anew every few seconds, for what is told as so long ago. One clock serves all of them. */
export const useNow = (): number => useStore(now);
