import type { LoadedSettings } from '../../config/load-settings.ts';
import { offFor } from '../../config/said.ts';
import { offText } from './switch.ts';

/** What a person should know when a session starts, in one line; nothing where all is as it should be. */
export function greetingText({ settings, problems }: LoadedSettings, missed: number, folder: string, session: string): string | undefined {
  const off = offFor(settings.said, folder, session);
  if (off) return `Unrut is off ${offText(off)}: it only records. Switch it on: unrut on`;
  if (missed > 0)
    return `Unrut could not record ${missed === 1 ? 'an event' : `${missed} events`} since the last session. See unrut doctor.`;
  const why = settings.shadow ? problems.find((problem) => problem.includes('record-only')) : undefined;
  return why && `Unrut only records here. ${why} See unrut config.`;
}
