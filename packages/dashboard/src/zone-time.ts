import { clock, day } from '@unrut/ledger/report/time-text';
import { zone } from './preferences.ts';

/** The offset of the local clock from UTC at that time, in milliseconds. */
const ahead = (at: number): number => -new Date(at).getTimezoneOffset() * 60_000;
const shifted = (at: number): number => (zone.get() === 'utc' ? at - ahead(at) : at);

/** `05:19:33` in the zone that the reader has chosen. */
export const clockText = (at: number): string => clock(shifted(at));
/** `2026-11-16` in that zone. */
export const dayText = (at: number): string => day(shifted(at));
/** The name of the zone. */
export const zoneText = (): string =>
  zone.get() === 'utc' ? 'UTC' : (Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'local time');
