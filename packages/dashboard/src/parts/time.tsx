import type { JSX } from 'preact';
import { isKnownTime } from '../known-time.ts';
import { zone } from '../preferences.ts';
import { useStore } from '../store.ts';
import { clockText, dayText, zoneText } from '../zone-time.ts';

interface TimeProps {
  at: number;
  /** The format. Default: the time of day. */
  words?: string;
}

/**
 * A moment in words, with the exact time as a tooltip. Invalid times are shown as the recorded
 * number.
 */
export function Time({ at, words }: TimeProps): JSX.Element {
  useStore(zone);
  if (!isKnownTime(at))
    return (
      <span class="time" title={`It was recorded as ${at}.`}>
        {words ?? 'no time'}
      </span>
    );
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={`${dayText(at)} ${clockText(at)} ${zoneText()}`}
    >
      {words ?? clockText(at)}
    </time>
  );
}
