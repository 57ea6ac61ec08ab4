import type { JSX } from 'preact';
import { agoText } from '../ago-text.ts';
import { Time } from './time.tsx';
import { useNow } from './use-now.ts';

/** A moment, as so long ago; the exact time for those who point at it. In a table `ago` goes without saying. */
export function When({ at, isShort = false }: { at: number; isShort?: boolean }): JSX.Element {
  const words = agoText(at, useNow());
  return <Time at={at} words={isShort ? words.replace(/ ago$/, '') : words} />;
}
