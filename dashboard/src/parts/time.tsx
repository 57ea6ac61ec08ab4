import type { JSX } from 'preact';
import { clock, day } from '../../../src/report/time-text.ts';
import { isKnownTime } from '../known-time.ts';

interface TimeProps {
  at: number;
  /** How it is told. Default: the time of day. */
  words?: string;
}

/** A moment in words, with the exact time for those who point at it. What no calendar has is told as the number that was recorded. */
export const Time = ({ at, words }: TimeProps): JSX.Element =>
  isKnownTime(at) ? (
    <time dateTime={new Date(at).toISOString()} title={`${day(at)} ${clock(at)}`}>
      {words ?? clock(at)}
    </time>
  ) : (
    <span class="time" title={`It was recorded as ${at}.`}>
      {words ?? 'no time'}
    </span>
  );
