import type { JSX } from 'preact';
import { clock, day, lasting } from '../../../src/report/time-text.ts';
import { useNow } from './use-now.ts';

/** A moment, as so long ago; the exact time for those who point at it. */
export function When({ at }: { at: number }): JSX.Element {
  const now = useNow();
  const gone = now - at;
  return (
    <time dateTime={new Date(at).toISOString()} title={`${day(at)} ${clock(at)}`}>
      {gone < 2000 ? 'just now' : `${lasting(gone)} ago`}
    </time>
  );
}
