import type { JSX } from 'preact';
import { agoText } from '../ago-text.ts';
import { Time } from './time.tsx';
import { useNow } from './use-now.ts';

/** A moment, as so long ago; the exact time for those who point at it. */
export function When({ at }: { at: number }): JSX.Element {
  const now = useNow();
  return <Time at={at} words={agoText(at, now)} />;
}
