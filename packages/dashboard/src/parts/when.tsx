import type { JSX } from 'preact';
import { agoText } from '../ago-text.ts';
import { createStore, useStore } from '../store.ts';
import { Time } from './time.tsx';

/**
 * A relative time, with the exact one as a tooltip. In tables, the words `ago` and `ahead of` are
 * omitted.
 */
export function When({ at, isShort = false }: { at: number; isShort?: boolean }): JSX.Element {
  const words = agoText(at, useNow());
  return <Time at={at} words={isShort ? words.replace(/ (?:ago|of this clock)$/, '') : words} />;
}

const now = createStore(Date.now());
const EVERY = 5000;
setInterval(() => document.hidden || now.set(Date.now()), EVERY);

/**
 * The current time, updated every few seconds, for relative times. One clock serves all of them.
 */
const useNow = (): number => useStore(now);
